// Charts as Vega-Lite: each function returns a specification for a width in pixels.

const kConfig = {
  background: "transparent",
  font: 'system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif',
  axis: {
    labelColor: "var(--muted)", titleColor: "var(--ink)", gridColor: "var(--line)",
    domainColor: "var(--faint)", tickColor: "var(--faint)", labelFontSize: 11.5, titleFontSize: 12,
    titleFontWeight: 500, titlePadding: 8, labelLimit: 260,
  },
  legend: {
    labelColor: "var(--muted)", titleColor: "var(--ink)", labelFontSize: 11.5, titleFontSize: 12,
    titleFontWeight: 500, symbolFillColor: "var(--hot)", symbolStrokeColor: "var(--hot)", gradientLength: 160, gradientOpacity: 1, symbolOpacity: 1,
  },
  title: {
    color: "var(--ink)", subtitleColor: "var(--muted)", anchor: "start", fontSize: 12.5,
    fontWeight: 600, subtitleFontSize: 11.5, offset: 8, frame: "group",
  },
  view: {stroke: null},
  text: {fill: "var(--ink)"},
};

const kMostValues = 24;  // most values of an axis in a chart

/** Returns the width in pixels for the texts left of a chart. */
const textRoom = (texts, width) =>
  Math.min(Math.round(width * 0.42), 24 + 6.6 * Math.max(...texts.map((text) => text.length)));

/** Returns numbers in their order, texts with the best first. Of many values only the best and the worst ones. */
function drawnValues(axis) {
  const numeric = axis.values.every((one) => isNumber(one.value));
  const byMean = [...axis.values].sort((a, b) => a.mean - b.mean);
  const drawn = byMean.length <= kMostValues
    ? byMean : byMean.slice(0, kMostValues / 2).concat(byMean.slice(-kMostValues / 2));
  const best = byMean[0].mean;
  const worst = byMean[byMean.length - 1].mean;
  const rows = drawn.map((one) => ({
    ...one,
    standing: one.mean === best ? "best" : one.mean === worst ? "worst" : "between",
  }));
  if (numeric) rows.sort((a, b) => Number(a.value) - Number(b.value));
  return rows;
}

/** Returns about `count` ticks of a linear axis: multiples of 1, 2 or 5 times a power of ten within its values. Their
 * format has enough decimals to tell neighbours apart. */
function ticksOf([low, high], count) {
  const apart = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(apart));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= apart * (1 - 1e-9));
  const values = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) values.push(k * step);
  return {values, format: `,.${Math.max(0, -Math.floor(Math.log10(step) + 1e-9))}f`};
}

/** Draws the cost of each value of each axis. */
function axesChart(axes, what, width) {
  const listed = axes.filter((axis) => !isLine(axis));
  const room = textRoom(listed.flatMap((axis) => axis.values.map((one) => one.value)).concat(""), width);
  const most = Math.max(1, ...listed.flatMap((axis) => axis.values.map((one) => one.most)));
  const domain = [1, Math.max(1.01, most)];
  const scale = {domain, padding: 6, nice: false, type: most > 6 ? "log" : "linear"};
  const tickCount = Math.max(3, Math.round((width - room) / 90));
  const ticks = most > 6 ? {format: ".6~r", tickCount} : ticksOf(domain, tickCount);
  const panel = (axis, last) => ({
    title: {text: axis.name, subtitle: axis.range < 1.005 ? "no difference" : `worst value ${times(axis.range)} the best`},
    width: width - room - 30,
    height: {step: 17},
    data: {values: drawnValues(axis)},
    encoding: {
      y: {field: "value", type: "nominal", sort: null, title: null,
        axis: {minExtent: room, maxExtent: room, labelLimit: room - 12, labelPadding: 10, grid: false, ticks: false, domain: false}},
      tooltip: [
        {field: "value", title: axis.name},
        {field: "mean", title: "mean, times the best", format: ".4~r"},
        {field: "least", title: "least", format: ".4~r"},
        {field: "most", title: "most", format: ".4~r"},
        {field: "best", title: "points it is best in"},
        {field: "points", title: "points"},
      ],
    },
    layer: [
      {mark: {type: "rule", strokeWidth: 2, stroke: "var(--faint)"},
        encoding: {x: {field: "least", type: "quantitative", scale,
          title: last ? `${what}, times the best` : null,
          axis: {...ticks, orient: "bottom"}}, x2: {field: "most"}}},
      {mark: {type: "point", filled: true, size: 75, opacity: 1},
        encoding: {x: {field: "mean", type: "quantitative", scale},
          shape: {field: "standing", type: "nominal", legend: null,
            scale: {domain: ["best", "between", "worst"], range: ["diamond", "circle", "square"]}},
          color: {field: "standing", type: "nominal", legend: null,
            scale: {domain: ["best", "between", "worst"], range: ["var(--cool)", "var(--six)", "var(--hot)"]}}}},
    ],
  });
  return {
    vconcat: axes.map((axis, i) => (isLine(axis) ? linePanel(axis, what, width, Math.max(56, room)) : panel(axis, i === axes.length - 1 || isLine(axes[i + 1])))),
    spacing: 18,
  };
}

