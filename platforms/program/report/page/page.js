// The page: sections in the order of the questions that a reader has.

const main = document.getElementById("report");
const drawings = [];  // {place, make}: every chart, to draw again when the width changes
const findings = [];  // {text, id}

const kEmbed = {renderer: "svg", actions: false, defaultStyle: false, config: kConfig, tooltip: {disableDefaultStyle: true}};

async function draw(drawing) {
  const width = Math.max(280, main.clientWidth);
  const made = drawing.make(width);
  drawing.view?.finalize();
  drawing.view = null;
  if (!made) {
    drawing.place.replaceChildren(notice(drawing.otherwise));
    return;
  }
  const spec = {$schema: "https://vega.github.io/schema/vega-lite/v6.json", ...made};
  try {
    drawing.view = (await vegaEmbed(drawing.place, spec, kEmbed)).view;
    drawing.place.setAttribute("role", "img");
    drawing.place.setAttribute("aria-label", `${drawing.name}. ${drawing.place.closest("section")?.querySelector("h2").textContent ?? ""}`);
  } catch (error) {
    drawing.place.replaceChildren(element("p", {class: "notice"}, `This chart cannot be drawn: ${error.message}`));
    document.documentElement.dataset.error = `${drawing.name}: ${error.message}`;
  }
}

/** Makes a place for a chart, filled by draw(). `otherwise`: shown there if make() returns null. */
function chart(name, make, otherwise) {
  const drawing = {name, make, otherwise, place: element("div", {class: "chart"}), view: null};
  drawings.push(drawing);
  return drawing;
}

/** Adds a section. `title`: the finding; `how`: how to read it. */
function section(id, kicker, title, how, ...children) {
  main.append(element("section", {id, class: id === "tables" ? "tables" : null},
    element("p", {class: "kicker"}, kicker), element("h2", {}, title),
    how ? element("p", {class: "how"}, how) : null, ...children));
}
const notice = (text) => element("p", {class: "notice"}, text);

function header() {
  const all = report.points === report.planned && !report.failed;
  const failed = report.failed?.rows ?? 0;
  const missing = report.planned - report.points - failed;
  const counts = report.kind === "run" ? plural(report.points, "run", "runs")
    : all ? `Sweep of ${plural(report.points, "point", "points")}`
      : `Sweep of ${plural(report.planned, "point", "points")}: ${numberText(report.points)} ran` +
        (failed ? `, ${numberText(failed)} failed` : "") + (missing ? `, ${numberText(missing)} missing` : "");
  main.append(element("p", {class: "kicker"}, "Fermata report"), element("h1", {}, report.name));
  if (report.description) main.append(element("p", {class: "lead"}, report.description));
  const same = report.same.map((one) => `${one.title} ${cellText(one.value)}`);
  const joined = report.points === 1 ? ": " : ". The same in all: ";
  main.append(element("p", {}, counts + (same.length ? `${joined}${same.join(", ")}.` : ".")));
}

function axesSection() {
  if (report.kind !== "sweep") return;
  const judged = (metric) => (report.axes[metric] ?? []).filter((axis) => axis.values.length > 1);
  if (judged("cycles").length === 0) {
    section("axes", "Axes", "No axis can be judged", null,
      notice("No two points differ in one axis alone."));
    return;
  }
  const first = judged("cycles")[0];
  const means = [...first.values].sort((a, b) => a.mean - b.mean);
  const [best, worst] = [means[0], means[means.length - 1]];
  const found = first.range < 1.005 ? "No axis changes the cycles by 1 % on average"
    : `The axis ${first.name} matters most: ${worst.value} takes ${times(first.range)} the cycles of ${best.value}`;
  findings.push({text: `${found}.`, id: "axes"});
  const metrics = Object.keys(report.axes);
  let metric = metrics[0];
  const drawing = chart("Best and worst of each axis", (width) => axesChart(judged(metric), metric, width));
  section("axes", "Best and worst of each axis", found,
    "Each point of the sweep is compared with those that differ from it in this axis alone. The mark is the " +
    "geometric mean of that comparison, the line goes from the least to the most; a diamond is the best value, " +
    "a square the worst.",
    chooser("Compare", metrics, (i) => { metric = metrics[i]; draw(drawing); }), drawing.place,
    notice("Kernels are no axis here: they do different work. " +
      (report.axes.energy ? "" : `No energy: ${report.missing.energy}.`)));
}

