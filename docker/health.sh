#!/bin/bash
# Whether the role of this container is ready: for Docker's health check. No other program is started: all containers
# ask often while a cluster starts.
host=${ALRAI_HOST:-${ALRAI_NODE:-127.0.0.1}}
exec 3<>"/dev/tcp/$host/${ALRAI_METRICS_PORT:-9100}" || exit 1
printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
IFS= read -r -t 4 -u 3 status || exit 1
last=
while IFS= read -r -t 4 -u 3 line || [[ -n $line ]]; do
  last=$line
done
echo "$last"
[[ $status == HTTP/1.?" 200 "* ]]