const isNumber = (text) => text.trim() !== "" && !Number.isNaN(Number(text));
/** Returns whether a line shows the axis better than a row per value. */
const isLine = (axis) => axis.values.length > 2 && axis.values.every((one) => isNumber(one.value));

/** Draws an axis of numbers as a line of means in the band from the least to the most. */
function linePanel(axis, what, width, room) {
  const rows = drawnValues(axis).map((one) => ({...one, number: Number(one.value)}));
  const most = Math.max(1.01, ...rows.map((one) => one.most));
  const [low, high] = [rows[0].number, rows[rows.length - 1].number];
  const wide = low > 0 && high / low > 20;
  const x = {field: "number", type: "quantitative", title: axis.name,
    scale: {type: wide ? "log" : "linear", domain: [low, high], nice: false, padding: 8},
    axis: {format: ".6~r", ...(rows.length <= 12 ? {values: rows.map((one) => one.number)} : {tickCount: Math.round(width / 90)}), labelOverlap: true}};
  const y = {type: "quantitative", title: null,
    scale: {domain: [1, most], nice: false, type: most > 6 ? "log" : "linear"},
    axis: {...(most > 6 ? {format: ".6~r", tickCount: 4} : ticksOf([1, most], 4)), minExtent: room, maxExtent: room}};
  return {
    title: {text: axis.name, subtitle: [`${what}, times the best`,
      axis.range < 1.005 ? "no difference" : `worst value ${times(axis.range)} the best`]},
    width: width - room - 30, height: 150, data: {values: rows},
    layer: [
      {mark: {type: "area", fill: "var(--cool)", fillOpacity: 0.14}, encoding: {x, y: {...y, field: "least"}, y2: {field: "most"}}},
      {mark: {type: "line", stroke: "var(--cool)", strokeWidth: 2}, encoding: {x, y: {...y, field: "mean"}}},
      {mark: {type: "point", filled: true, size: 60, opacity: 1}, encoding: {x, y: {...y, field: "mean"},
        shape: {field: "standing", type: "nominal", legend: null,
          scale: {domain: ["best", "between", "worst"], range: ["diamond", "circle", "square"]}},
        color: {field: "standing", type: "nominal", legend: null,
          scale: {domain: ["best", "between", "worst"], range: ["var(--cool)", "var(--six)", "var(--hot)"]}},
        tooltip: [{field: "value", title: axis.name}, {field: "mean", title: "mean, times the best", format: ".4~r"},
          {field: "least", format: ".4~r"}, {field: "most", format: ".4~r"}, {field: "points"}]}},
    ],
  };
}

/** Returns the least and greatest value of the points; null: they have at most one distinct value. */
function spanOf(points, name) {
  const values = points.map((point) => point[name]).filter((value) => value !== null);
  const span = [Math.min(...values), Math.max(...values)];
  return values.length && span[0] < span[1] ? span : null;
}

/** Draws the points of a front: {row, cycles, energy, gates, front}. Null: there is no objective besides cycles. */
function frontChart(points, titles, width) {
  const energy = spanOf(points, "energy");
  const gates = spanOf(points, "gates");
  const cycles = spanOf(points, "cycles");
  if (!cycles || !(energy || gates)) return null;
  const y = energy ? "energy" : "gates";
  const colour = energy && gates
    ? {field: "gates", type: "quantitative", title: "gates (NAND2)",
      scale: {domain: gates, range: ["#3b7dd8", "#9a6fb0", "#e8751a"], interpolate: "lab"}, legend: {orient: "top"}}
    : {value: "var(--cool)"};
  const scale = (domain) => ({domain, zero: false, nice: false, padding: 8});
  const encoding = {
    x: {field: "cycles", type: "quantitative", title: titles.cycles, scale: scale(cycles),
      axis: ticksOf(cycles, Math.max(3, Math.round(width / 110)))},
    y: {field: y, type: "quantitative", title: titles[y], scale: scale(energy ?? gates), axis: ticksOf(energy ?? gates, 6)},
    color: colour,
    tooltip: [
      {field: "setting", title: "point"},
      {field: "cycles", title: titles.cycles, format: ",.5~r"},
      ...(energy ? [{field: "energy", title: titles.energy, format: ",.5~r"}] : []),
      ...(gates ? [{field: "gates", title: "gates (NAND2)", format: ",.4~r"}] : []),
    ],
  };
  return {
    width: width - 70, height: Math.min(380, Math.max(260, width * 0.5)),
    data: {values: points},
    layer: [
      {transform: [{filter: "!datum.front"}], mark: {type: "circle", ...(points.length > 200 ? {size: 16, opacity: 0.4} : {size: 45, opacity: 0.75})}, encoding},
      {transform: [{filter: "datum.front"}],
        mark: {type: "point", filled: true, size: 100, opacity: 1, stroke: "var(--ink)", strokeWidth: 1.6, shape: "diamond"},
        encoding},
    ],
  };
}

