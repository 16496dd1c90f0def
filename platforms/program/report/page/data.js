// The data of the page, and how they are written for a reader.

/** Columns come as values, or as levels and codes. */
function decoded(column) {
  if (!column.values) column.values = column.codes.map((code) => column.levels[code]);
  column.numeric = column.values.every((value) => value === null || typeof value === "number");
  return column;
}

const report = JSON.parse(document.getElementById("data").textContent);
report.columns.forEach(decoded);
if (report.failed) report.failed.columns.forEach(decoded);

const columnOf = (name) => report.columns.find((column) => column.name === name);
/** A figure of all points; null where the sweep has not got it. */
const figure = (name) => columnOf(name)?.values ?? null;

const kNone = "\u2013";
const grouped = new Intl.NumberFormat("en", {maximumFractionDigits: 0});

/** 1234567 as 1,234,567; others with three digits or more. */
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
/** Of these, what a kernel can be run with; the others say which work it does. */
const isChoice = (column) => axisNames.has(column.name) && !column.name.startsWith("param.");

/** "mapping ami 33, scratchpad.latency 12": what tells the point from others of its kernel. */
function settingText(row) {
  return report.columns
    .filter(isChoice)
    .map((column) => `${column.name} ${column.values[row]}`)
    .join(", ");
}

/** An element with text and children; attributes whose names start with "on" are listeners. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** What a shade stands for: from none to all of a colour. */
const shades = (colour, least, most) =>
  element("p", {class: "shades"}, `${least} `, element("span", {style: `--shade: var(${colour})`}), ` ${most}`);

/** A list to choose from; nothing where there is only one thing. */
function chooser(label, names, chosen) {
  if (names.length < 2) return null;
  const select = element("select", {onchange: () => chosen(Number(select.value))});
  names.forEach((name, i) => select.append(element("option", {value: i}, name)));
  return element("div", {class: "choose"}, element("label", {}, `${label} `, select));
}
