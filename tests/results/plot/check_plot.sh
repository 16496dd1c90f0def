#!/usr/bin/env bash
# check_plot.sh GNUPLOT SCRIPT RUNS.csv PICTURE.svg: the picture names every kernel and indexer and shows the figures,
# and gnuplot reports no error.
set -euo pipefail
complaints=$("$1" -c "$2" "$3" "$4" 2>&1)
if [[ -n $complaints ]]; then
  echo "gnuplot says: $complaints"
  exit 1
fi
for text in 'stride' 'stride=32 blocks=12' 'none' 'mod 32' 'xor k1=0 k2=5 mask=7' '32.00 (761,856)' '790,241' \
  '40,213' '1,201' 'SM cycles' 'passes per shared access'; do
  if ! grep -qF "$text" "$4"; then
    echo "the picture lacks '$text'"
    exit 1
  fi
done
# A right-aligned label must begin inside the picture: characters of this font are at most 9 pixels wide on average.
awk '
  /text-anchor="end"/ { at = $0; sub(/.*translate\(/, "", at); sub(/,.*/, "", at); next }
  /<text>/ && at != "" {
    label = $0; gsub(/.*<text>|<\/text>.*/, "", label)
    if (9 * length(label) > at + 0) { print "the picture cuts the label \"" label "\", which ends at " at; cut = 1 }
    at = ""
  }
  END { exit cut }' "$4"
