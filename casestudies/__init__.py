"""The two case studies of the UCC paper, run again in the open."""