/** Shows the best and the worst point of each kernel. */
function extremesSection() {
  const cycles = figure("cycles");
  if (report.kind !== "sweep" || report.points < 2) return;
  const rows = report.works.names.map((name) => ({name, best: -1, worst: -1}));
  report.works.codes.forEach((work, row) => {
    const one = rows[work];
    if (one.best < 0 || cycles[row] < cycles[one.best]) one.best = row;
    if (one.worst < 0 || cycles[row] > cycles[one.worst]) one.worst = row;
  });
  const ratio = (one) => (cycles[one.best] ? cycles[one.worst] / cycles[one.best] : 1);
  const most = rows.reduce((a, b) => (ratio(b) > ratio(a) ? b : a));
  // The point that differs from the best in its mapping alone, which is the platform's own.
  const own = (one) => report.references?.[one.best] ?? null;
  const gain = (one) => (own(one) === null || !cycles[one.best] ? null : cycles[own(one)] / cycles[one.best]);
  const gains = rows.filter((one) => gain(one) !== null);
  const named = gains.length ? gains.reduce((a, b) => (gain(b) > gain(a) ? b : a)) : most;
  findings.push({id: "extremes", text: `The best point${rows.length > 1 ? ` of ${named.name}` : ""} is ${settingText(named.best)}: ` +
    `${numberText(cycles[named.best])} cycles` + (gain(named) === null ? "."
      : gain(named) === 1 ? ", under the mapping of the platform."
        : `, ${times(gain(named))} as fast as under the platform's mapping, ${figure("indexer")?.[own(named)] ?? figure("mapping")?.[own(named)] ?? ""}.`)});
  const column = (title, get, extra = {}) => {
    const values = rows.map(get);
    return {title, values, numeric: typeof values[0] === "number", ...extra};
  };
  section("extremes", "Best and worst of each kernel",
    (rows.length > 1 ? `${most.name} has the most to win: its worst point takes ` : "The worst point takes ") +
      `${times(ratio(most))} the cycles of ${rows.length > 1 ? "its" : "the"} best`, null,
    sortableTable([
      column("kernel", (one) => one.name),
      column("best", (one) => cycles[one.best], {unit: "cycles"}),
      column("by", (one) => settingText(one.best), {long: true}),
      ...(gains.length ? [
        column("platform's mapping", (one) => (own(one) === null ? null : cycles[own(one)]), {unit: "cycles", numeric: true}),
        column("gain", (one) => (gain(one) === null ? null : Number(gain(one).toFixed(3))), {unit: "times as fast", numeric: true}),
      ] : []),
      column("worst", (one) => cycles[one.worst], {unit: "cycles"}),
      column("by", (one) => settingText(one.worst), {long: true}),
      column("worst / best", (one) => Number(ratio(one).toFixed(3))),
    ], {filters: false, sort: gains.length ? 7 : 5, descending: true, name: "extremes"}));
}

/** Returns the arrays of a front as points. */
function pointsOf(front) {
  const work = report.works.names.indexOf(front.name);
  const rows = front.relative ? front.rows
    : report.works.codes.flatMap((code, row) => (code === work ? [row] : []));
  const values = (name) => (front.relative ? front[name]
    : rows.map((row) => figure(name === "energy" ? "energy_nj" : name)?.[row] ?? null));
  const [cycles, energy, gates] = [values("cycles"), values("energy"), values("gates")];
  const on = new Set(front.front);
  return rows.map((row, i) => ({
    row, cycles: cycles[i], energy: energy[i], gates: gates[i], front: on.has(i), setting: settingText(row),
  }));
}

