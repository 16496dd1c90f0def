// Tables that sort and filter.

const kRowsAtOnce = 100;

/** Returns the predicate of a column's filter; null: the filter is malformed. Texts match by a part of them. Numbers
    match 5, <5, <=5, >5, >=5, 5..9. */
function acceptance(text, numeric) {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return () => true;
  if (!numeric) return (value) => String(value ?? "").toLowerCase().includes(wanted);
  const span = wanted.match(/^(-?[\d.]+)\s*\.\.\s*(-?[\d.]+)$/);
  if (span) return (value) => value !== null && value >= Number(span[1]) && value <= Number(span[2]);
  const compared = wanted.match(/^(<=|>=|<|>|=|)\s*(-?[\d.,]+)$/);
  const bound = compared ? Number(compared[2].replaceAll(",", "")) : NaN;
  if (Number.isNaN(bound)) return null;
  const holds = {
    "<": (value) => value < bound,
    "<=": (value) => value <= bound,
    ">": (value) => value > bound,
    ">=": (value) => value >= bound,
    "=": (value) => value === bound,
    "": (value) => value === bound,
  }[compared[1]];
  return (value) => value !== null && holds(value);
}

/** Orders numbers by value and texts as people count ("ami 9" before "ami 33"). Empty cells are not compared:
    rowsShown() puts them last. */
function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", {numeric: true});
}

/** Returns a cell of a CSV file. */
function csvCell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Hands the reader a file. */
function download(name, text) {
  const link = element("a", {href: URL.createObjectURL(new Blob([text], {type: "text/csv"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Makes a sortable table. columns: {title, unit, description, numeric, values, bar: the largest value of a bar, long}.
    options: sort (index of a column), descending, filters (false: none), rows (their indices), name (of the table). */
function sortableTable(columns, options = {}) {
  const all = options.rows ?? columns[0].values.map((_, i) => i);
  const accepts = columns.map(() => () => true);
  let sorted = options.sort ?? null;
  let descending = options.descending ?? false;
  let limit = kRowsAtOnce;
  const body = element("tbody");
  const count = element("span", {role: "status"});
  const more = element("button", {type: "button", onclick: () => { limit *= 4; fill(); }});
  const clear = element("button", {type: "button", onclick: clearFilters}, "Clear the filters");
  const csv = element("button", {type: "button", onclick: () => download(`${options.name ?? "table"}.csv`, csvText())}, "Download as CSV");
  const inputs = [];
  const heads = columns.map((column, i) => head(column, i));

  function head(column, i) {
    const sort = element("button", {type: "button", onclick: () => sortBy(i)}, column.title);
    return element("th", {class: column.numeric ? "number" : null, title: column.description || null,
      scope: "col"}, sort, column.unit && column.unit !== column.title ? element("span", {class: "unit"}, column.unit) : null);
  }
  function filterOf(column, i) {
    const input = element("input", {
      type: "text", "aria-label": `Filter ${column.title}`, placeholder: column.numeric ? "<, >, a..b" : "part",
      oninput: () => {
        const accept = acceptance(input.value, column.numeric);
        input.setCustomValidity(accept ? "" : "expected 5, <5, >=5 or 5..9");
        accepts[i] = accept ?? (() => true);
        limit = kRowsAtOnce;
        fill();
      },
    });
    inputs.push(input);
    return element("th", {}, input);
  }
  function clearFilters() {
    for (const input of inputs) {
      input.value = "";
      input.dispatchEvent(new Event("input"));
    }
  }
  /** Returns the rows that are shown, and those behind "More rows". */
  function csvText() {
    const lines = [columns.map((column) => column.name ?? column.title)];
    for (const row of rowsShown()) lines.push(columns.map((column) => column.values[row]));
    return lines.map((line) => line.map(csvCell).join(",") + "\n").join("");
  }
  function sortBy(i) {
    descending = sorted === i ? !descending : false;
    sorted = i;
    fill();
  }
  function rowsShown() {
    const rows = all.filter((row) => columns.every((column, i) => accepts[i](column.values[row])));
    if (sorted === null) return rows;
    const values = columns[sorted].values;
    const present = rows.filter((row) => values[row] !== null);
    present.sort((a, b) => (descending ? -1 : 1) * compare(values[a], values[b]));
    return present.concat(rows.filter((row) => values[row] === null));
  }
  function cell(column, row) {
    const value = column.values[row];
    const made = element("td", {class: column.numeric ? "number" : column.long ? "long" : null},
      cellText(value));
    if (column.code) made.classList.add("code");
    if (column.bar) {
      made.classList.add("bar");
      made.style.setProperty("--share", `${(100 * value) / column.bar}%`);
    }
    return made;
  }
  function fill() {
    const rows = rowsShown();
    body.replaceChildren(...rows.slice(0, limit).map((row) =>
      element("tr", {}, ...columns.map((column) => cell(column, row)))));
    const none = rows.length === 0 && all.length > 0;
    if (none)
      body.append(element("tr", {}, element("td", {colspan: columns.length}, "No row matches the filters.")));
    clear.hidden = rows.length === all.length;
    heads.forEach((th, i) => th.setAttribute("aria-sort",
      sorted !== i ? "none" : descending ? "descending" : "ascending"));
    columns.forEach((column, i) => {
      const arrow = sorted !== i ? "" : descending ? " \u25be" : " \u25b4";
      heads[i].firstChild.textContent = column.title + arrow;
    });
    const shown = Math.min(limit, rows.length);
    count.textContent = `${numberText(shown)} of ${plural(rows.length, "row", "rows")}` +
      (rows.length === all.length ? "" : `, of ${numberText(all.length)} in all`);
    more.textContent = "More rows";
    more.hidden = shown === rows.length;
  }

  const headers = element("thead", {}, element("tr", {}, ...heads));
  if (options.filters !== false) headers.append(element("tr", {class: "filters"}, ...columns.map(filterOf)));
  fill();
  const below = element("div", {class: "below"}, count, more, clear, csv);
  below.hidden = options.filters === false && all.length <= kRowsAtOnce;
  const label = options.name ? `Table: ${options.name}` : "Table";
  return element("div", {}, element("div", {class: "table", tabindex: "0", role: "region", "aria-label": label},
    element("table", {}, headers, body)), below);
}
