// On a phone the rows of some tables are stacked: each cell then stands beside the heading of its column.

// The headings of a table's columns, without units and numbers that change.
export function columnLabels(table) {
  return [...table.tHead.rows[0].cells].map(
    ({ dataset, firstChild }) => dataset.short ?? firstChild?.textContent.trim() ?? "",
  );
}
