# Sourced by alrai: the AOT cache with which a JVM begins with linked classes and known profiles
# (docs/design/0022-warm-jvms.md), in a directory of its own, alrai_caches:
#   KEY.aot      the cache, never changed once it has this name
#   KEY.stamp    all that it was made of, written last; without it there is no cache
#   KEY.failed   it was tried and did not work
# JDK 25 does not look whether a cache belongs to the jars of its class path (before 25.0.4,
# JDK-8377932). So whoever starts a JVM with one compares the stamp first, here and in
# io.alrai.cn.launch.ClassCache: when in doubt, none.
# Wants root, JAVA_HOME, classpath (jars only), alrai_caches, alrai_seal (of a release: the file that
# tells its build apart, as jars have the time of their version there; else empty), alrai_openpgp (jars
# that are on no class path) and, before its functions are called, options (of the JVM, the same in all
# of them).
# at the same address in all JVMs: else each has a copy of it, 90 MB of its own
alrai_cache_options="-XX:+VerifySharedSpaces -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 \
-Xlog:aot*=off -Xlog:cds*=off"

# prints what a cache depends on: options, and size, second of the last change and name of each file
alrai_stamp() (
  set -f
  printf 'options %s\nclasspath %s\n' "$options" "$classpath"
  IFS=:
  exec stat -L -c '%s %Y %n' "$JAVA_HOME/release" "$JAVA_HOME/lib/modules" \
    "$JAVA_HOME/lib/server/libjvm.so" ${alrai_seal:+"$alrai_seal"} $classpath 2>/dev/null
)

# sets stamp to what the cache would have to be made of now, and cache to where it would be
alrai_name_cache() {
  cache=
  command -v cksum >/dev/null || return 0
  stamp=$(alrai_stamp) || return 0
  cache=$alrai_caches/$(printf '%s' "$stamp" | cksum | tr ' ' -).aot
}

# alrai_name_cache; caches are in the user's directory where alrai_caches has none that fits and cannot
# be written, as that of a release which somebody else has unpacked
alrai_choose_caches() {
  alrai_name_cache
  if [ -z "$alrai_seal" ] || alrai_cache_fits; then return; fi
  if [ -e "$alrai_caches" ]; then
    [ ! -w "$alrai_caches" ] || return 0
  else
    [ ! -w "$root" ] || return 0
  fi
  mine=${ALRAI_CACHE:-${XDG_CACHE_HOME:+$XDG_CACHE_HOME/alrai}}
  [ -n "$mine" ] || mine=${HOME:+$HOME/.cache/alrai}
  [ -n "$mine" ] || return 0
  alrai_caches=$mine/warm/$(printf '%s' "$root" | cksum | tr ' ' -)
  alrai_name_cache
}

# whether the cache is there, whole, and made of just that
alrai_cache_fits() {
  [ -n "$cache" ] && [ -s "$cache" ] && [ -r "$cache" ] && [ "$(cat "${cache%.aot}.stamp" 2>/dev/null)" = "$stamp" ]
}

# As a job of its own: makes the cache by these arguments of alrai, unless it is there or did not work
# before; one process does so at a time. Ends with 3 where nothing can be kept.
alrai_make_cache() {
  part=$cache.$$ failed=${cache%.aot}.failed child= scratch=
  set -f
  trap 'rm -f "$part" "$part.config"; [ -z "$scratch" ] || alrai_remove "$scratch"' EXIT
  trap '[ -z "$child" ] || { kill -KILL "$child"; wait "$child"; } 2>/dev/null || true; rm -f "$failed"; exit 143' INT TERM HUP
  [ -n "$cache" ] && mkdir -p "$alrai_caches" 2>/dev/null && (: >>"$alrai_caches/lock") 2>/dev/null || exit 3
  exec 9>>"$alrai_caches/lock"
  if command -v flock >/dev/null; then
    flock 9 &
    child=$!
    wait "$child" || exit 1
    child=
  fi
  ! alrai_cache_fits || exit 0
  [ ! -f "$failed" ] || exit 1
  find "$alrai_caches" -type f ! -name lock -exec rm -f {} + 2>/dev/null || exit 3
  scratch=$(mktemp -d 2>/dev/null) || exit 3
  (: >"$failed") 2>/dev/null || exit 3 # stays where this shell is killed
  echo "warming up, once for each build (up to a minute) ..." >&2
  sleep 1 # a jar that changes from now on has another second in the stamp
  (: >"$alrai_caches/log") 2>/dev/null || exit 3
  # Every step is looked at: a disk that fills up may leave half of a file.
  if alrai_learn -XX:AOTMode=record "-XX:AOTConfiguration=$part.config" "-Djava.io.tmpdir=$scratch" \
        io.alrai.cn.console.Main "$@" &&
      alrai_learn -XX:AOTMode=create "-XX:AOTConfiguration=$part.config" "-XX:AOTCache=$part" &&
      alrai_learn -XX:AOTMode=on "-XX:AOTCache=$part" $alrai_cache_options io.alrai.cn.console.Main --version &&
      [ "$(alrai_stamp)" = "$stamp" ] &&
      mv "$part" "$cache" && (printf '%s\n' "$stamp" >"$part") 2>/dev/null &&
      mv "$part" "${cache%.aot}.stamp" && alrai_cache_fits; then
    rm -f "$failed"
  else
    rm -f "$cache" "${cache%.aot}.stamp"
    echo "alrai: JVMs start without a cache of classes and profiles, see $alrai_caches/log" >&2
    exit 1
  fi
}

# runs a JVM with these arguments and ends as it does
alrai_learn() {
  "$JAVA_HOME/bin/java" $options -Xmx512m "-Dalrai.openpgp=$alrai_openpgp" -cp "$classpath" "$@" </dev/null >>"$alrai_caches/log" 2>&1 9>&- &
  child=$!
  wait "$child" || { child=; return 1; }
  child=
}

# removes a directory in which mysqlds may still be about to end, within five seconds of their parent
alrai_remove() {
  for attempt in 1 2 3 4 5 6 7 8; do
    rm -rf "$1" 2>/dev/null && return
    sleep 1
  done
}

# alrai_make_cache, which ends with this shell
alrai_warm() {
  alrai_make_cache "$@" &
  maker=$!
  trap 'kill "$maker" 2>/dev/null || true; wait "$maker" || true; exit 143' INT TERM HUP
  wait "$maker" && made=0 || made=$?
  trap - INT TERM HUP
  return "$made"
}
