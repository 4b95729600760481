"""The one recall: question -> legs -> table -> stages -> cut -> answer.

question        what was asked, checked
admitted        which records may be found
queries         what the legs of a profile ask their retrievers, inside a boundary and among those records
legs            the retrievers asked, and what they propose
unproposed      whether they propose nothing, so that the marks of the question alone answer
tables          the first table, of what the legs propose; or of what holds the marks of the question
stage_context   what stages may know beside their table
run             the only control flow of a recall
without_hits    why an answer is empty
explain         why a record has its score, and what ran: read from the table
told_around     of what the share is made that a turn has of those around it
answers         what comes back, made of hits, answer_table, receipt and trace
recaller        a recall on one version of the store
"""
