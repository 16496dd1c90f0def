#!/usr/bin/env bash
# check_synthesis.sh TREE FILE: synthesises small blocks again into FILE and compares their rows with the published
# table. Exit code 77: the tools are missing, or differ from those that made the table.
set -euo pipefail
readonly tree=$1 file=$2 table=$1/results/published/rtl_costs.csv
for tool in python3 yosys berkeley-abc; do command -v "$tool" >/dev/null || exit 77; done
[[ -f /usr/share/qflow/tech/osu018/osu018_stdcells.lib && $(yosys -V) == "Yosys 0.23 "* ]] || exit 77

for block in 'pairs banks=32 bank 14' 'row-select banks=32 row 14' 'modulus=62 form=fast corner=exact bank and row 14' \
  'locks=64 got lanes=2'; do
  python3 "$tree/models/rtl/synthesis/costs.py" --only "$block" --jobs 1 --out "$file" 2>/dev/null
  (($(wc -l <"$file") == 2)) || { echo "'$block' is not one block" && exit 1; }
  while read -r row; do
    grep -qxF "$row" "$table" || { echo "not in the table: $row" && exit 1; }
  done <"$file"
done
