/* How pages are ordered in a search: guides and the glossary first, studies and source code last. The numbers below are those of Sphinx. */
var Scorer = {
  score: ([docname, , , , score]) => {
    if (/^(start$|which-number$|glossary$|howto\/|about\/cite$)/.test(docname)) return score + 6;
    if (/^(cli|report|scale|figures)$/.test(docname)) return score + 3;
    if (/^(cases\/|simulations|benchmarks|scale-benchmarks|gpu-benchmarks|about\/changes|_modules\/)/.test(docname)) return score - 5;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
