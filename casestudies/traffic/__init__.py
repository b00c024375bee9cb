"""A day of traffic ahead: LSTM encoder–decoders that say how far off they may be."""
