// Numbers as people read them: shares in percent, other numbers with four digits.

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
  return Number.isFinite(value) ? `${(100 * value).toFixed(digits).replace(/^-(0\.0+)$/, "$1")}%` : "–";
}

// A relative difference in words for less, more and as much; in whole percent where that is all it has.
export function differenceText(difference, [less, more, same]) {
  const shown = Number((100 * difference).toFixed(2));
  if (shown === 0) return same;
  return `${Math.abs(shown)}% ${shown > 0 ? more : less}`;
}

// A miss rate that the page carries, without trailing zeros.
export function rate(value) {
  return `${Number((100 * value).toFixed(3))}%`;
}

// The coverage at a miss rate that the page carries, without trailing zeros.
export function coverage(missRate) {
  return `${Number((100 - 100 * missRate).toFixed(6))}%`;
}

export function count(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

// The power of ten to show numbers in, up to the largest one; mostly 0.
export function powerOf(largest) {
  if (!(largest > 0) || (largest >= 0.01 && largest < 100000)) return 0;
  return 3 * Math.floor(Math.log10(largest) / 3);
}

export function powerName(power) {
  return power ? `10${[...String(power)].map((digit) => RAISED[digit]).join("")} ` : "";
}

function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
