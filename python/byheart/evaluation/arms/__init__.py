"""Arms of a retrieval bench: ways to find sessions, asked the same questions in one run, and the receipts of it.

    histories         questions, each with the sessions that it is asked about, of any format
    dataset_files     a dataset written in the bench's format
    keeping           which sessions an arm remembers, and what that saves
    remembering       the memory of a history
    running           an arm over all questions: what was found, what failed and in which phase
    failures          errors as codes
    retrieval_report  what one arm found, question by question; a stage of the router can replay it
    manifest          what was run: dataset, parameters, program
    router_run        the arms of the router from one run, or its hybrid from reports of before
    comparing         arms beside a baseline: differences with intervals, and which of them win
    run_files         where all of that is written

A record is a whole session: ids of sessions are what is found, deduplicated and judged.
"""
# docs/sources.md: A3.5, A3.6.
