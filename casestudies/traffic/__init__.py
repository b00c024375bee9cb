"""A day of traffic ahead: LSTM encoder–decoders that predict their own errors."""
