"""The paper's two case studies, run again in the open, and a third one: which loss learns bands."""
