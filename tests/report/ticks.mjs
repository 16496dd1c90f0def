// Draws the axes of the report's charts with Vega, without a browser: no two ticks have equal texts, and none lies
// below the least value that the axis can have.
//   node ticks.mjs charts.js node_modules
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import vm from "node:vm";

const [charts, library] = process.argv.slice(2);
const require = createRequire(`${library}/`);
const vega = await import(require.resolve("vega"));
const vegaLite = await import(require.resolve("vega-lite"));
vm.runInThisContext(`${readFileSync(charts, "utf8")}
const times = (value) => String(value);
globalThis.draw = {axesChart, frontChart};`);

let failures = 0;

function textsOf(item, role, texts = []) {
  if (item.role === role) texts.push(...item.items.map((one) => one.text));
  for (const inner of item.items ?? []) textsOf(inner, role, texts);
  return texts;
}

/** Returns the tick texts of each axis, as numbers and as drawn. */
async function axesOf(specification) {
  const compiled = vegaLite.compile(specification, {logger: {warn() {}, info() {}, debug() {}, level() { return this; }}}).spec;
  const view = await new vega.View(vega.parse(compiled), {renderer: "none"}).runAsync();
  const axes = [];
  const walk = (item) => {
    if (item.role === "axis") axes.push(textsOf(item, "axis-label"));
    else for (const inner of item.items ?? []) walk(inner);
  };
  walk(view.scenegraph().root);
  return axes.map((texts) => texts.map(String).filter((text) => text !== ""));  // crowded logarithmic ticks are empty
}

async function check(name, specification, least) {
  const numeric = (await axesOf(specification))
    .filter((texts) => texts.length && texts.every((text) => /^[-−]?[\d,.]+(e[+-]?\d+)?$/.test(text)));
  if (!numeric.length) fail(`${name}: no axis has numbers`);
  for (const texts of numeric) {
    if (texts.length < 2) fail(`${name}: ${texts.length} ticks`);
    if (new Set(texts).size !== texts.length) fail(`${name}: ticks repeat: ${texts.join(" | ")}`);
    const low = texts.filter((text) => Number(text.replace("−", "-").replaceAll(",", "")) < least);
    if (low.length) fail(`${name}: ticks below ${least}: ${low.join(" | ")}`);
  }
}

function fail(what) {
  console.error(what);
  failures += 1;
}

const titles = {cycles: "cycles", energy: "energy (nJ)", gates: "gates (NAND2)"};
const spans = [[0, 1], [0.2, 3], [3, 1000], [100000, 100004], [24763, 24764], [1e9, 1.0000001e9], [0.001, 0.0012], [7, 13_000_000]];
for (const width of [320, 640, 1200]) {
  for (const [low, high] of spans) {
    const points = [low, (low + high) / 2, high].map((value, k) =>
      ({row: k, setting: `point ${k}`, cycles: value, energy: value, gates: value, front: k === 1}));
    await check(`front ${low} to ${high}, ${width} px`, draw.frontChart(points, titles, width), 0);
  }
  for (const most of [1.0000001, 1.003, 1.7, 5.9, 6.1, 40, 12345]) {
    const value = (text, mean) => ({value: text, mean, least: mean, most: mean, best: 1, points: 1});
    const axis = {name: "axis", range: most, values: [value("some", 1), value("other", most)]};
    await check(`axis to ${most}, ${width} px`, draw.axesChart([axis], "cycles", width), 1);
  }
}
process.exit(failures ? 1 : 0);
