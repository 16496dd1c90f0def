#!/usr/bin/env bash
# check_picture.sh GNUPLOT FERMATA FOLDER: gnuplot draws a study's picture without a complaint, and the picture contains
# the study's labels.
set -euo pipefail
rm -rf "$3"
"$2" study fermi-conflict-latency --out "$3" >/dev/null 2>&1
cd "$3"
[[ -s fermi-conflict-latency.svg ]] || { echo 'the program has drawn no picture'; exit 1; }
rm fermi-conflict-latency.svg
complaints=$("$1" picture.gp 2>&1)
if [[ -n $complaints ]]; then
  echo "gnuplot says: $complaints"
  exit 1
fi
for text in 'set ylabel "cycles / access"' 'pt 7 dt 1 ' 'pt 5 dt 2 '; do
  if ! grep -qF "$text" picture.gp; then
    echo "the script lacks '$text'"
    exit 1
  fi
done
for text in 'Dependent shared load' 'replay' 'serialize' 'GTX 560 Ti (second hand)' '>32<' 'lanes on one bank'; do
  if ! grep -qF "$text" fermi-conflict-latency.svg; then
    echo "the picture lacks '$text'"
    exit 1
  fi
done
