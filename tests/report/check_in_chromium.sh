#!/usr/bin/env bash
# check_in_chromium.sh PROGRAM FOLDER: shows a report in a browser without a network and leaves pictures in FOLDER. Exit
# code 77: there is no Chromium, or the program was built without the library that draws.
set -euo pipefail
readonly program=$1 folder=$2
skip() { echo "skipped: $*"; exit 77; }
fail() { echo "failed: $*" >&2; exit 1; }

command -v chromium >/dev/null || skip "chromium is not installed (Debian: apt-get install chromium)"
[[ -f $(dirname "$program")/../share/fermata/report/vega.min.js ]] ||
  skip "the program was built without what reports draw with: npm ci --prefix platforms/program/report"
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
trap 'rm -rf "$folder/profile"' EXIT

# Chromium ends by itself when the page has been drawn. A process of it that lives longer must not delay the test.
browser() {
  local network=()
  unshare -n true 2>/dev/null && network=(unshare -n)
  "${network[@]}" timeout -k 5 200 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --no-first-run --disable-background-networking --user-data-dir="$folder/profile" --hide-scrollbars \
    --host-resolver-rules="MAP * ~NOTFOUND" --virtual-time-budget=60000 --enable-logging=stderr "$@"
}

cat >study.toml <<'S'
description = "a kernel's <b>name</b> & \"quotes\" stay text"
[base]
platform = "gtx480"
prices = "fermi-40nm"
[axes]
workload = ["transpose", "reduction"]
mapping = ["mod 32", "ami 33", "xor k1=0 k2=5 mask=31"]
scratchpad.latency = [12, 26, 40]
S
"$program" sweep run study.toml sweep 2>/dev/null
"$program" report sweep
"$program" run gtx480 nw transpose --param n=128 --quiet --power fermi-40nm --out run 2>/dev/null
"$program" report run

# Acts as a reader would once all is drawn: sorts by cycles, filters a mapping, selects another kernel.
cat >reader.html <<'S'
<script>
addEventListener("load", async () => {
  const until = async (done) => { while (!done()) await new Promise((next) => setTimeout(next, 20)); };
  await until(() => document.documentElement.dataset.drawn);
  const said = {};
  const table = document.querySelector("#tables table");
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.querySelector("button").firstChild.textContent);
  const cells = (name) => [...table.tBodies[0].rows].map((row) => row.cells[names.indexOf(name)].textContent);
  said.rows = cells("cycles").length;
  table.tHead.rows[0].cells[names.indexOf("cycles")].querySelector("button").click();
  said.sorted = cells("cycles");
  const filter = (name, text) => {
    const input = table.tHead.rows[1].cells[names.indexOf(name)].querySelector("input");
    input.value = text;
    input.dispatchEvent(new Event("input"));
    return input.validity.valid;
  };
  filter("mapping", "AMI");
  said.ami = [...new Set(cells("mapping"))];
  filter("mapping", "none such");
  said.nothing = table.tBodies[0].textContent;
  const clear = [...document.querySelectorAll("#tables button")].find((button) => button.textContent === "Clear the filters");
  said.clears = !clear.hidden;
  clear.click();
  said.cleared = cells("cycles").length;
  filter("mapping", "AMI");
  filter("scratchpad.latency", ">= 26");
  said.latency = [...new Set(cells("scratchpad.latency"))].sort();
  said.badFilter = filter("scratchpad.latency", "a lot");
  const select = document.querySelector("#front select");
  const marks = () => document.querySelectorAll("#front .mark-symbol path").length;
  said.all = marks();
  select.value = "1";
  select.dispatchEvent(new Event("change"));
  await until(() => document.querySelector("#front svg").textContent.includes("energy (nJ)"));
  said.one = marks();
  said.labelled = [...document.querySelectorAll(".chart svg, .table")].every((one) => one.closest("[aria-label]"));
  document.documentElement.dataset.said = JSON.stringify(said);
});
</script>
S
cat sweep/report.html reader.html >read.html

# shown PAGE CHARTS: draws PAGE and fails unless it has CHARTS charts, no error and nothing on the console.
shown() {
  browser --dump-dom "file://$folder/$1.html" >"$1.dom" 2>"$1.log"
  grep -q " data-drawn=\"$2\"" "$1.dom" || fail "$1: $(grep -o '<html[^>]*>' "$1.dom"); expected $2 charts"
  if grep -o '<html[^>]*' "$1.dom" | grep -q data-error; then fail "$1: $(grep -o '<html[^>]*' "$1.dom")"; fi
  # Messages of the browser about its own pages do not count.
  if grep -q 'CONSOLE.*source: file:' "$1.log"; then fail "$1: $(grep CONSOLE "$1.log")"; fi
}
# marks PAGE KIND LEAST: fails unless the page has at least LEAST marks of the kind.
marks() {
  local count
  count=$(grep -oE "class=\"mark-$2 role-mark[^>]*>(<path[^>]*></path>|<text[^>]*>[^<]*</text>|<line[^>]*></line>)+" "$1.dom" |
    grep -oE "<(path|text|line) " | wc -l)
  ((count >= $3)) || fail "$1: $count marks of kind $2; expected $3 or more"
}

cp sweep/report.html sweep.html
cp run/report.html run.html
shown sweep 5
marks sweep symbol 100
marks sweep rect 70
marks sweep rule 3
grep -q '&lt;b&gt;name&lt;/b&gt;' sweep.dom || fail "the description is not shown as text"
shown run 6
marks run symbol 32
marks run rect 65
shown read 5
said=$(grep -o ' data-said="[^"]*"' read.dom | sed 's/ data-said="//; s/"$//; s/&quot;/"/g')
for expected in '"rows":18' '"ami":\["ami 33"\]' '"latency":\["26","40"\]' '"badFilter":false' '"nothing":"No row matches the filters."' '"clears":true' '"cleared":18' '"labelled":true' '"all":9' '"one":9'; do
  grep -q -- "$expected" <<<"$said" || fail "$said; expected $expected"
done
sorted=$(grep -o '"sorted":\[[^]]*\]' <<<"$said" | grep -oE '[0-9][0-9,]*[0-9]' | tr -d ,)
[[ $sorted == "$(sort -n <<<"$sorted")" ]] || fail "not sorted: $sorted"

# Pictures for a person to look at: light, dark, narrow.
browser --window-size=1200,5000 --screenshot="$folder/light.png" "file://$folder/sweep.html" >/dev/null 2>&1
browser --window-size=1200,5000 --blink-settings=preferredColorScheme=0 --screenshot="$folder/dark.png" \
  "file://$folder/sweep.html" >/dev/null 2>&1
browser --window-size=520,7000 --screenshot="$folder/narrow.png" "file://$folder/run.html" >/dev/null 2>&1
for picture in light dark narrow; do
  [[ $(stat -c %s "$picture.png") -gt 20000 ]] || fail "$picture.png is empty"
done
echo "pictures: $folder/{light,dark,narrow}.png"
