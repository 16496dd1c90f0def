// Bounds of runs: issue slots by what took or lost them, and each run's place under the roofs of its platform.

const kUses = {
  issue: {title: "issue", colour: "var(--cool)"},
  scratchpad: {title: "scratchpad", colour: "var(--hot)"},
  global: {title: "global memory", colour: "var(--two)"},
  arithmetic: {title: "arithmetic latency", colour: "var(--three)"},
  barriers: {title: "barriers", colour: "var(--four)"},
  units: {title: "arithmetic units", colour: "var(--five)"},
  no_warp: {title: "no warp", colour: "var(--six)"},
};

const slotsOf = (bound) => Object.values(bound.slots).reduce((sum, slots) => sum + slots, 0);
/** Returns the warp instructions per cycle that fill every issue slot. */
const peakOf = (bound) => slotsOf(bound) / bound.cycles;
const ipcOf = (bound) => bound.instructions / bound.cycles;
const conflictShare = (bound) => (100 * (bound.wavefronts - bound.ideal)) / (bound.cycles * bound.sms);

/** Draws the issue slots of each run, by use. */
function slotsChart(bounds, width) {
  const uses = Object.keys(kUses).filter((use) => bounds.some((bound) => bound.slots[use] > 0));
  const values = bounds.flatMap((bound) => uses.map((use, order) => ({
    run: bound.run, use: kUses[use].title, order, slots: bound.slots[use], share: bound.slots[use] / slotsOf(bound),
  })));
  const room = textRoom(bounds.map((bound) => bound.run), width);
  return {
    width: width - room - 40, height: {step: 30}, data: {values},
    mark: {type: "bar", stroke: "var(--paper)", strokeWidth: 1},
    encoding: {
      y: {field: "run", type: "nominal", sort: null, title: null, axis: {ticks: false, domain: false, labelLimit: room}},
      x: {field: "share", type: "quantitative", aggregate: "sum", title: "issue slots", scale: {domain: [0, 1], nice: false},
        axis: {format: ".0%", tickCount: Math.max(2, Math.round(width / 160))}},
      color: {field: "use", type: "nominal", title: null, sort: uses.map((use) => kUses[use].title),
        scale: {domain: uses.map((use) => kUses[use].title), range: uses.map((use) => kUses[use].colour)},
        legend: {orient: "top", columns: Math.max(2, Math.floor(width / 150)), symbolStrokeColor: "transparent"}},
      order: {field: "order"},
      tooltip: [{field: "run"}, {field: "use", title: "slots"}, {field: "slots", title: "issue-slot cycles", format: ","},
        {field: "share", format: ".1%"}],
    },
  };
}

/** Draws IPC over warp instructions per pass of the banks, under two roofs: issue, and a pass per cycle of each SM.
 * Null: no run accesses shared memory. */
function roofChart(bounds, width) {
  const placed = bounds.filter((bound) => bound.ideal > 0);
  if (placed.length === 0) return null;
  const [peak, sms] = [peakOf(placed[0]), placed[0].sms];
  const point = (bound, passes, kind) =>
    ({run: bound.run, kind, perPass: bound.instructions / passes, ipc: ipcOf(bound), passes});
  const points = placed.map((bound) => point(bound, bound.wavefronts, "as it ran"));
  const without = placed.filter((bound) => bound.ideal < bound.wavefronts)
    .map((bound) => ({...point(bound, bound.ideal, "without its conflicts"), from: bound.instructions / bound.wavefronts}));
  const xs = [...points, ...without].map((one) => one.perPass).concat(peak / sms);
  const [left, right] = [Math.min(...xs) / 1.6, Math.max(...xs) * 1.6];
  const ys = points.map((one) => one.ipc);
  const low = Math.min(...ys, left * sms) / 1.3;
  const roof = [left, peak / sms, right].map((x) => ({perPass: x, ipc: Math.min(peak, x * sms)}));
  const x = {field: "perPass", type: "quantitative", title: "warp instructions per pass of the banks",
    scale: {type: "log", domain: [left, right], nice: false}, axis: {format: ".3~r", tickCount: Math.max(3, Math.round(width / 140))}};
  const y = {field: "ipc", type: "quantitative", title: "warp instructions per cycle",
    scale: {type: "log", domain: [low, peak * 1.15], nice: false}, axis: {format: ".3~r", tickCount: 4}};
  const tooltip = [{field: "run"}, {field: "kind", title: "passes"}, {field: "perPass", title: "warp instructions per pass", format: ".3~r"},
    {field: "ipc", title: "IPC", format: ".3~r"}, {field: "passes", format: ","}];
  return {
    width: width - 70, height: Math.min(300, Math.max(220, width * 0.4)),
    layer: [
      {data: {values: roof}, mark: {type: "line", stroke: "var(--faint)", strokeWidth: 2}, encoding: {x, y}},
      {data: {values: without}, mark: {type: "rule", stroke: "var(--faint)", strokeDash: [3, 3]},
        encoding: {x: {...x, field: "from"}, x2: {field: "perPass"}, y}},
      {data: {values: without}, mark: {type: "point", size: 80, stroke: "var(--hot)", fill: "var(--paper)", opacity: 1}, encoding: {x, y, tooltip}},
      {data: {values: points}, mark: {type: "point", filled: true, size: 90, color: "var(--cool)", opacity: 1}, encoding: {x, y, tooltip}},
    ],
  };
}

