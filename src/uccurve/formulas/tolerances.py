"""Every tolerance that several modules share, each with its reason.

Float64 keeps 16 digits. Differences are relative to the larger of two numbers unless said.

`LAST_PLACES`
    A few units in the last place, one operation more or less: a value asked for beside one at a knot of a
    line, two sums of the same terms, a width that is the difference of two bounds.
`ROUNDING`
    The same number computed in two ways, by sums over up to 1e8 rows: miss rates that are sums of weights
    (absolute), mean widths, positions on two curves.
`SAME_SUM`
    The same sums in another order, by any engine and over any number of rows; and numbers that people write
    or print, such as rates and p-values (absolute).
`SAME_LEVEL`
    Levels of quantiles and claimed coverages (absolute): 1 - 0.95 is not 0.05 in floats, and 0.95 is
    0.949999988 in float32.
`SHORT_LEVEL`
    How far float32 puts a level of up to six decimals from that decimal (absolute).
`SAME_SHARE`
    Shares, coverages and relative differences (absolute): what prints as 0.0% is the same. Very many rows
    make any difference significant, and no p-value turns 0.0% into a finding.
`ALMOST_SYMMETRIC`
    Share of the mean band by which the two bands of a row may differ and still be called symmetric. It
    decides which ceiling and limit are shown, and no number.
`SMALLEST`, `LARGEST`
    Values and weights that are not 0 lie between these in size: products and ratios stay within float64.
"""

LAST_PLACES = 2.0**-49
ROUNDING = 1e-12
SAME_SUM = 1e-9
SAME_LEVEL = 1e-6
SHORT_LEVEL = 5e-8
SAME_SHARE = 0.0005
ALMOST_SYMMETRIC = 0.01
SMALLEST, LARGEST = 1e-100, 1e100
