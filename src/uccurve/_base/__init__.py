"""What knows nothing of intervals: arrays, frames, arguments, files, progress, text."""
