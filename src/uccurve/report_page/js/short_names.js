// Long names lose their middle, since names often differ at the end; the pointer shows them whole.

import { element } from "./dom.js";

const LONGEST = 32; // letters of a name inside a sentence; as in _short_names.py

export function withoutMiddle(text, letters = LONGEST) {
  if (text.length <= letters) return text;
  const kept = Math.max(0, letters - 1);
  const back = Math.floor(kept / 2);
  return `${text.slice(0, kept - back)}…${back ? text.slice(-back) : ""}`;
}

// A name as a text node; a long one as a shorter text with a title.
export function nameNode(name) {
  const short = withoutMiddle(name);
  return short === name
    ? document.createTextNode(name)
    : element("span", { class: "name", title: name }, short);
}

// A sentence as nodes, with the long ones of some names shortened.
export function sentenceNodes(text, names) {
  const long = names.filter((name) => withoutMiddle(name) !== name).sort((a, b) => b.length - a.length);
  let parts = [text];
  long.forEach((name) => {
    parts = parts.flatMap((part) =>
      typeof part === "string"
        ? part.split(name).flatMap((piece, i) => (i ? [nameNode(name), piece] : [piece]))
        : [part],
    );
  });
  return parts;
}
