"""Interval methods on real data, kept so that their rows can be asked again."""
