// Where things lie: one axis of coverage for chart, strip and slider, with more room toward 100%.

import { ticks } from "d3-array";

export const NARROW = 560; // pixels of a chart on a phone
const NARROWEST_LETTER = 3; // pixels
const TICKS = [100, 50, 90, 80, 95, 99, 70, 60, 0, 20, 40, 98, 85, 75, 30, 10, 99.5, 99.9]; // those to keep first
const ROOM = 44; // pixels of a tick
const FOR_NAMES = 160; // pixels at the right that names may always take
const FAMILY = getComputedStyle(document.body).fontFamily;
const canvas = document.createElement("canvas").getContext("2d");

export const NAME_FONT = "600 13px"; // of names at the right of their lines

// The margins that chart and strip share. Names stand at the right of their lines where there is room.
export function layOut(total, curves) {
  const isNarrow = total < NARROW;
  const longest = Math.max(...curves.map(({ name }) => textWidth(name, NAME_FONT)));
  const right = isNarrow
    ? 22
    : Math.ceil(Math.min(Math.max(30, 22 + longest), Math.max(FOR_NAMES, total * 0.2)));
  const left = isNarrow ? 22 : 92;
  return { left, right, isNarrow, width: Math.max(40, total - left - right) };
}

// The width of a text in pixels, in a weight and a size such as "600 13px".
export function textWidth(text, font, family = FAMILY) {
  canvas.font = `${font} ${family}`;
  return canvas.measureText(text).width;
}

// A text without its middle, where there is no room for all of it.
export function cutToFit(text, room, font) {
  if (textWidth(text, font) <= room) return text;
  const letters = [...text];
  const cut = (count) => {
    const back = Math.floor((count - 1) / 2);
    return [...letters.slice(0, count - 1 - back), "…", ...letters.slice(letters.length - back)].join("");
  };
  let count = Math.min(letters.length, Math.ceil(room / NARROWEST_LETTER));
  while (count > 2 && textWidth(cut(count), font) > room) count -= 1;
  return cut(Math.max(2, count));
}

// A scale of coverages between a percentage and 100: even in the root of the miss rate.
export function coverageScale(from, width) {
  const start = Math.sqrt(1 - from / 100);
  const scale = (share) => ((start - Math.sqrt(Math.max(0, 1 - share))) / start) * width;
  scale.invert = (x) => 1 - (start * (1 - Math.min(1, Math.max(0, x / width)))) ** 2;
  scale.ticks = () => {
    const kept = [];
    TICKS.filter((percent) => percent >= from).forEach((percent) => {
      const place = scale(percent / 100);
      if (kept.every((other) => Math.abs(scale(other) - place) >= ROOM)) kept.push(percent / 100);
    });
    return kept.sort((a, b) => a - b);
  };
  return scale;
}

// A linear scale of numbers, upwards; coordinates far beyond the plot are cut, as browsers need it.
export function upScale([low, high], height) {
  const scale = (value) => Math.max(-1e5, Math.min(1e5, height * (1 - (value - low) / (high - low))));
  scale.ticks = () => ticks(low, high, 6);
  return scale;
}

// The ends of an axis with room for all values: a share of their distance on either side.
export function withRoom([low, high], share) {
  const room = (high - low) * share || Math.abs(high) * share || 1;
  return [low - room, high + room];
}