function frontSection() {
  const lacks = ["energy", "gates"].filter((name) => report.missing[name]).map((name) =>
    notice(`No ${name}${name === "gates" ? " of some mappings" : ""}: ${report.missing[name]}.`));
  const hasGates = columnOf("gates") !== undefined;
  const hasEnergy = columnOf("energy_nj") !== undefined;
  if (report.kind !== "sweep" || !(hasGates || hasEnergy)) {
    section("front", "Compromises", "No compromises to show", null,
      notice(report.kind !== "sweep" ? "A Pareto front needs alternatives: the points of a sweep." :
        "A Pareto front needs energy or gates beside the cycles."), ...lacks);
    return;
  }
  const titles = (front) => front.relative
    ? {cycles: "cycles, times the best of each kernel (geometric mean)",
      energy: "energy, times the best of each kernel", gates: "gates (NAND2)"}
    : {cycles: "cycles", energy: "energy (nJ)", gates: "gates (NAND2)"};
  let shown = report.fronts[0];
  const drawing = chart("Pareto front", (width) => frontChart(pointsOf(shown), titles(shown), width),
    "Nothing to draw: these points do not differ in cycles, or neither in energy nor in gates.");
  const table = element("div");
  const fill = () => {
    const points = pointsOf(shown).filter((point) => point.front).sort((a, b) => a.cycles - b.cycles);
    const column = (title, values, extra = {}) =>
      ({title, values, numeric: values.some((value) => typeof value === "number"), ...extra});
    table.replaceChildren(sortableTable([
      column("cycles", points.map((point) => point.cycles), {unit: shown.relative ? "times the best" : "cycles"}),
      ...(hasEnergy ? [column("energy", points.map((point) => point.energy), {unit: shown.relative ? "times the best" : "nJ"})] : []),
      ...(hasGates ? [column("gates", points.map((point) => point.gates), {unit: "NAND2"})] : []),
      ...report.columns.filter(isChoice).map((axis) => column(axis.title, points.map((point) => axis.values[point.row]))),
    ]));
  };
  fill();
  const objectives = ["cycles", ...(hasEnergy ? ["energy"] : []), ...(hasGates ? ["gates"] : [])].join(", ").replace(/, (\w+)$/, " and $1");
  const total = pointsOf(shown).length;
  const different = new Set(pointsOf(shown).filter((point) => point.front)
    .map((point) => [point.cycles, point.energy, point.gates].join())).size;
  const found = `${numberText(shown.front.length)} of ${plural(total, "point", "points")} ` +
    `${shown.front.length === 1 ? "is" : "are"} on the Pareto front of ${objectives}` +
    (different < shown.front.length ? `, ${numberText(different)} of them different` : "");
  if (total > 1) findings.push({text: `${found}${shown.relative ? ", over all kernels" : ""}.`, id: "front"});
  section("front", "Compromises (Pareto front)", found,
    "Left and down is better. Diamonds with a rim are the front: of each, no other point is as good in all of " +
    `${objectives} and better in one. ` + (hasEnergy && hasGates ? "Colour is what the mapping costs in gates. " : "") +
    "Neither axis starts at zero.",
    chooser("Kernel", report.fronts.map((front) => front.name), (i) => { shown = report.fronts[i]; fill(); draw(drawing); }),
    drawing.place, table, ...lacks);
}

function conflictsSection() {
  const {kernels, mappings, percent: shares} = report.conflicts;
  let worst = [0, 0];
  kernels.forEach((_, i) => mappings.forEach((_, j) => {
    if ((shares[i][j] ?? -1) > (shares[worst[0]][worst[1]] ?? -1)) worst = [i, j];
  }));
  const share = shares[worst[0]][worst[1]] ?? 0;
  const row = shares[worst[0]];
  const cure = row.reduce((a, value, j) => (value !== null && value < row[a] ? j : a), worst[1]);
  const found = share === 0 ? "No kernel has a bank conflict"
    : (kernels.length === 1 ? `${percent(share)} of the wavefronts of ${kernels[0]} are excessive under `
      : `${kernels[worst[0]]} conflicts most: ${percent(share)} of its wavefronts are excessive under `) +
      mappings[worst[1]] + (cure === worst[1] ? "" : `, ${percent(row[cure])} under ${mappings[cure]}`);
  findings.push({text: `${found}.`, id: "conflicts"});
  const drawing = chart("Conflicts by kernel and mapping", (width) => conflictsChart(report.conflicts, width));
  section("conflicts", "Conflicts by kernel and mapping", found,
    "Percent of the wavefronts (passes over the banks) that a kernel would not need without conflicts, all points of " +
    "the kernel and mapping together.", drawing.place, shades("--hot", "0 %", "100 % excessive"));
}

