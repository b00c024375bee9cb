// What the reader chose. Everything that is drawn follows from it.

export function createStore(initial) {
  let state = initial;
  const listeners = [];
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change };
      listeners.forEach((listener) => listener(state));
    },
    on(listener) {
      listeners.push(listener);
      listener(state);
    },
  };
}
