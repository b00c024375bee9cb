// The reader's choices in the address of the page, so that a link shows what they saw.

import { models, nearestRateIndex } from "./curve_data.js";
import { byId } from "./dom.js";
import { atRest } from "./lazy.js";

// How each choice is written and read; a reader returns undefined for what makes no sense.
function codec(data) {
  const among = (...allowed) => ({
    write: String,
    read: (text) => (allowed.includes(text) ? text : undefined),
  });
  const flag = {
    write: (value) => (value ? "1" : "0"),
    read: (text) => (/^[01]$/.test(text) ? text === "1" : undefined),
  };
  const index = (count) => ({
    write: String,
    read: (text) =>
      /^-?\d+$/.test(text) && Number(text) >= -1 && Number(text) < count ? Number(text) : undefined,
  });
  const views = [
    "ratio",
    "curve",
    ...(data.curves.some(({ reliability }) => reliability) ? ["reliability"] : []),
  ];
  return {
    c: {
      name: "rateIndex",
      write: (i) => String(Number((100 - 100 * data.rates[i]).toFixed(6))),
      read: readCoverage,
    },
    view: { name: "view", ...among(...views) },
    zoom: { name: "zoom", write: String, read: readZoom },
    stretched: { name: "stretched", ...flag },
    x: { name: "x", ...among("bandwidth", "excess") },
    y: { name: "y", ...among("miss_rate", "deficit") },
    std: {
      name: "standardized",
      write: flag.write,
      read: (text) => (data.standard === null ? undefined : flag.read(text)),
    },
    hide: { name: "hidden", write: String, read: readHidden },
    segment: { name: "segment", ...index(data.segments.length) },
    constant: { name: "constant", ...flag },
    limit: { name: "limit", ...flag },
    band: { name: "band", ...flag },
    cost: { name: "cost", ...flag },
    model: { name: "rowsCurve", ...index(data.curves.length) },
    sort: { name: "sort", ...among("order", "gap", "coverage", "rows", "gain") },
  };

  function readCoverage(text) {
    const value = Number(text);
    return text !== "" && value >= 0 && value <= 100 ? nearestRateIndex(data, 1 - value / 100) : undefined;
  }

  function readHidden(text) {
    const known = models(data).map((curve) => String(curve.index));
    const given = [...new Set(text.split("."))];
    return given.every((one) => known.includes(one)) && given.length < known.length
      ? given.join(".")
      : undefined;
  }
}

function readZoom(text) {
  const [low, high] = text.split("-").map(Number);
  return /^[\d.]+-[\d.]+$/.test(text) && low >= 0 && low < high && high <= 100 ? text : undefined;
}

// The choices of an address, those that make no sense left out.
export function readHash(data, text) {
  const codecs = codec(data);
  const pairs = [...new URLSearchParams(text.replace(/^#/, ""))].filter(([key]) =>
    Object.hasOwn(codecs, key),
  );
  const read = pairs.map(([key, value]) => [codecs[key].name, codecs[key].read(value)]);
  return Object.fromEntries(
    read.filter(([name, value]) => value !== undefined && !(name === "rowsCurve" && value < 0)),
  );
}

// What differs from the first state, as the part of an address behind #.
function written(data, state, first) {
  const changed = Object.entries(codec(data)).filter(([, { name }]) => state[name] !== first[name]);
  const parameters = new URLSearchParams(changed.map(([key, { name, write }]) => [key, write(state[name])]));
  return String(parameters);
}

export function wireHash(data, store, first) {
  const save = () => {
    const text = written(data, store.get(), first);
    if (text === window.location.hash.replace(/^#/, "")) return;
    try {
      window.history.replaceState(
        null,
        "",
        text ? `#${text}` : `${window.location.pathname}${window.location.search}`,
      );
    } catch {
      // inside some frames an address may not change
    }
  };
  // browsers limit how often an address may change
  const names = Object.values(codec(data)).map(({ name }) => name);
  store.on(names, atRest(save));
  window.addEventListener("hashchange", () =>
    store.set({ ...first, ...readHash(data, window.location.hash) }),
  );
  byId("reset").addEventListener("click", () => store.set(first));
  wireCopy(() => {
    save();
    return window.location.href;
  });
}

function wireCopy(link) {
  const button = byId("copy-link");
  const label = button.textContent;
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  };
  button.addEventListener("click", () => {
    const copied = window.navigator.clipboard?.writeText(link()) ?? Promise.reject(new Error("no clipboard"));
    copied.then(
      () => say("Copied"),
      () => say("Copy it from the address bar"),
    );
  });
}
