// Small helpers for elements. Text from the data only ever becomes text nodes.

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => {
    if (value !== null && value !== false) node.setAttribute(key, value === true ? "" : value);
  });
  node.append(...children);
  return node;
}

export function fillSelect(select, options, chosen) {
  select.replaceChildren(
    ...options.map(([value, label]) =>
      element("option", { value, selected: String(value) === String(chosen) }, label),
    ),
  );
}

// Set attributes of all nodes of a selection of d3. Browsers redraw what is set, even to the value that it has.
export function setAttributes(selection, attributes) {
  Object.entries(attributes).forEach(([name, value]) =>
    selection.each(function set(...datum) {
      const wanted = typeof value === "function" ? value.apply(this, datum) : value;
      setAttribute(this, name, wanted);
    }),
  );
  return selection;
}

// Set an attribute that changed, or remove it where its value is null.
export function setAttribute(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// Set a text that changed; its node stays.
export function setText(node, text) {
  const { firstChild } = node;
  if (firstChild?.nodeName !== "#text" || firstChild.nextSibling) node.replaceChildren(text);
  else if (firstChild.data !== text) firstChild.data = text;
}

// Call back with the width of a node, now and whenever it changes.
export function onWidth(node, callback) {
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width > 0) callback(width);
  });
  observer.observe(node);
}

// `change` turns the value of a select into a change of the state; the select follows the state's `name`.
export function wireSelect(store, id, change, name = null) {
  const select = byId(id);
  select.addEventListener("change", () => store.set(change(select.value)));
  if (name === null) return;
  store.on([name], (state) => {
    select.value = String(state[name]);
  });
}

export function showSlider(slider, value, text, spokenText = text) {
  Object.assign(slider, { value });
  setAttribute(slider, "aria-valuetext", spokenText);
  setText(byId(`${slider.id}-value`), text);
}
