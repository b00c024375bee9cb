"""What both case studies need: measures with intervals, work in processes, pages from results."""
