"""Who proposes candidates. Each retriever makes one call into the core with the cells and its k."""
