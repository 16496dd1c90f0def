#!/usr/bin/env bash
# check_chroot.sh FOLDER: installs the Debian package in FOLDER in a bare Debian 12, runs it as an ordinary user, and takes
# it off again. Exit code 77: not root, no debootstrap, or no network.
set -euo pipefail
readonly mirror=${FERMATA_DEBIAN_MIRROR:-http://deb.debian.org/debian}
skip() { echo "SKIPPED: $*"; exit 77; }
fail() { echo "FAILED: $*" >&2; exit 1; }

if [[ ${1-} == --inside ]]; then
  readonly root=$2
  mount -t proc proc "$root/proc"
  inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    ${http_proxy:+http_proxy="$http_proxy"} chroot "$@"; }
  begin=$SECONDS
  inside "$root" apt-get install -y -q --no-install-recommends /fermata.deb >"$root/log" 2>&1 ||
    fail "apt-get: $(tail -n 30 "$root/log")"
  inside --userspec=65534:65534 "$root" sh -euc 'cd /tmp; fermata --version; fermata demo --out demo'
  [[ -s $root/tmp/demo/runs.csv ]] || fail "demo wrote no tables"
  inside "$root" apt-get install -y -q --no-install-recommends /python3-fermata.deb python3-pandas clang-16 \
    >"$root/log" 2>&1 || fail "apt-get: $(tail -n 30 "$root/log")"
  inside --userspec=65534:65534 "$root" sh -euc 'cd /tmp; python3 -c "
import fermata as fm
run = fm.Workload(\"transpose\", {\"tile\": 32}).run(\"gtx480\")
assert run.cycles == 24763 and run.lines.iloc[0][\"line\"] == 20
scale = fm.Module(\"extern \\\"C\\\" __global__ void k() {}\", arch=\"sm_80\")
assert scale.get_function(\"k\")(1, 32, ()).cycles > 0
"'
  # A first notebook: which line conflicts, what cures it.
  cat >"$root/tmp/tile.cu" <<'CU'
extern "C" __global__ void transpose(const float* in, float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
CU
  cat >"$root/tmp/first.py" <<'PY'
import fermata as fm, numpy as np
kernel = fm.Module(path="tile.cu", arch="sm_80").get_function("transpose")
a = np.random.rand(32, 32).astype("f4"); b = np.empty_like(a)
launch = kernel.bind(1, (32, 32), (fm.In(a), fm.Out(b)))
run = launch.run("sm_80")
assert (b == a.T).all()
worst = run.lines.iloc[0]
assert (worst.file, worst.line, worst.max_degree) == ("tile.cu", 5, 32)
cure = fm.search(launch).best
assert cure.where == "in the kernel" and cure.conflicts_after == 0
print(f"{worst.file}:{worst.line}: {worst.excessive} excessive wavefronts; cure: {cure}")
PY
  inside --userspec=65534:65534 "$root" sh -euc 'cd /tmp; python3 first.py'
  # Both installations are in it, and the download of their packages.
  took=$((SECONDS - begin))
  echo "from apt-get to the line and its cure: $took seconds"
  ((took < 300)) || echo "more than the five minutes that a user should need" >&2
  inside "$root" apt-get purge -y -q python3-fermata >"$root/log" 2>&1 || fail "apt-get: $(tail -n 30 "$root/log")"
  inside "$root" apt-get purge -y -q fermata >"$root/log" 2>&1 || fail "apt-get: $(tail -n 30 "$root/log")"
  left=$(find "$root/usr" -iname "*fermata*")
  [[ -z $left ]] || fail "purged, but there: $left"
  exit 0
fi

readonly folder=$1
PATH="$PATH:/usr/sbin:/sbin"
(($(id -u) == 0)) || skip "not root"
command -v debootstrap >/dev/null || skip "there is no debootstrap (Debian: apt-get install debootstrap)"
unshare --mount --pid --fork true 2>/dev/null || skip "unshare makes no namespace here"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/fermata_chroot_XXXXXX")
trap 'rm -rf "$scratch"' EXIT
if ! debootstrap --variant=minbase bookworm "$scratch/root" "$mirror" >"$scratch/log" 2>&1; then
  ! grep -qE "Failed getting release file|Couldn't download|Invalid Release" "$scratch/log" || skip "$mirror cannot be reached"
  fail "debootstrap: $(tail -n 30 "$scratch/log")"
fi
[[ -n $(compgen -G "$folder/fermata_*.deb") ]] || skip "no package was made"
cp "$folder"/fermata_*.deb "$scratch/root/fermata.deb"
cp "$folder"/python3-fermata_*.deb "$scratch/root/python3-fermata.deb"
unshare --mount --pid --fork --kill-child bash "$0" --inside "$scratch/root"
