#!/usr/bin/env bash
# check_power.sh GNUPLOT FERMATA FOLDER: what a run with prices leaves is drawn without a complaint, and the picture names
# the runs and the components.
set -euo pipefail
rm -rf "$3"
"$2" run gtx480-caches scan reduction --param n=4096 --power fermi-40nm --window 50 --quiet --out "$3" >/dev/null 2>&1
cd "$3"
complaints=$("$1" power.gp 2>&1)
if [[ -n $complaints ]]; then
  echo "gnuplot says: $complaints"
  exit 1
fi
for text in 'Power on gtx480-caches, prices of fermi-40nm' 'scan' 'reduction' 'register_file' 'l1_tags' 'dram' '>us<' '>W<'; do
  if ! grep -qF "$text" power.svg; then
    echo "the picture lacks '$text'"
    exit 1
  fi
done
