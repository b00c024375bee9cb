// What the reader chose. Everything that is drawn follows from it, and the address of the page keeps it.

import { coverageAt, nearestPlace } from "./data.js";

// The first change in a frame shows at once, further ones together in the next frame.
export function createStore(initial) {
  let state = initial;
  let changed = new Set();
  let isWaiting = false;
  const listeners = [];

  function flush() {
    const names = changed;
    changed = new Set();
    listeners.filter((one) => one.names.some((name) => names.has(name))).forEach(({ call }) => call(state));
  }

  return {
    initial,
    get: () => state,
    set(change) {
      const names = Object.keys(change).filter((name) => change[name] !== state[name]);
      if (!names.length) return;
      state = { ...state, ...change };
      names.forEach((name) => changed.add(name));
      if (isWaiting) return;
      isWaiting = true;
      window.requestAnimationFrame(() => {
        isWaiting = false;
        if (changed.size) flush();
      });
      flush();
    },
    // Call a listener now, and whenever one of these names changed.
    on(names, call) {
      listeners.push({ names, call });
      call(state);
    },
  };
}

export function initialState(data) {
  const order = data.criteria[data.rankBy].order[data.chosen];
  const first = order.find((index) => !data.curves[index].constant) ?? 0;
  return {
    place: data.chosen, // of the chosen coverage among the rates
    view: "reference",
    criterion: data.rankBy,
    reference: data.reference,
    from: 1 - data.rates[data.chosen] > 0.5 ? 50 : 0, // where the axis of coverage begins, in percent
    hovered: -1, // the curve that the pointer is on
    model: first, // whose segments are shown
    find: "",
    sort: "evidence",
    off: false, // significant segments only
    rowsModel: first,
    segment: -1, // whose rows are shown
    column: -1, // what rows are drawn along; -1 is their order
    pick: "spread",
  };
}

// How each choice is written into the address; a reader returns undefined for what makes no sense.
function codecs(data) {
  const among = (...allowed) => ({ read: (text) => (allowed.includes(text) ? text : undefined) });
  const index = (size) => ({
    read: (text) => (/^\d+$/.test(text) && Number(text) < size ? Number(text) : undefined),
  });
  const views = ["reference", "own", "curve", "reliability"].filter((name) =>
    document.querySelector(`[data-view="${name}"]`),
  );
  const size = data.curves.length;
  return {
    coverage: {
      name: "place",
      write: (place) => Number((100 * coverageAt(data, place)).toFixed(6)),
      read: (text) => {
        const share = Number(text) / 100;
        return text !== "" && share >= 0 && share <= 1 ? nearestPlace(data, share) : undefined;
      },
    },
    view: { name: "view", ...among(...views) },
    by: { name: "criterion", ...among("interval_score", "bandwidth") },
    against: { name: "reference", ...index(size) },
    from: {
      name: "from",
      read: (text) => (["0", "50", "80"].includes(text) ? Number(text) : undefined),
    },
    model: { name: "rowsModel", ...index(size) },
    segments: { name: "model", ...index(size) },
    sort: { name: "sort", ...among("evidence", "label", "rows", "coverage") },
  };
}

export function readAddress(data, store) {
  const given = new URLSearchParams(window.location.hash.slice(1));
  const change = Object.fromEntries(
    Object.entries(codecs(data)).map(([key, { name, read }]) => [
      name,
      given.has(key) ? (read(given.get(key)) ?? store.initial[name]) : store.initial[name],
    ]),
  );
  if (data.curves[change.model].constant) change.model = store.initial.model;
  store.set(change);
}

// What differs from the first state, as the end of an address.
export function addressOf(data, state, initial) {
  const parts = Object.entries(codecs(data))
    .filter(([, { name }]) => state[name] !== initial[name])
    .map(([key, { name, write = String }]) => [key, write(state[name])]);
  return parts.length ? `#${new URLSearchParams(parts)}` : "";
}
