// Numbers as people read them: shares in percent, other numbers with four digits.

export function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const power = Number(value.toExponential(digits - 1).split("e")[1]);
  const text =
    power < -4 || power >= digits + 2
      ? value.toExponential(digits - 1).replace(/\.?0*e/, "e")
      : value.toFixed(Math.max(0, digits - 1 - power)).replace(/(\.\d*?)0+$/, "$1");
  return text.replace(/\.$/, "").replaceAll("-", "−");
}

// Numbers of one axis, each with as many decimals as any of them needs.
export function alike(values) {
  const decimals = Math.max(...values.map((value) => (number(value).split(".")[1] ?? "").length));
  return (value) => (/[e∞]/.test(number(value)) ? number(value) : value.toFixed(decimals).replace("-", "−"));
}

export const count = (value) => Math.round(value).toLocaleString("en-US");

export function percent(share, digits = 1) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(digits).replace(/^-(0(\.0+)?)$/, "$1")}%` : "–";
}

// A coverage that the page carries, without trailing zeros.
export const coverage = (share) => `${Number((100 * share).toFixed(6))}%`;

// A relative difference in words for less, more and as much.
export function difference(value, [less, more, same]) {
  const shown = Number((100 * value).toFixed(1));
  if (shown === 0) return same;
  return `${Math.abs(shown)}% ${shown > 0 ? more : less}`;
}