/** Makes the figures of a run, large. */
function tiles(bound) {
  const tile = (title, value, more) => element("div", {class: "tile"}, element("span", {class: "unit"}, title),
    element("strong", {}, value), element("span", {class: "unit"}, more));
  return element("div", {class: "tiles"},
    tile("cycles", numberText(bound.cycles), `${numberText(bound.least)} at least`),
    tile("IPC", ipcOf(bound).toFixed(2), `of ${numberText(peakOf(bound))}: ${percent((100 * ipcOf(bound)) / peakOf(bound))}`),
    tile("resident warps", bound.resident.toFixed(1), bound.occupancy === 1 ? "occupancy 100 %"
      : `occupancy ${percent(100 * bound.occupancy)}, limited by ${bound.limiter}`),
    tile("conflict cycles", numberText(bound.wavefronts - bound.ideal), `${percent(conflictShare(bound))} of all`),
    tile("without conflicts", bound.most > 1 ? `${(Math.ceil(bound.most * 100) / 100).toFixed(2)}\u00d7` : kNone,
      bound.most > 1 ? "as fast, at most" : "nothing to gain"));
}

function boundsTable(bounds) {
  const column = (title, get, extra = {}) => ({title, values: bounds.map(get), numeric: typeof get(bounds[0]) === "number", ...extra});
  return sortableTable([
    column("run", (bound) => bound.run),
    column("bound by", (bound) => bound.bound),
    column("cycles", (bound) => bound.cycles, {unit: "cycles"}),
    column("IPC", (bound) => Number(ipcOf(bound).toFixed(3))),
    column("resident warps", (bound) => Number(bound.resident.toFixed(1))),
    column("occupancy", (bound) => bound.occupancy),
    column("limited by", (bound) => bound.limiter),
    column("conflict cycles", (bound) => bound.wavefronts - bound.ideal, {unit: "cycles"}),
    column("without conflicts", (bound) => bound.most, {unit: "times as fast, at most"}),
  ], {filters: false, name: "bounds"});
}

function boundsSection() {
  if (report.kind !== "run") return;
  const bounds = report.bounds ?? [];
  if (bounds.length === 0) {
    section("bounds", "What bounds the runs", "Not known", null,
      notice("The folder has no bound.csv. 'fermata run --out' and 'fermata exec --out' write it."));
    return;
  }
  const longest = bounds.reduce((a, b) => (b.cycles > a.cycles ? b : a));
  findings.push({text: `${longest.run}: ${longest.text}.`, id: "bounds"});
  const found = `${longest.run} is bound by ${longest.bound}: ${percent((100 * Math.max(...Object.values(longest.slots))) / slotsOf(longest))} ` +
    "of its issue slots";
  const figures = element("div", {}, tiles(bounds[0]));
  const slots = chart("Issue slots of each run, by what took or lost them", (width) => slotsChart(bounds, width));
  const roofs = chart("Instructions per cycle over instructions per pass, under the roofs of the platform",
    (width) => roofChart(bounds, width), "No run accesses shared memory: the only roof is that of issue.");
  section("bounds", "What bounds the runs", found,
    "Every cycle, each scheduler has issue slots. An instruction takes a slot, or it is lost: to waits for a register, by the " +
    "memory or the unit that makes its value, to the memory port, to barriers, or because there is no warp.",
    chooser("Run", bounds.map((bound) => bound.run), (i) => figures.replaceChildren(tiles(bounds[i]))), figures, slots.place,
    element("p", {class: "how"}, "Roofs: the flat one is issue, the slope is the banks, a pass per cycle. A ring is the run " +
      "with its ideal passes: without conflicts it may rise to the roof above the ring."), roofs.place,
    bounds.length > 1 ? boundsTable(bounds) : null);
}
