"""What both case studies share: measures with intervals, parallel work, pages from results."""
