"""The one recall: question -> legs -> table -> stages -> cut -> answer.

question   what was asked, checked
legs       the retrievers of a profile, asked inside a boundary and among the records that may be found
run        the only control flow of a recall
explain    why a record has its score, and what ran: read from the table
answers    what comes back
recaller   a recall on one version of the store
"""
