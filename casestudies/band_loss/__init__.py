"""Which loss learns bands best? Areas of the curve against likelihoods, quantiles and a meta-model."""
