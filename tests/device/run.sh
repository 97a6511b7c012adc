#!/usr/bin/env bash
# Runs everything for a machine with an NVIDIA GPU, each step under a time limit, in at
# most ten minutes: agreement with the CPU, faults, the sanitizers, the benchmarks.
#
#   tests/device/run.sh PROGRAMS LOGS [STEP…]     steps: agreement faults sanitizers dbscan join
#                                                 several
#
# Without a STEP those six are done, the last one where several GPUs answer (its agreement of divided
# runs needs one); any other program of
# tests/device is a step by its name, such as bench_table_gpu, which wants as much host memory as its table.
#
# PROGRAMS is the folder of the built programs of tests/device (libraries beside them are found too),
# LOGS receives one log per step. Exit status 1 when any step failed.
set -uo pipefail

programs=$(cd "${1:?where the programs are}" && pwd)
logs=${2:?where the logs go}
shift 2
steps=("$@")
((${#steps[@]})) || steps=(agreement faults sanitizers dbscan join several)
mkdir -p "$logs"
export LD_LIBRARY_PATH=$programs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
failed=0

# step NAME SECONDS COMMAND…: the end of its output is shown, all of it is logged. SKIPS: the exit
# status by which the program says that this machine lacks what it needs.
step() {
  local name=$1 limit=$2 status started=$SECONDS
  shift 2
  timeout -k 5 "$limit" "$@" > "$logs/$name.log" 2>&1
  status=$?
  printf '== %s: exit %d, %d s\n' "$name" "$status" $((SECONDS - started))
  tail -n "${SHOWN:-25}" "$logs/$name.log"
  ((status == 0 || status == ${SKIPS:-0})) || failed=1
}

for s in "${steps[@]}"; do
  case $s in
    agreement)
      step agreement 150 "$programs/cuda_agreement" --seconds 60 --seed 1
      ;;
    faults)
      step faults 150 "$programs/cuda_faults"
      ;;
    sanitizers)
      for tool in memcheck racecheck initcheck synccheck; do
        SHOWN=8 step "$tool-dbscan" 100 compute-sanitizer --tool "$tool" --error-exitcode 9 \
          "$programs/bench_dbscan_gpu" 1 20000
        if [[ -x $programs/cuda_agreement ]]; then
          SHOWN=8 step "$tool-agreement" 100 compute-sanitizer --tool "$tool" --error-exitcode 9 \
            "$programs/cuda_agreement" --random --seconds 8 --seed 2
        fi
      done
      ;;
    dbscan)
      step dbscan 120 "$programs/bench_dbscan_gpu" 15
      ;;
    join)
      step join 200 "$programs/bench_join_gpu" 10
      ;;
    several)
      SHOWN=60 SKIPS=77 step several 200 "$programs/bench_replicated"
      SKIPS=77 step divided-agreement 60 "$programs/bench_divided" --agreement --seconds 30
      for cloud in "unif --dims 2 --eps 0.018" "expo --dims 2 --eps 2.8e-5" \
        "unif --dims 3 --eps 0.29"; do
        # shellcheck disable=SC2086
        SKIPS=77 step "divided-${cloud// /}" 60 "$programs/bench_divided" --points 1e8 --kind $cloud
      done
      ;;
    *)
      if [[ ! -x $programs/$s ]]; then
        echo "no step $s"
        failed=1
      elif [[ $s == bench_g_dbscan ]]; then
        step "$s" 400 "$programs/$s" 3 1 "$logs"  # with files for tests/bench/compare_dbscan.py
      else
        step "$s" 200 "$programs/$s"
      fi
      ;;
  esac
done
exit $failed