function banksSection() {
  const details = report.details.filter((detail) => detail.banks.length);
  if (details.length === 0) {
    section("banks", "Banks", "No banks to show", null, ...whyNone("No run was looked at closer (--closer 0)."));
    return;
  }
  const share = (detail) => Math.max(...detail.banks) * detail.banks.length / detail.banks.reduce((a, b) => a + b, 0);
  const used = details.filter((detail) => detail.banks.some((words) => words));
  const worst = used.reduce((a, b) => (a && share(a) >= share(b) ? a : b), null);
  const found = !worst ? "No bank is used"
    : share(worst) < 1.05 ? "Over a whole run the banks are used evenly"
      : `Bank ${worst.banks.indexOf(Math.max(...worst.banks))} of ${worst.label} serves ${times(share(worst))} the words of the mean bank`;
  const drawing = chart("Words by bank", (width) => banksChart(details, width));
  section("banks", "Words by bank", found,
    "Words that each bank has read, written or updated, over the mean bank of the run" +
    (report.kind === "sweep" ? ", of the point with the most conflicts of each kernel. " : ". ") +
    "Even use does not say that there are no conflicts: they arise within one access.",
    drawing.place, shades("--cool", "no word", `${times(mostShare(details))} the mean bank`));
}
const whyNone = (otherwise) => {
  const notes = report.details.filter((detail) => detail.note);
  if (notes.length === 0) return otherwise ? [notice(otherwise)] : [];
  return notes.map((detail) => notice(`${detail.label}: ${detail.note}`));
};

const whyNoSource = () => report.details.filter((detail) => detail.source_note)
  .map((detail) => notice(`${detail.label}: ${detail.source_note}`));

const kMostCards = 6;

function cardsSection() {
  const details = report.details.filter((detail) => detail.accesses.length);
  const lined = report.details.filter((detail) => detail.lines.length);
  const about = () => element("p", {class: "how"}, "All lines with shared accesses, by what their conflicts cost:");
  if (details.length === 0) {
    const none = report.details.length > 0 && report.details.every((detail) => !detail.note);
    section("cards", "Worst accesses", none ? "No access has a conflict" : "No lanes to show", null,
      ...(none ? [] : whyNone("No run was looked at closer (--closer 0).")),
      ...(lined.length ? [about(), linesTable(worstOfAll(lined)), ...whyNoSource()] : []));
    return;
  }
  const together = worstOfAll(lined);
  const choices = lined.length > 1 ? [together, ...lined] : lined;
  let shown = choices[0];
  const worst = together.accesses[0];
  const found = `The worst access is ${worst.place} of ${worst.run}: ${cardTexts(worst).join(", ")}`;
  findings.push({text: `${found}.`, id: "cards"});
  const drawing = chart("Lanes and banks of the worst accesses",
    (width) => (shown.accesses.length ? punchCards(shown.accesses.slice(0, kMostCards), width) : null),
    "No access of this run has a conflict, or its lanes are not known.");
  const lines = element("div");
  const fill = () => lines.replaceChildren(linesTable(shown));
  fill();
  section("cards", "Worst accesses: lane by bank", found,
    "One card a line of the source: its worst access. A mark in column x, row y says that lane x asks bank y; " +
    "squares share their bank with other words, the stronger the more, and each word costs a pass. Lanes that ask one " +
    "word are served together.",
    chooser("Run", choices.map((choice) => choice.label), (i) => { shown = choices[i]; fill(); draw(drawing); }),
    drawing.place, about(), lines,
    ...whyNone(), ...whyNoSource());
}

