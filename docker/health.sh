#!/bin/bash
# Whether the role of this container is ready: for Docker's health check.
host=${ALRAI_HOST:-${ALRAI_NODE:-127.0.0.1}}
exec 3<>"/dev/tcp/$host/${ALRAI_METRICS_PORT:-9100}" || exit 1
printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3
answer=$(timeout 4 cat <&3)
echo "$answer" | tail -n 1
[[ $answer == HTTP/1.?" 200 "* ]]
