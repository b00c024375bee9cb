// A saved chart can stand on its own: title and caption above it, keys below it, and no style sheet.

import { FONT, KEY_WIDTH, setLook } from "./export_keys.js";
import { CARD, INK, SOFT } from "./palette.js";

const SVG = "http://www.w3.org/2000/svg";
const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "dominant-baseline",
  "visibility",
];
const FOR_HANDS = ".grip, .background, .zoom-box, .hover-line"; // what paper does not need
const FOR_THE_PAGE = /^(class|tabindex|role|aria-.*)$/; // attributes that a picture does not need
const SIDE = 16;
const LINE_HEIGHT = 18;
const GAP = 8;
const TITLE = { size: 15, weight: "bold" };
const TEXT = { size: 12, weight: "normal" };

export function standaloneFigure(svg, title, { caption, keys }) {
  const copy = styledCopy(svg);
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("role", "img");
  copy.setAttribute("aria-label", `${title}. ${caption}`);
  const { width, height } = svg.viewBox.baseVal;
  const root = d3.select(copy);
  const top = addHeading(root, title, caption, width);
  const bottom = addKeys(root, keys, width, top + height + GAP);
  root.attr("viewBox", `0 0 ${width} ${bottom}`).attr("width", width).attr("height", bottom);
  return addBackground(copy);
}

// A copy of a chart with the styles of the page written into it.
function styledCopy(svg) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    STYLES.forEach((name) => node.setAttribute(name, style.getPropertyValue(name)));
  });
  copy.querySelectorAll(FOR_HANDS).forEach((node) => node.remove());
  [copy, ...copy.querySelectorAll("*")].forEach((node) => {
    const names = [...node.attributes].map(({ name }) => name);
    names.filter((name) => FOR_THE_PAGE.test(name)).forEach((name) => node.removeAttribute(name));
  });
  return copy;
}

function addBackground(copy) {
  const background = document.createElementNS(SVG, "rect");
  setLook(d3.select(background), { width: "100%", height: "100%", fill: CARD });
  copy.prepend(background);
  return copy;
}

// Move the chart down and write title and caption above it. Returns how far it moved.
function addHeading(root, title, caption, width) {
  const room = width - 2 * SIDE;
  const titleLines = wrapped(title, TITLE, room);
  const captionLines = wrapped(caption, TEXT, room);
  const top = SIDE + LINE_HEIGHT * (titleLines.length + captionLines.length);
  root
    .selectChildren(":not(clipPath)")
    .attr("transform", (_, i, nodes) => `translate(0,${top}) ${nodes[i].getAttribute("transform") ?? ""}`);
  writeLines(root, titleLines, TITLE, [SIDE, SIDE + 4], INK);
  writeLines(root, captionLines, TEXT, [SIDE, SIDE + 4 + LINE_HEIGHT * titleLines.length], SOFT);
  return top;
}

// Write the keys below the chart, as many on a line as fit. Returns where they end.
function addKeys(root, keys, width, top) {
  let [x, y] = [SIDE, top];
  keys.forEach(({ text, draw }) => {
    const lines = wrapped(text, TEXT, width - 2 * SIDE - KEY_WIDTH - GAP);
    const keyWidth = KEY_WIDTH + GAP + Math.max(...lines.map((line) => widthOf(line, TEXT)));
    if (x > SIDE && x + keyWidth > width - SIDE) [x, y] = [SIDE, y + LINE_HEIGHT];
    draw(root.append("g").attr("transform", `translate(${x},${y})`));
    writeLines(root, lines, TEXT, [x + KEY_WIDTH + GAP, y + 4], INK);
    x += keyWidth + 2 * GAP;
    y += LINE_HEIGHT * (lines.length - 1);
  });
  return Math.ceil(y + LINE_HEIGHT);
}

const canvas = document.createElement("canvas").getContext("2d");

function widthOf(text, { size, weight }) {
  canvas.font = `${weight} ${size}px ${FONT}`;
  return canvas.measureText(text).width;
}

// A text in lines of some width; a word that is longer than a line is broken.
function wrapped(text, font, room) {
  const lines = [""];
  text.split(" ").forEach((word) => {
    const longer = lines.at(-1) === "" ? word : `${lines.at(-1)} ${word}`;
    if (widthOf(longer, font) <= room) lines[lines.length - 1] = longer;
    else if (lines.at(-1) === "") lines[0] = word;
    else lines.push(word);
    while (widthOf(lines.at(-1), font) > room && lines.at(-1).length > 1) {
      const whole = lines.pop();
      let end = whole.length - 1;
      while (end > 1 && widthOf(whole.slice(0, end), font) > room) end -= 1;
      lines.push(whole.slice(0, end), whole.slice(end));
    }
  });
  return lines;
}

function writeLines(root, lines, { size, weight }, [x, y], fill) {
  lines.forEach((text, i) => {
    setLook(root.append("text").text(text), {
      x,
      y: y + LINE_HEIGHT * i,
      "font-size": size,
      "font-family": FONT,
      "font-weight": weight,
      fill,
    });
  });
}
