"""Texts of the help: examples that work, and exit codes."""

ABOUT = """\
Assess regression prediction intervals over their whole operating range: how wide they must be at every \
miss rate, how much better they are than constant width, and which model is best where.

Observations, predictions and bounds are columns of a file. Columns are detected from common names: y or \
y_true, yhat or y_pred, lower and upper, std; Lower 95% and Upper 95%; Model, Model-lo-90 and Model-hi-90; \
q05 and q95, 0.05 and 0.95, p5 and p95; NAME, NAME_lower and NAME_upper, or NAME_std. Name others with \
options."""

EPILOGUE = """\
Examples
  uccurve demo                        a built-in example, with its report
  uccurve score predictions.csv       how good are these intervals?
  uccurve score f.csv --y-true actual --y-pred mean --lower p5 --upper p95
  uccurve compare f.csv --model a=pred_a,lo_a,hi_a --model b=pred_b,std_b
  uccurve report f.parquet -o report.html --by region
  uccurve calibrate f.csv -o calibrated.csv --coverage 0.9
  cat f.csv | uccurve score - --json  for machines
  uccurve sketch parts -o all.ucc     files too large for memory; then
  uccurve score all.ucc

Exit codes
  0  success                       4    an extra is not installed
  1  the data break a rule         70   a bug in uccurve
  2  wrong usage                   129  hung up; 143 terminated
  3  a file cannot be read or      130  interrupted
     written                       141  the output pipe was closed

Help for one command: uccurve score --help"""

SCORE = """\
Columns of the table, the best model at the target coverage first
  coverage as supplied share of observations inside their interval
  claims               coverage that column names (Model-lo-90) or std promise
  interval score       half-width plus the priced distance of misses, doubled;
                       at the target coverage, lower is better
  half-width           mean half-width that the target coverage needs;
                       of a limit, its mean distance to the prediction
  against constant ... how much narrower or wider than constant width that is
  scale by             the factor to the target coverage on these rows;
                       for new rows use uccurve calibrate
  level to take        with --vary level: the claim that keeps the target

With --all
  miss rate            share of observations outside their interval
  bandwidth            mean half-width as supplied
  excess, deficit      mean unused room of hits, mean distance of misses
  area                 mean bandwidth over all miss rates; lower is better
  gain                 share saved of the area of constant width, which has 0
  ceiling              the largest gain that hindsight could reach
  deficit gain         the same against the deficit: the true error scale wins

Examples
  uccurve score predictions.csv
  uccurve score forecasts.parquet --by unique_id --level 80
  uccurve score forecasts.parquet --vary level
  uccurve score forecasts.parquet --all
  uccurve score predictions.csv --crossed sort
  uccurve score excel.csv --decimal , --encoding cp1252
  uccurve score - --format jsonl --std sd --json < rows.jsonl
  uccurve score 'parts/*.parquet' --engine auto --checkpoint done
  uccurve score monday.ucc tuesday.ucc"""

COMPARE = """\
The answer comes first: which model to use at the target coverage, and elsewhere. The table ranks the models \
by their interval score there. Notes come last. --all adds scores, tests, ranges, segments and findings.

Examples
  uccurve compare forecasts.csv
  uccurve compare forecasts.csv --coverage 0.95 --all
  uccurve compare f.csv --model a=pred_a,lo_a,hi_a --model b=pred_b,std_b
  uccurve compare hourly.csv --blocks 24 --n-resamples 9999
  uccurve compare visits.csv --blocks patient --by clinic --json
  uccurve compare visits.csv --blocks patient --blocks clinic"""

REPORT = """\
The page is one file and makes no network requests.

Examples
  uccurve report forecasts.csv -o report.html --title "Load, week 12" --unit MW
  uccurve report f.csv --std sd --by region --against temperature"""

CALIBRATE = """\
Without --calibration, --fraction and --fit-before, all observed rows are fitted on, and all rows get new \
bounds, also those without an observation yet. Coverage is then measured on the rows that were fitted on, \
which is optimistic. With --time the earlier rows are fitted on, and coverage is that of the later ones; \
rows of one time stay together. With --by each segment is fitted on its own. The promise holds for new rows \
that are exchangeable with those fitted on.

New bounds replace those of the same level. If column names tell another level than --coverage, columns \
with the right name are added: Model-lo-90 beside Model-lo-80. Standard deviations stay, and lower and \
upper are added (for several models NAME_lower, NAME_upper and, where needed to detect them, NAME_pred). \
With --vary level the bounds of another level are added: q05_calibrated and q95_calibrated.

Examples
  uccurve calibrate forecasts.csv -o calibrated.csv
  uccurve calibrate test.csv --calibration validation.csv -o test-90.csv
  uccurve calibrate f.csv -o f.parquet --fraction 0.5 --coverage 0.95
  uccurve calibrate f.csv -o new.csv --by region --suffix _new
  uccurve calibrate hourly.csv -o h.csv --time ds --fit-before 2024-01-20
  uccurve calibrate hourly.csv -o h.csv --time ds --fraction 0.5
  uccurve calibrate forecasts.parquet -o levels.csv --vary level"""

PLOT = """\
Examples
  uccurve plot forecasts.csv -o ucc.svg
  uccurve plot f.csv --std sd -o ucc.png --x excess --y deficit
  uccurve plot f.csv --unit MW --title "Load" --confidence 0.95 --cost 0.1
  uccurve plot f.csv -o figure.pdf --width 3.3 --points 0.9,0.95 --unit MW
  uccurve plot forecasts.csv --vary level
  uccurve plot all.ucc -o all.svg"""

SKETCH = """\
A sketch keeps what the curve needs, whatever the number of rows. Commands such as score and plot read it, \
and sketches of parts add up to the sketch of the whole (uccurve merge). Files are read one by one; columns \
are detected in the first. With --checkpoint an interrupted scan resumes where it stopped.

Examples
  uccurve sketch parts -o all.ucc
  uccurve sketch 'parts/*.parquet' -o regions.ucc --by region --checkpoint done
  uccurve sketch f.csv f.parquet -o both.ucc --engine duckdb --invalid drop"""

MERGE = """\
A model or segment that only some of the files have is taken from those, and a note says so. The output may \
be one of the files.

Examples
  uccurve merge monday.ucc tuesday.ucc -o week.ucc
  uccurve merge '*day.ucc' -o week.ucc"""

DEMO = """\
Examples
  uccurve demo
  uccurve demo -o demo.html --n-resamples 499
  uccurve demo --csv demo.csv         then uccurve compare demo.csv --by segment"""
