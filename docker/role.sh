#!/bin/sh
# Runs one role of a cluster, configured by the environment:
#   ALRAI_ROLE    gms, dn or cn
#   ALRAI_NODE    its name, such as dn-1
#   ALRAI_HOST    where it listens and the others reach it; its name where this is not set
#   ALRAI_PORT    the port there
#   ALRAI_GMS     nodes of the GMS to begin with, NAME@HOST:PORT,...
#   ALRAI_SECRET  the same on every node
#   ALRAI_ROOT_PASSWORD  of a CN: what root of a new cluster gets
set -eu
for name in ALRAI_ROLE ALRAI_NODE ALRAI_PORT ALRAI_GMS ALRAI_SECRET; do
  eval "value=\${$name-}"
  if [ -z "$value" ]; then
    echo "alrai: $name is not set" >&2
    exit 2
  fi
done
umask 077
data=${ALRAI_DATA:-/var/lib/alrai}
mkdir -p "$data"
config=$data/$ALRAI_NODE.properties
rm -f "$config"
cat >"$config" <<END
node = $ALRAI_NODE
data = $data
listen = ${ALRAI_HOST:-$ALRAI_NODE}:$ALRAI_PORT
gms = $ALRAI_GMS
secret = $ALRAI_SECRET
END
exec "$(dirname "$0")/../alrai" "$ALRAI_ROLE" --config "$config"
