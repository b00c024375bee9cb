"""The same sums on an NVIDIA card, in one read of the columns. PyTorch and Triton are imported on first use.

Everything here has a plain twin in `_kernels`, which serves wherever this one cannot.
"""
