#!/usr/bin/env bash
# Tries Clusterloom under a real Slurm: starts a controller and one node of its own on this machine,
# runs what a user of a cluster would, and ends both again. Not part of CTest, since it needs root and
# the packages slurmctld, slurmd, slurm-client, munge and openmpi-bin; meant for a container or a root made by debootstrap.
#
#   tests/mpi/slurm.sh CLUSTERLOOM_CLI
#
# Prints a line for each check. Exit status: 0 if all hold, 1 if one fails, 77 if something is missing.
set -uo pipefail
shopt -s nullglob

cli=$(realpath "${1:?the clusterloom-cli to try}")
((EUID == 0)) || { echo "Needs root, to start Slurm's daemons."; exit 77; }
for program in slurmctld slurmd munged srun mpirun; do
  command -v "$program" > /dev/null || { echo "$program is not installed."; exit 77; }
done

folder=$(mktemp -d)
daemons=()
failed=0
stop_slurm() {
  scancel --user=root 2> /dev/null
  scontrol shutdown 2> /dev/null
  ((${#daemons[@]})) && kill "${daemons[@]}" 2> /dev/null
  wait 2> /dev/null
  rm -rf "$folder"
}
trap stop_slurm EXIT

# expect TEXT COMMAND…: one check.
expect() {
  local text=$1
  shift
  if "$@"; then
    echo "ok      $text"
  else
    echo "FAILED  $text"
    failed=1
  fi
}

# Waits until a command succeeds, for the given seconds at most.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.2
  done
}

start_slurm() {
  local host
  host=$(hostname -s)
  # Four processors whatever the machine has: ranks may share them here.
  cat > "$folder/slurm.conf" << CONF
ClusterName=trial
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmctldParameters=
SlurmdParameters=config_overrides
KillWait=2
InactiveLimit=0
SwitchType=
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE OverSubscribe=YES State=UP
CONF
  sed -i '/=$/d' "$folder/slurm.conf"
  # Without control groups, which a root made by debootstrap lacks; Slurm before 23.02 has no word for it.
  local groups=disabled
  [[ $(slurmd -V) =~ slurm[^0-9]*([0-9]+) ]] && ((BASH_REMATCH[1] < 23)) && groups=cgroup/v1
  echo "CgroupPlugin=$groups" > "$folder/cgroup.conf"
  mkdir "$folder/state" "$folder/spool"
  chmod 755 "$folder"
  export SLURM_CONF=$folder/slurm.conf
  if ! pgrep -x munged > /dev/null; then
    install -d -o munge -g munge -m 755 /run/munge
    [[ -e /etc/munge/munge.key ]] || create-munge-key -f > /dev/null 2>&1 || mungekey --create
    chown munge: /etc/munge/munge.key
    setpriv --reuid munge --regid munge --init-groups munged --foreground > "$folder/munged.log" 2>&1 &
    daemons+=($!)
    within 10 test -S /run/munge/munge.socket.2
  fi
  slurmctld -D > "$folder/slurmctld.out" 2>&1 &
  daemons+=($!)
  slurmd -D > "$folder/slurmd.out" 2>&1 &
  daemons+=($!)
  within 30 node_is_idle || {
    cat "$folder"/*.out "$folder"/*.log >&2
    return 1
  }
}
node_is_idle() { [[ $(sinfo -h -o %T 2> /dev/null) == idle ]]; }

no_process_left() { ! pgrep -f "$cli cluster" > /dev/null; }
nothing_written() { local left=("$folder"/out/* "$folder"/out/.clusterloom*) && ((${#left[@]} == 0)); }
queue_is_empty() { [[ -z $(squeue -h) ]]; }

start_slurm || exit 1
echo "$(sinfo --version), $(mpirun --version | head -n 1)"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
# Without GPUs; the ranks of one machine share its processors.
run=(srun -K --overcommit --quiet)
cd "$folder"
mkdir out

# Labels of one to four ranks, by both starters.
"$cli" generate blobs --points 20000 --dims 3 --seed 5 blobs.npy > /dev/null
"$cli" generate expo --points 20000 --dims 2 --seed 6 expo.npy > /dev/null
"$cli" generate unif --points 5000 --dims 6 --seed 7 unif.npy > /dev/null
declare -A eps=([blobs]=0.5 [expo]=0.001 [unif]=30)
pmix=0
srun --mpi=list 2>&1 | grep -q pmix && pmix=1
((pmix)) || echo "skipped srun --mpi=pmix: this Slurm has no PMIx"
for cloud in "${!eps[@]}"; do
  call=(cluster $cloud.npy --eps "${eps[$cloud]}" --min-pts 8 --threads 1 --labels)
  "$cli" "${call[@]}" one.npy > /dev/null
  for ranks in 1 2 3 4; do
    if ((pmix)); then
      "${run[@]}" --mpi=pmix -n $ranks "$cli" "${call[@]}" "out/s$ranks.npy" > /dev/null
      expect "$cloud, srun, $ranks ranks: labels as of one process" cmp -s one.npy "out/s$ranks.npy"
    fi
    mpirun -n $ranks "$cli" "${call[@]}" "out/m$ranks.npy" > /dev/null 2> mpirun.log || cat mpirun.log
    expect "$cloud, mpirun, $ranks ranks: labels as of one process" cmp -s one.npy "out/m$ranks.npy"
  done
done
rm -f out/*

# Tasks that do not know of each other.
call=(cluster blobs.npy --eps 0.5 --min-pts 8 --threads 1 --labels out/labels.npy)
refused() {
  local said
  if said=$("${run[@]}" "$@" "$cli" "${call[@]}" 2>&1) || [[ $said != *--mpi=pmix* ]] || ! nothing_written; then
    echo "$said"
    return 1
  fi
}
expect "srun without PMIx is refused and names --mpi=pmix" refused -n 3
# Open MPI without PMI-2, as Debian 12's, ends such a call itself.
ends_without_output() { ! "${run[@]}" "$@" "$cli" "${call[@]}" > pmi2.log 2>&1 && nothing_written; }
expect "srun --mpi=pmi2 fails and writes nothing" ends_without_output -n 3 --mpi=pmi2
one_summary() { [[ $("${run[@]}" -n 1 "$cli" "${call[@]}" | grep -c clusters) -ge 1 ]]; }
expect "one task without PMIx runs" one_summary
rm -f out/*
if command -v prterun > /dev/null; then
  prte_refused() { ! prterun -n 2 "$cli" "${call[@]}" > prte.log 2>&1 || cmp -s one_blobs.npy out/labels.npy; }
  "$cli" cluster blobs.npy --eps 0.5 --min-pts 8 --labels one_blobs.npy > /dev/null
  expect "prterun: the ranks of one job, or refused" prte_refused
  rm -f out/*
fi

threads_of_task() {
  "${run[@]}" -n 1 -c 2 "$cli" cluster blobs.npy --eps 0.5 --min-pts 8 --json | grep -q '"threads": *2'
}
expect "a task takes the threads of --cpus-per-task" env SLURM_CPUS_PER_TASK=2 bash -c "$(declare -f threads_of_task); $(declare -p run cli folder); cd '$folder'; threads_of_task"

if ((pmix)); then
  # Minutes of work, ended in three ways.
  "$cli" generate unif --points 400000 --dims 3 --seed 8 long.npy > /dev/null
  long=("$cli" cluster long.npy --eps 0.5 --min-pts 8 --threads 1 --method brute-force --labels out/labels.npy)
  cat > job.sh << JOB
#!/bin/bash
srun -K --mpi=pmix --overcommit ${long[@]}
JOB
  ranks_run() { (($(pgrep -cf "^$cli cluster long") >= 2)); }
  ended_cleanly() {
    within 60 queue_is_empty && within 10 no_process_left && nothing_written
  }
  start_job() { sbatch --quiet -n 2 --overcommit "$@" --output=job.log job.sh && within 30 ranks_run; }

  expect "a job of two ranks starts" start_job
  scancel --user=root
  expect "scancel ends it; nothing is left behind" ended_cleanly

  expect "a job of two ranks starts" start_job
  pkill -KILL -o -f "^$cli cluster long"
  expect "a killed rank ends the job; nothing is left behind" ended_cleanly

  expect "a job with a limit of a minute starts" start_job --time=1
  within 150 queue_is_empty
  expect "the time limit ends it; nothing is left behind" ended_cleanly
fi
shared=(/dev/shm/*clusterloom* /dev/shm/vader_segment*)
expect "no shared memory is left" test ${#shared[@]} -eq 0
exit $failed
