#!/usr/bin/env bash
# Runs each program whole and sampled, and prints what the sample costs, saves and misses.
#   stimuli/programs/sampled/compare.sh build/release/bin/fermata sm_80 [PROGRAM | 'PROGRAM ARGUMENTS']...
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fermata=$(realpath "$1")
platform=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run MODE OPTION...: prints seconds of CPU time, launches, cycles and warp instructions of `command`
run() {
  local mode=$1 TIMEFORMAT=%U
  shift
  { time "$fermata" exec "$@" --platform "$platform" --out "$work/$mode" -- "$work/$program" "${command[@]:1}" >"$work/$mode.text" 2>"$work/$mode.log"; } 2>"$work/seconds"
  awk -F, -v seconds="$(cat "$work/seconds")" '
    NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
    { cycles += $at["cycles"]; instructions += $at["warp_instructions"] }
    END { print seconds, NR - 1, cycles, instructions }' "$work/$mode/runs.csv"
}

[ $# -gt 0 ] || set -- "$here"/*.cu
echo "program,launches,warp_instructions,timed_launches,timed_percent,full_seconds,sampled_seconds,full_cycles,sampled_cycles,error_percent,bar_percent"
for source in "$@"; do
  read -ra command <<<"$(basename "$source" .cu)"
  program=${command[0]}
  "$fermata" cc "$here/$program.cu" -o "$work/$program"
  read -r full launches cycles instructions < <(run whole)
  read -r part _ estimate _ < <(run part --sample)
  cmp -s "$work/whole.text" "$work/part.text" || echo "$program prints something else: the order of its atomics" >&2
  read -r timed percent bar < <(sed -nE \
    's/^sampled: ([0-9,]+) of [0-9,]+ launches timed, ([0-9.]+)% .* cycles [0-9,]+( \+- ([0-9.]+)%)?, conflict .*/\1 \2 \4/p' \
    "$work/part.log")
  awk -v OFS=, -v p="${command[*]}" -v l="$launches" -v i="$instructions" -v t="$timed" -v r="$percent" -v f="$full" -v s="$part" \
    -v c="$cycles" -v e="$estimate" -v b="${bar:-0}" \
    'BEGIN { print p, l, i, t, r, f, s, c, e, sprintf("%+.2f", 100 * (e - c) / c), b }'
done
