#!/bin/sh
# bench.sh mixed|tpcc|tpch [OPTIONS]: a benchmark of alrai through the balancer, tables and all. The password of root is
# MYSQL_PWD.
set -eu
export ALRAI_HEAP="${ALRAI_HEAP:-768m}"
[ $# -gt 0 ] || set -- mixed
kind=$1
shift
case " $* " in
  *" --help "*) exec alrai bench "$kind" --help ;;
esac
exec alrai bench "$kind" --url "mysql://root@${ALRAI_BALANCER:-haproxy}:8527/" --load "$@"
