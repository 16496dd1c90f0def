// The data of the page, and their format for a reader.

/** Adds `values` to a column that has levels and codes instead. */
function decoded(column) {
  if (!column.values) column.values = column.codes.map((code) => column.levels[code]);
  column.numeric = column.values.every((value) => value === null || typeof value === "number");
  return column;
}

const report = JSON.parse(document.getElementById("data").textContent);
report.columns.forEach(decoded);
if (report.failed) report.failed.columns.forEach(decoded);

const columnOf = (name) => report.columns.find((column) => column.name === name);
/** Returns a figure of all points; null if the sweep lacks it. */
const figure = (name) => columnOf(name)?.values ?? null;

const kNone = "\u2013";
const grouped = new Intl.NumberFormat("en", {maximumFractionDigits: 0});

/** Formats 1234567 as 1,234,567; numbers that are not whole with three digits or more. */
function numberText(value) {
  if (value === null || value === undefined) return kNone;
  if (Number.isInteger(value)) return grouped.format(value);
  if (Math.abs(value) >= 1000) return grouped.format(value);
  return String(Number(value.toPrecision(4)));
}
const cellText = (value) =>
  value === null ? kNone : typeof value === "number" ? numberText(value) : String(value);
const times = (ratio) => `${ratio < 10 ? ratio.toFixed(2) : numberText(Math.round(ratio))}\u00d7`;
const percent = (share) => `${share >= 10 || share === 0 ? Math.round(share) : share.toFixed(1)} %`;
const plural = (count, one, many) => `${numberText(count)} ${count === 1 ? one : many}`;

/** Axes of the sweep that take more than one value, as columns. */
const axisNames = new Set(report.axes.cycles.map((axis) => axis.name));
/** Returns whether the axis is a choice for a given kernel. Axes `param.` change the work itself. */
const isChoice = (column) => axisNames.has(column.name) && !column.name.startsWith("param.");

/** Returns what tells a point from others of its kernel: "mapping ami 33, scratchpad.latency 12". */
function settingText(row) {
  return report.columns
    .filter(isChoice)
    .map((column) => `${column.name} ${column.values[row]}`)
    .join(", ");
}

/** Makes an element with text and children. Attributes with names that start with "on" are listeners. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Makes a legend of shades, from none to all of a colour. */
const shades = (colour, least, most) =>
  element("p", {class: "shades"}, `${least} `, element("span", {style: `--shade: var(${colour})`}), ` ${most}`);

/** Makes a list to choose from; null if there is only one choice. */
function chooser(label, names, chosen) {
  if (names.length < 2) return null;
  const select = element("select", {onchange: () => chosen(Number(select.value))});
  names.forEach((name, i) => select.append(element("option", {value: i}, name)));
  return element("div", {class: "choose"}, element("label", {}, `${label} `, select));
}
