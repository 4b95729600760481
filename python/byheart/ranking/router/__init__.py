"""A router of two stages: what has to be covered first, and a second source where that is not enough.

    gate        when the second source is asked, and when its answer counts
    fusion      two ranked lists become one
    routing     the whole of it over two lists: what the published cases run
    acceptance  whether a run of many questions is good enough
    stage       the fusion as a stage of a recall
    blended     a second opinion on the merged list, blended by place

The profile `router` (`byheart.profiles.router`) is made of these.
"""
# docs/sources.md: A3.1.1.
