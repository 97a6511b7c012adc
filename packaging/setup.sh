# shellcheck shell=bash
# Shared by packaging/run, test, wheel and .ci/lint; sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\n== %s\n' "$*"; }
die() { printf '\n!! %s\n' "$*" >&2; exit 1; }

# Lines of packages.txt under the sections named (the part before the first section is "build").
listed_packages() {
  local section=build wanted=" $* " line
  while read -r line; do
    line=${line%%#*}
    line=${line//[[:space:]]/}
    case $line in
      '') ;;
      '['*']') section=${line:1:-1} ;;
      *) [[ $wanted == *" $section "* ]] && printf '%s\n' "$line" ;;
    esac
  done < "$root/packaging/packages.txt"
  return 0
}

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null) == installed ]]
}

# Looks up in one call, since each takes a second, which names on these lines the distribution has.
look_up_packages() {
  local names
  read -ra names <<< "${*//[|?]/ }"
  # apt-cache fails where it knows none of them, as before the first apt-get update.
  known=" $({ apt-cache show --no-all-versions "${names[@]}" 2> /dev/null || true; } | sed -n 's/^Package: //p' | tr '\n' ' ') "
}

is_known() { [[ $known == *" $1 "* ]]; }

# Whether one of the names on this line is installed, or the line may be left out.
line_is_met() {
  local name
  for name in ${1//|/ }; do
    is_installed "${name#\?}" && return 0
  done
  [[ $1 == '?'* ]] && ! is_known "${1#\?}"
}

# Runs apt-get as root: as it is for root, else through sudo.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    die "Packages are missing and neither root nor sudo is here. As root, run: $*"
  fi
}

# Installs what the sections of packages.txt name and what is not there yet.
install_packages() {
  if ! command -v apt-get > /dev/null; then
    say "No apt-get here: taking the packages of packaging/packages.txt for installed"
    return
  fi
  local line name lines missing=() chosen known
  mapfile -t lines < <(listed_packages "$@")
  look_up_packages "${lines[@]}"
  for line in "${lines[@]}"; do
    line_is_met "$line" || missing+=("$line")
  done
  if ((${#missing[@]} == 0)); then
    say "All packages are installed"
    return
  fi
  say "Missing packages: ${missing[*]}"
  ((EUID == 0)) || echo "   installing them needs root; sudo may ask for your password"
  export DEBIAN_FRONTEND=noninteractive
  # An apt source that does not answer is no reason to stop: the packages may be known already.
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q || echo "   apt-get update failed; going on"
  # All lines once more: an optional package may not have been known before.
  look_up_packages "${lines[@]}"
  missing=()
  for line in "${lines[@]}"; do
    line_is_met "$line" || missing+=("$line")
  done
  local install=()
  for line in "${missing[@]}"; do
    chosen=
    for name in ${line//|/ }; do
      if [[ -z $chosen ]] && is_known "${name#\?}"; then chosen=${name#\?}; fi
    done
    if [[ -n $chosen ]]; then
      install+=("$chosen")
    elif [[ $line != '?'* ]]; then
      die "This distribution has no package ${line//|/ or }. Clusterloom builds on Debian 12 and 13 and Ubuntu 24.04."
    fi
  done
  ((${#install[@]} == 0)) && return
  say "Installing: ${install[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${install[@]}"
}

# Compilers to run at once: one per core, but no more than one for each 1.5 GB of free memory.
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo)
  ((memory >= 1)) || memory=1
  echo $((cores < memory ? cores : memory))
}

# Tells CMake to put ccache before a compiler where it is installed: with what ccache asks for with
# precompiled headers, and with paths relative to this folder, so that a clone in another folder finds
# what was compiled here. In the rules of the build: a precompiled header and its users must be
# compiled with the same paths.
use_compiler_cache() {
  command -v ccache > /dev/null || return 0
  local launcher="env;CCACHE_SLOPPINESS=pch_defines,time_macros;CCACHE_BASEDIR=$root;CCACHE_NOHASHDIR=1;ccache"
  export CMAKE_C_COMPILER_LAUNCHER=$launcher CMAKE_CXX_COMPILER_LAUNCHER=$launcher
  export CMAKE_CUDA_COMPILER_LAUNCHER=$launcher
}

# configure FOLDER OPTION…
configure() {
  local build=$1 python=()
  shift
  # The Python module is for the Python that the packages belong to, whichever is first on the PATH.
  if command -v apt-get > /dev/null && [[ -x /usr/bin/python3 ]]; then
    python=(-DPython_EXECUTABLE=/usr/bin/python3)
  fi
  use_compiler_cache
  say "Configuring in $build"
  # The CUDA backend is built where a GPU answers; CLUSTERLOOM_CUDA=ON insists on it, OFF leaves it out.
  # Groups of sources are compiled as one (a unity build): a third of the time of a first build. The
  # presets for development compile each source alone, so that a change of one is built quickly.
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON \
    -DCLUSTERLOOM_CUDA="${CLUSTERLOOM_CUDA:-AUTO}" "${python[@]}" "$@"
}

# configure_and_build FOLDER OPTION…
configure_and_build() {
  local build=$1
  configure "$@"
  say "Building with $(build_jobs) jobs"
  # Without a terminal, print only errors and warnings.
  if [[ -t 1 ]]; then
    ninja -C "$build" -j "$(build_jobs)"
  else
    ninja -C "$build" -j "$(build_jobs)" --quiet
  fi
}
