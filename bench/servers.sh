# Sourced by the scripts beside it: a plain mysqld and an Alrai cluster to compare, and arithmetic.
#
# DIRECT and ALRAI (host:port) name servers that run already; those not named are started here, the
# plain one with the settings of a data node, and stopped at the end with all their data. With TLS=1
# the plain one has TLS as Alrai does. DIRECT=none: no plain one is needed. ALRAI_UP: more options of
# ./alrai up.

# The database and the account of a run have names that are hard on whoever puts them into texts and
# addresses; DATABASE and ACCOUNT are others, such as ACCOUNT=root.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
alrai=${ALRAI_COMMAND:-$root/alrai}
work=$(mktemp -d "${TMPDIR:-/tmp}/alrai-bench.XXXXXX")
started=()
children=() # processes that end with the script

database=${DATABASE:-$'b_%`n\'c";h. x'}
account=${ACCOUNT:-$'b_%`n\'c";h. x'}

note() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }
fail() { note "$*"; exit 1; }

stop_servers() {
  local data
  ((${#children[@]} == 0)) || kill "${children[@]}" 2>/dev/null || true
  for data in ${started[@]+"${started[@]}"}; do
    "$alrai" down --data "$data" >&2 || note "could not stop $data"
  done
  rm -rf "$work"
}
trap stop_servers EXIT

start_servers() {
  if [[ -z ${DIRECT:-} ]]; then
    DIRECT=127.0.0.1:${DIRECT_PORT:-18601}
    started+=("$work/direct")
    "$alrai" mysqld --port "${DIRECT#*:}" --data "$work/direct" \
      ${TLS:+--tls} --detach >&2
  fi
  if [[ -z ${ALRAI:-} ]]; then
    ALRAI=127.0.0.1:${ALRAI_PORT:-18602}
    started+=("$work/alrai")
    "$alrai" up ${ALRAI_UP:-} --dns "${DNS:-2}" --port "${ALRAI#*:}" --data "$work/alrai" --detach >&2
  fi
}

# quoted NAME: as statements have it
quoted() { printf '`%s`' "${1//\`/\`\`}"; }

# encoded NAME: as addresses have it
encoded() {
  local LC_ALL=C i letter
  for ((i = 0; i < ${#1}; i++)); do
    letter=${1:i:1}
    case $letter in
      [a-zA-Z0-9_]) printf '%s' "$letter" ;;
      *) printf '%%%02X' $(($(printf '%d' "'$letter") & 255)) ;;
    esac
  done
}

# url HOST:PORT [DATABASE]: for the run's account, which is made
url() {
  if [[ $account != root ]]; then
    "$alrai" mysql --url "mysql://root@$1/" -e "CREATE USER IF NOT EXISTS $(quoted "$account")@'%';
      GRANT ALL ON *.* TO $(quoted "$account")@'%'" >&2
  fi
  printf 'mysql://%s@%s/%s' "$(encoded "$account")" "$1" "$(encoded "${2:-}")"
}

# fresh_database HOST:PORT: the run's, which is empty then
fresh_database() {
  "$alrai" mysql --url "$(url "$1")" -e \
    "DROP DATABASE IF EXISTS $(quoted "$database"); CREATE DATABASE $(quoted "$database")" >&2
}

# jvm_megabytes [NAME]: resident megabytes of the JVMs of a cluster started here, pages that several
# of them share counted once; nothing if it runs elsewhere.
jvm_megabytes() {
  local file pid total=0
  for file in "$work/${1:-alrai}"/run/*.pid; do
    [[ -r $file ]] || continue
    read -r pid _ <"$file" || true
    if [[ $pid =~ ^[0-9]+$ && $(cat "/proc/$pid/comm" 2>/dev/null) == java ]]; then
      total=$((total + $(awk '/^Pss:/ { print $2 }' "/proc/$pid/smaps_rollup")))
    fi
  done
  ((total == 0)) || echo $((total / 1024))
}

# median NUMBER...
median() {
  printf '%s\n' "$@" | sort -g |
    awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# quotient A B
quotient() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f\n", b == 0 ? 0 : a / b }'; }

# figure NAME UNIT: one line from the arrays values, baselines and their pairs' ratios.
figure() {
  local ratios=() i
  for i in "${!values[@]}"; do
    ratios+=("$(quotient "${values[i]}" "${baselines[i]}")")
  done
  printf '%s %s %s %s %s\n' "$1" "$(median "${values[@]}")" "$2" "$(median "${baselines[@]}")" \
    "$(median "${ratios[@]}")"
}
