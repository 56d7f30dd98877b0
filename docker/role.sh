#!/bin/sh
# Runs one role of a cluster, configured by the environment:
#   ALRAI_ROLE    gms, dn, logger, cn or columnar; `up` for a whole cluster in one process
#   ALRAI_NODE    its name, such as dn-1
#   ALRAI_HOST    where it listens and the others reach it; its name where this is not set
#   ALRAI_PORT    the port there
#   ALRAI_GMS     nodes of the GMS to begin with, NAME@HOST:PORT,...
#   ALRAI_SECRET_FILE    a file with what is the same on every node; or ALRAI_SECRET: that itself
#   ALRAI_METRICS_PORT   where its metrics and its health are; 9100 where this is not set
#   ALRAI_PROPERTIES     more lines of the role's file (docs/reference/configuration.md)
#   ALRAI_ROOT_PASSWORD  of a CN: what root of a new cluster gets
#   ALRAI_HEAP, ALRAI_DIRECT  memory of the JVM; shares of the container's where they are not set
# With the one argument `secret` it makes ALRAI_SECRET_FILE, unless that is there. Further arguments are for `up`.
set -eu
if [ "${1-}" = secret ]; then
  [ -s "$ALRAI_SECRET_FILE" ] && exit 0
  umask 377
  od -A n -N 24 -t x1 /dev/urandom | tr -d ' \n' >"$ALRAI_SECRET_FILE.part"
  mv "$ALRAI_SECRET_FILE.part" "$ALRAI_SECRET_FILE"
  exit 0
fi

# MiB that this container may take, 0 where it may take all
limit() {
  for file in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    if [ -r "$file" ]; then
      bytes=$(cat "$file")
      case $bytes in
        max | ???????????????*) echo 0 ;;
        *) echo $((bytes / 1048576)) ;;
      esac
      return
    fi
  done
  echo 0
}

role=${ALRAI_ROLE:-up}
limit=$(limit)
columns=
if [ "$limit" -gt 0 ]; then
  # percent for the heap and for direct memory; the rest is for the JVM itself, the mysqld of a DN, columns
  case $role in
    dn) heap=25 direct=10 ;;
    up) heap=20 direct=10 ;;
    columnar) heap=25 direct=10 columns=$((limit * 40 / 100)) ;;
    *) heap=40 direct=20 ;;
  esac
  export ALRAI_HEAP="${ALRAI_HEAP:-$((limit * heap / 100))m}" ALRAI_DIRECT="${ALRAI_DIRECT:-$((limit * direct / 100))m}"
fi
data=${ALRAI_DATA:-/var/lib/alrai}
if [ "$role" = up ]; then
  exec alrai up --host 0.0.0.0 --data "$data" "$@"
fi
if [ -n "${ALRAI_SECRET_FILE-}" ]; then
  ALRAI_SECRET=$(cat "$ALRAI_SECRET_FILE")
fi
for name in ALRAI_NODE ALRAI_PORT ALRAI_GMS ALRAI_SECRET; do
  eval "value=\${$name-}"
  if [ -z "$value" ]; then
    echo "alrai: $name is not set" >&2
    exit 2
  fi
done
umask 077
config=$data/$ALRAI_NODE.properties
rm -f "$config"
cat >"$config" <<END
node = $ALRAI_NODE
data = $data
listen = ${ALRAI_HOST:-$ALRAI_NODE}:$ALRAI_PORT
gms = $ALRAI_GMS
secret = $ALRAI_SECRET
metrics.port = ${ALRAI_METRICS_PORT:-9100}
${columns:+columns.memory.mb = $columns}
${ALRAI_PROPERTIES-}
END
unset ALRAI_SECRET
exec alrai "$role" --config "$config"