/** Returns the accesses with the largest excess of passes and the most expensive lines, over all runs. */
function worstOfAll(details) {
  const of = (name) => details.flatMap((detail) => detail[name].map((one) => ({...one, run: detail.label})));
  const tooMany = (access) => Math.max(access.degree, access.passes / access.ideal);
  return {
    label: "the worst of all",
    accesses: of("accesses").sort((a, b) => tooMany(b) - tooMany(a) || b.conflict_cycles - a.conflict_cycles),
    lines: of("lines").sort((a, b) => b.conflict_cycles - a.conflict_cycles),
  };
}

function linesTable(detail) {
  const get = (name) => detail.lines.map((line) => line[name] ?? "");
  const most = Math.max(...get("conflict_cycles"));
  const columns = [
    {title: "run", values: get("run")},
    {title: "line", values: get("place")},
    {title: "conflict cycles", unit: "cycles", values: get("conflict_cycles"), numeric: true, bar: most || 1},
    {title: "source", values: get("source"), long: true, code: true},
    {title: "opcode", values: get("opcode"), code: true},
    {title: "accesses", unit: "by warps", values: get("accesses"), numeric: true},
    {title: "wavefronts", unit: "passes", values: get("wavefronts"), numeric: true},
    {title: "ideal", unit: "passes", values: get("ideal"), numeric: true},
    {title: "worst", unit: "passes", values: get("passes"), numeric: true},
  ];
  return sortableTable(columns.filter((column) => column.values.some((value) => value !== "")), {filters: false});
}

function energySection() {
  if (!report.energy) return;
  const total = report.energy.reduce((sum, row) => sum + row.nj, 0);
  const by = new Map();
  for (const row of report.energy) by.set(row.component, (by.get(row.component) ?? 0) + row.nj);
  const [name, most] = [...by].reduce((a, b) => (b[1] > a[1] ? b : a), ["nothing", 0]);
  const drawing = chart("Energy by component", (width) => energyChart(report.energy, width));
  section("energy", "Energy by component",
    total === 0 ? "No energy was booked" : `${name} takes ${percent((100 * most) / total)} of the energy`,
    "Nominal prices; the bounds are in energy.csv.", drawing.place);
}

function tablesSection() {
  section("tables", "All points", report.kind === "sweep" ? "Every point that ran" : "Every run",
    "A click on a title sorts. Under it: part of a text, or for numbers 5, <5, >=5, 5..9.",
    sortableTable(report.columns, {name: "points"}));
  if (!report.failed) return;
  findings.push({text: `${plural(report.failed.rows, "point", "points")} could not be run.`, id: "failed"});
  section("failed", "Points that failed", `${plural(report.failed.rows, "point", "points")} could not be run`, null,
    sortableTable(report.failed.columns.map((column) => ({...column, long: column.name === "message"})), {name: "failed"}));
}

function findingsList() {
  const list = element("ul", {class: "findings"}, ...findings.map((finding) =>
    element("li", {}, element("a", {href: `#${finding.id}`}, finding.text))));
  main.querySelector("section").before(list);
}

async function showAll() {
  header();
  const ofSweeps = [axesSection, extremesSection, frontSection];
  const ofRuns = [boundsSection, conflictsSection, cardsSection, banksSection, energySection];
  const all = report.kind === "sweep" ? [...ofSweeps, ...ofRuns] : [...ofRuns, ...ofSweeps];
  for (const show of [...all, tablesSection]) show();
  findingsList();
  await Promise.all(drawings.map(draw));
  document.documentElement.dataset.drawn = drawings.filter((drawing) => drawing.view).length;
  document.documentElement.dataset.milliseconds = Math.round(performance.now());
}

let width = main.clientWidth;
let waiting = 0;
window.addEventListener("resize", () => {
  if (main.clientWidth === width) return;
  width = main.clientWidth;
  clearTimeout(waiting);
  waiting = setTimeout(() => drawings.forEach(draw), 200);
});

showAll().catch((error) => {
  document.documentElement.dataset.error = error.message;
  main.prepend(notice(`This page cannot be shown: ${error.message}`));
  throw error;
});