/** Draws the share of excessive wavefronts, by kernel and mapping. */
function conflictsChart(conflicts, width) {
  const values = conflicts.kernels.flatMap((kernel, i) =>
    conflicts.mappings.map((mapping, j) => ({
      kernel, mapping, percent: conflicts.percent[i][j], cycles: conflicts.cycles[i][j],
    }))).filter((cell) => cell.percent !== null);
  const room = textRoom(conflicts.kernels, width);
  const step = Math.max(10, Math.min(96, (width - room - 110) / conflicts.mappings.length));
  const labelled = step >= 34;
  return {
    width: {step}, height: {step: 26}, data: {values},
    encoding: {
      x: {field: "mapping", type: "nominal", sort: null, title: null,
        axis: {orient: "top", labelAngle: -40, labelLimit: 170, ticks: false, domain: false}},
      y: {field: "kernel", type: "nominal", sort: null, title: null,
        axis: {ticks: false, domain: false, labelLimit: room}},
      tooltip: [
        {field: "kernel"}, {field: "mapping"},
        {field: "percent", title: "of the wavefronts excessive, %", format: ".1f"},
        {field: "cycles", title: "conflict cycles, mean of the points", format: ",.4~r"},
      ],
    },
    layer: [
      {mark: {type: "rect", fill: "var(--hot)", stroke: "var(--line)", strokeWidth: 1},
        encoding: {fillOpacity: {field: "percent", type: "quantitative", title: "excessive, %",
          scale: {domain: [0, 100], range: [0, 1]}, legend: null}}},
      ...(labelled ? [{mark: {type: "text", fontSize: 11.5, baseline: "middle"},
        encoding: {text: {field: "percent", type: "quantitative", format: ".0f"},
          fill: {condition: {test: "datum.percent > 68", value: "var(--on-hot)"}, value: "var(--ink)"}}}] : []),
    ],
  };
}

/** Returns the fullest bank's words over the mean bank's; at least 2, so that even use does not look uneven. */
const mostShare = (details) => Math.max(2, ...details.map((detail) =>
  Math.max(...detail.banks) / (detail.banks.reduce((sum, words) => sum + words, 0) / detail.banks.length || 1)));

/** Draws the words that each bank served, over the mean of the run's banks. */
function banksChart(details, width) {
  const values = details.flatMap((detail) => {
    const mean = detail.banks.reduce((sum, words) => sum + words, 0) / detail.banks.length;
    return detail.banks.map((words, bank) =>
      ({run: detail.label, bank, words, share: mean === 0 ? 0 : words / mean}));
  });
  const room = textRoom(details.map((detail) => detail.label), width);
  const banks = Math.max(...details.map((detail) => detail.banks.length));
  return {
    width: width - room - 30, height: {step: 26}, data: {values},
    mark: {type: "rect", fill: "var(--cool)", stroke: "var(--line)", strokeWidth: 0.5},
    encoding: {
      x: {field: "bank", type: "ordinal", title: "bank",
        axis: {labelAngle: 0, labelOverlap: true, ticks: false, domain: false,
          values: Array.from({length: banks}, (_, bank) => bank).filter((bank) => bank % (banks > 64 ? 16 : 4) === 0)}},
      y: {field: "run", type: "nominal", sort: null, title: null,
        axis: {ticks: false, domain: false, labelLimit: room}},
      fillOpacity: {field: "share", type: "quantitative", title: "words, times the mean bank",
        scale: {domain: [0, mostShare(details)], range: [0, 1]}, legend: null},
      tooltip: [
        {field: "run"}, {field: "bank"}, {field: "words", format: ","},
        {field: "share", title: "times the mean", format: ".3~r"},
      ],
    },
  };
}

