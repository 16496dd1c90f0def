#!/usr/bin/env bash
# check_debian.sh BUILD SOURCE FOLDER: makes the Debian package in FOLDER. Unpacks it, moves it, and runs it where neither
# the tree nor the build can be reached. Exit code 77: no tools of Debian, or no leave to hide a folder.
set -euo pipefail
skip() { echo "SKIPPED: $*"; exit 77; }
fail() { echo "FAILED: $*" >&2; exit 1; }
# holds TEXT PART: fails if the text does not hold the part.
holds() { [[ $1 == *"$2"* ]] || fail "expected '$2' in: $1"; }

if [[ ${1-} == --inside ]]; then
  readonly source=$2 build=$3 prefix=$4
  for place in "$source" "$build"; do # the build may lie within the tree
    [[ ! -d $place ]] || mount -t tmpfs none "$place"
  done
  [[ ! -e $source/CMakeLists.txt && ! -e $build/share ]] || fail "the tree can be reached"
  cd "$prefix/.."
  holds "$("$prefix/bin/fermata" demo --out demo)" "ami 33"
  for file in runs instructions banks schema; do [[ -s demo/$file.csv ]] || fail "demo wrote no $file.csv"; done
  holds "$("$prefix/bin/fermata" run gtx480 transpose --param tile=32)" "24,763"
  command -v clang++-16 >/dev/null || exit 0
  cat >hello.cu <<'CU'
#include <cstdio>
__global__ void hello() { printf("lane %d\n", threadIdx.x); }
int main() {
  hello<<<1, 2>>>();
  return cudaDeviceSynchronize();
}
CU
  "$prefix/bin/fermata" cc hello.cu -o hello
  holds "$("$prefix/bin/fermata" exec --platform gtx480 --quiet -- ./hello)" $'lane 0\nlane 1'
  exit 0
fi

readonly build=$1 source=$2 folder=$3
for tool in dpkg-deb dpkg-shlibdeps file; do
  command -v "$tool" >/dev/null || skip "there is no $tool (Debian: apt-get install dpkg-dev file)"
done
rm -rf "$folder"
mkdir -p "$folder"
log=$(cd "$build" && cpack -G DEB -B "$folder" 2>&1) || fail "cpack: $log"
rm -rf "$folder/_CPack_Packages"
package=$(echo "$folder"/fermata_*.deb)
python=$(echo "$folder"/python3-fermata_*_all.deb)

readonly release=$(<"$source/python/VERSION")
holds "$(dpkg-deb -f "$package" Version)" "$release"
for library in libsystemc libfmt9 libstdc++6; do holds "$(dpkg-deb -f "$package" Depends)" "$library"; done
holds "$(dpkg-deb -f "$package" Recommends)" "clang-16"
files=$(dpkg-deb -c "$package" | sed 's/.* \.//')
for file in /usr/bin/fermata /fermata/libfermata_cudart.so /cmake/Fermata/FermataConfig.cmake /libfermata_compose.a \
  /usr/include/fermata/models/core/sm_core.h /usr/share/fermata/platforms/gtx480.toml /usr/share/fermata/cuda/nw.ptx \
  /usr/share/man/man1/fermata.1.gz /usr/share/man/man1/fermata-run.1.gz /usr/share/bash-completion/completions/fermata \
  /fermata/libfermata_dpi.so /usr/share/fermata/rtl/fermata_dpi.sv \
  /usr/share/doc/fermata/copyright /usr/share/doc/fermata/changelog.gz /usr/share/doc/fermata/changelog.Debian.gz; do
  holds "$files"$'\n' "$file"$'\n'
done
! grep -v '^/usr/' <<<"$files" || fail "a file outside of /usr"
holds "$(dpkg-deb -f "$python" Depends)" "fermata (= $(dpkg-deb -f "$package" Version))"
files=$(dpkg-deb -c "$python" | sed 's/.* \.//')
for file in /usr/lib/python3/dist-packages/fermata/__init__.py /usr/lib/python3/dist-packages/fermata/py.typed \
  /fermata-$release.dist-info/entry_points.txt /usr/share/doc/python3-fermata/examples/1_first_kernel.ipynb; do
  holds "$files"$'\n' "$file"$'\n'
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/fermata_debian_XXXXXX")
trap 'rm -rf "$scratch"' EXIT
[[ $scratch/ != "$source"/* && $scratch/ != "$build"/* ]] || skip "TMPDIR lies in the tree, which is to be hidden"
cp "$0" "$scratch/check" # the tree is hidden
dpkg-deb -x "$package" "$scratch/first"
mv "$scratch/first" "$scratch/moved"
archive=$(find "$scratch/moved" -name libfermata_memory.a)
[[ $(objdump -h "$archive") != *.gnu.lto_* ]] || fail "an archive holds code for link-time optimisation"
unshare -rm true 2>/dev/null || skip "unshare makes no namespace here: the tree cannot be hidden"
env -u FERMATA_DATA unshare -rm bash "$scratch/check" --inside "$source" "$build" "$scratch/moved/usr"
