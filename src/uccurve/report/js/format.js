// Numbers as people read them. Shares are in per cent, other numbers have four digits.

export function sig(value, digits = 4) {
  if (Number.isNaN(value) || value === null || value === undefined) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const exponent = Number(value.toExponential(digits - 1).split("e")[1]);
  if (exponent < -4 || exponent >= digits + 2) {
    const [mantissa, power] = value.toExponential(digits - 1).split("e");
    return `${trimmed(mantissa)}e${power}`;
  }
  return trimmed(value.toFixed(Math.max(0, digits - 1 - exponent)));
}

export function percent(value, digits = 1) {
  return Number.isFinite(value) ? `${(100 * value).toFixed(digits)} %` : "–";
}

// A miss rate on the page's grid: no more digits than it has.
export function rate(value) {
  return `${Number((100 * value).toFixed(3))} %`;
}

export function count(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