/** Draws one card per access: which lane asks which bank. */
function punchCards(accesses, width) {
  const size = width < 480 ? Math.min(width - 70, 300) : 230;
  const columns = Math.max(1, Math.floor((width + 30) / (size + 75)));
  const card = (access) => ({
    title: {text: `${access.place}  ${access.opcode}`,
      subtitle: [access.run, access.source, ...cardTexts(access)].filter((line) => line), limit: size + 30},
    width: size, height: size,
    data: {values: access.lane.map((lane, i) => ({
      lane, bank: access.bank[i], word: access.word[i], pile: access.pile[i],
      kind: access.pile[i] > 1 ? "conflict" : "alone",
      strength: access.pile[i] > 1 ? 0.4 + (0.6 * access.pile[i]) / Math.max(...access.pile) : 1,
    }))},
    mark: {type: "point", filled: true, size: Math.max(16, (size / 34) ** 2)},
    encoding: {
      opacity: {field: "strength", type: "quantitative", scale: null, legend: null},
      x: {field: "lane", type: "quantitative", scale: {domain: [-1, 32], nice: false},
        axis: {values: [0, 8, 16, 24, 31], title: "lane"}},
      y: {field: "bank", type: "quantitative", scale: {domain: [-1, access.banks], nice: false, reverse: true},
        axis: {values: [0, 0.25, 0.5, 0.75].map((part) => Math.round(part * access.banks)).concat(access.banks - 1), title: "bank"}},
      shape: {field: "kind", type: "nominal", legend: null,
        scale: {domain: ["alone", "conflict"], range: ["circle", "square"]}},
      color: {field: "kind", type: "nominal", legend: null,
        scale: {domain: ["alone", "conflict"], range: ["var(--cool)", "var(--hot)"]}},
      tooltip: [{field: "lane"}, {field: "bank"}, {field: "word", title: "word address", format: "d"},
        {field: "pile", title: "words that the bank must deliver"}],
    },
  });
  return {concat: accesses.map(card), columns, spacing: {row: 30, column: 34},
    resolve: {scale: {color: "independent", shape: "independent"}}};
}

/** Returns "32 passes where 1 would do", "bank 0 must deliver 32 words". Without excess passes, lanes that lose are
 * replayed. */
function cardTexts(access) {
  const most = Math.max(...access.pile);
  const banks = new Set(access.bank.filter((_, i) => access.pile[i] === most)).size;
  const who = banks === 1 ? `bank ${access.bank[access.pile.indexOf(most)]} must` : `${banks} banks must each`;
  return [access.passes > access.ideal ? `${plural(access.passes, "pass", "passes")} where ${access.ideal} would do`
    : "lanes that lose are replayed", `${who} deliver ${most} words`];
}

/** Draws the energy of runs by component. */
function energyChart(rows, width) {
  const totals = new Map();
  for (const row of rows) totals.set(row.component, (totals.get(row.component) ?? 0) + row.nj);
  const largest = [...totals].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const shown = new Set(largest.slice(0, largest.length > 6 ? 5 : 6));
  const order = [...shown, "all others"];
  const values = rows.map((row) => {
    const component = shown.has(row.component) ? row.component : "all others";
    return {...row, of: row.component, component, order: order.indexOf(component)};
  });
  const room = textRoom(rows.map((row) => row.run), width);
  return {
    width: width - room - 30, height: {step: 30}, data: {values},
    mark: {type: "bar", stroke: "var(--paper)", strokeWidth: 1},
    encoding: {
      y: {field: "run", type: "nominal", sort: null, title: null, axis: {ticks: false, domain: false, labelLimit: room}},
      x: {field: "nj", type: "quantitative", aggregate: "sum", title: "energy (nJ, nominal prices)",
        axis: {format: "~s", tickCount: Math.max(3, Math.round(width / 110))}},
      color: {field: "component", type: "nominal", title: null, sort: order,
        scale: {domain: order.filter((name) => values.some((value) => value.component === name)),
          range: ["var(--one)", "var(--two)", "var(--three)", "var(--four)", "var(--five)", "var(--six)"]},
        legend: {orient: "top", columns: width < 600 ? 2 : 6, symbolStrokeColor: "transparent"}},
      order: {field: "order"},
      tooltip: [{field: "run"}, {field: "component"}, {field: "nj", aggregate: "sum", title: "nJ", format: ",.5~r"}],
    },
  };
}
