#!/usr/bin/env bash
# check_slurm.sh PROGRAM: runs a sweep on Slurm (a controller and two nodes on this host, in their own namespaces). One
# node dies, another cannot run the program: the bytes must equal those of a run without Slurm. Exit code 77: no Slurm
# here.
set -euo pipefail

PATH="$PATH:/usr/sbin:/sbin"

skip() {
  echo "skipped: $*; expected slurm-wlm, iproute2, root, and leave to make namespaces"
  exit 77
}

fail() {
  echo "FAILED: $*" >&2
  tail -n +1 log/* "$sweep"/log/*.log "$sweep"/log/unfit/* 2>/dev/null | tail -n 200 >&2
  exit 1
}

if [[ ${1-} != --inside ]]; then
  for tool in slurmctld slurmd sbatch scontrol squeue sinfo ip unshare; do
    command -v "$tool" >/dev/null || skip "there is no $tool"
  done
  (($(id -u) == 0)) || skip "not root"
  apart=(unshare --net --uts --mount --pid --fork --kill-child --mount-proc)
  "${apart[@]}" ip link set lo up 2>/dev/null || skip "no namespaces"
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/fermata_slurm_XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  "${apart[@]}" "$0" --inside "$(realpath "$1")" "$scratch" # if its first process ends, all end
  exit
fi

readonly program=$2 scratch=$3
readonly sweep="$scratch/a 'sweep' of 100%"
cd "$scratch"
mkdir log state empty
export SLURM_CONF="$scratch/slurm.conf"

# Slurm does not resolve loopback addresses: adds another one.
ip link set lo up
ip address add 10.77.0.1/32 dev lo
hostname controller
cat >slurm.conf <<END
ClusterName=fermata
SlurmctldHost=controller(10.77.0.1)
SlurmctldPort=7000
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=3
MessageTimeout=3
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
MaxArraySize=4
SlurmctldPidFile=$scratch/state/slurmctld.pid
SlurmdPidFile=$scratch/%n/slurmd.pid
SlurmdSpoolDir=$scratch/%n
StateSaveLocation=$scratch/state
NodeName=n1 NodeAddr=10.77.0.1 Port=7001 CPUs=2
NodeName=n2 NodeAddr=10.77.0.1 Port=7002 CPUs=2
PartitionName=all Nodes=n1,n2 Default=YES
END
slurmctld -D -i >log/slurmctld 2>&1 &

# start_node NAME COMMAND: starts a node after COMMAND, which changes what the node sees. Sets `node` to its process.
start_node() {
  mkdir -p "$1"
  unshare --uts --mount --pid --fork --kill-child --mount-proc \
    sh -c 'hostname "$1"; eval "$2"; exec slurmd -D -N "$1"' sh "$1" "$2" >>"log/$1" 2>&1 &
  node=$!
}

# wait_until SECONDS COMMAND...: repeats COMMAND until it succeeds; fails after SECONDS.
wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.1
  done
}

# says TEXT COMMAND...: succeeds if COMMAND prints TEXT, whatever its exit code.
says() {
  local text=$1
  shift
  [[ $("$@" 2>&1 || true) == *"$text"* ]]
}

nodes_are_idle() { [[ $(sinfo --noheader --format=%T%D 2>/dev/null) == idle2 ]]; }
has_begun() { (($(find "$sweep/results" -name '*.csv' | wc -l) >= 4)) && squeue -h -t R -o %N | grep -q n2; }
queue_is_empty() { [[ -z $(squeue --noheader) ]]; }

start_node n1 true
start_node n2 true
dying=$node
wait_until 20 nodes_are_idle || { tail log/* && skip "Slurm does not start"; }

cat >study.toml <<END
[base]
platform = "gtx480"
[axes]
workload = ["stride", "reduction"]
mapping = ["mod 32", "ami 33"]
scratchpad.latency = { from = 20, to = 39, step = 1 }
END
"$program" sweep run study.toml alone >/dev/null || fail "the run without Slurm"

# Five shards are two arrays here. A node dies, and everything on it ends.
"$program" sweep plan study.toml "$sweep" >/dev/null
"$program" sweep submit "$sweep" --slurm 5 --slurm-option=--time=10 || fail "submit"
wait_until 120 has_begun || fail "nothing runs"
kill -KILL "$dying"
says 'jobs of this sweep are in the queue' "$program" sweep submit "$sweep" --slurm 5 || fail "submitted twice"
says ' jobs run, ' "$program" sweep status "$sweep" || fail "status"
wait_until 300 queue_is_empty || fail "the queue does not drain"
cmp alone/merged/runs.csv "$sweep/merged/runs.csv" || fail "other bytes after a node died"
grep -q 'points are missing' "$sweep"/log/gather_*.log || fail "nothing was submitted again"

# Another node lacks the program: the log says so, and the node is left out.
rm -rf "$sweep"
"$program" sweep plan study.toml "$sweep" >/dev/null
mkdir "$sweep/program"
start_node n2 'mount --bind empty "$PWD/a '"'sweep'"' of 100%/program"'
wait_until 60 nodes_are_idle || fail "no node in the place of the dead one"
"$program" sweep submit "$sweep" --slurm 4 >/dev/null || fail "submit"
wait_until 300 queue_is_empty || fail "the queue does not drain"
cmp alone/merged/runs.csv "$sweep/merged/runs.csv" || fail "other bytes where a node lacks the program"
grep -Eq 'node n2: .*program.* is not there; expected' "$sweep"/log/*.log || fail "the log does not say it"
[[ -s "$sweep/log/unfit/n2" ]] || fail "the node is not noted"
grep -q 'Node n2 cannot run the program and is left out' "$sweep"/log/gather_*.log || fail "the node is not left out"
echo "two rounds and more on Slurm gave the bytes of one run: $(wc -l <alone/merged/runs.csv) lines"
