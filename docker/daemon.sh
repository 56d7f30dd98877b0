#!/usr/bin/env bash
# A Docker daemon for tests, on a Debian machine where one is root and none runs; nothing is installed.
#   daemon.sh up DIR             starts one that keeps everything in DIR, in a network of its own: what it
#                                runs reaches nobody outside, and a port that it publishes is found by `in`
#   daemon.sh up DIR --online    the same in the machine's network, without bridges: for builds that fetch
#   daemon.sh in DIR COMMAND..   runs a command in that network, with docker and its compose plugin at hand
#   daemon.sh down DIR           ends the daemon and what it runs; images and volumes stay in DIR
#   daemon.sh remove DIR         the same, and removes DIR
# Docker comes from Debian's packages, into ALRAI_CACHE (~/.cache/alrai). Where none can be had, `up` says why in one
# line and ends with 3. The daemon has its processes and mounts in namespaces: they end with it.
set -euo pipefail

cache=${ALRAI_CACHE:-$HOME/.cache/alrai}/docker-26
packages=$cache/root
libraries=$packages/usr/lib/$(uname -m)-linux-gnu
own=$(readlink -f "$0")
seconds=60

none() {
  echo "no Docker daemon: $1" >&2
  exit 3
}

# The last line that a command wrote.
last() {
  sed -e '/^[[:space:]]*$/d' "$1" | tail -n 1
}

# The process that is the first one in the daemon's namespaces, as it is seen from here.
first() {
  pgrep --parent "$(cat "$dir/keeper" 2>/dev/null)" 2>/dev/null
}

fetch() {
  [ ! -f "$cache/whole" ] || return 0
  for tool in apt-get dpkg-deb unshare nsenter pgrep flock; do
    command -v $tool >/dev/null || none "$tool is missing: it is fetched on Debian only"
  done
  mkdir -p "$cache"
  exec 8>"$cache/lock"
  flock 8
  [ ! -f "$cache/whole" ] || return 0
  rm -rf "$packages" "$cache/apt"
  mkdir -p "$packages" "$cache/apt/lists/partial" "$cache/apt/archives/partial" "$cache/apt/parts" "$cache/apt/debs"
  chmod -R a+rX "$cache"
  # stable's Docker needs libraries that Debian 12 has; its runc and iptables do not, so these are the machine's own
  cat >"$cache/apt/parts/trixie.sources" <<END
Types: deb
URIs: ${ALRAI_DEBIAN_MIRROR:-http://deb.debian.org/debian}
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
  cat >"$cache/apt/conf" <<END
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$cache/apt/parts";
Dir::State::lists "$cache/apt/lists";
Dir::Cache "$cache/apt";
APT::Sandbox::User "root";
Acquire::Retries "3";
END
  (
    apt-get -q update &&
      apt-get -q -y --download-only --reinstall --no-install-recommends -o APT::Sandbox::User=root \
        -o Acquire::Retries=3 -o Dir::Cache::archives="$cache/apt/archives" install \
        runc iptables libip4tc2 libip6tc2 libxtables12 libnftnl11 libmnl0 libnetfilter-conntrack3 libseccomp2 tini &&
      cd "$cache/apt/debs" &&
      APT_CONFIG=$cache/apt/conf apt-get -q update &&
      APT_CONFIG=$cache/apt/conf apt-get -q download docker.io docker-cli docker-buildx docker-compose containerd
  ) >"$cache/log" 2>&1 || none "its packages cannot be fetched: $(last "$cache/log")"
  for deb in "$cache"/apt/archives/*.deb "$cache"/apt/debs/*.deb; do
    dpkg-deb -x "$deb" "$packages"
  done
  mkdir "$packages/bin-of-docker"
  for tool in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore; do
    ln -s "$packages/usr/sbin/xtables-nft-multi" "$packages/bin-of-docker/$tool"
  done
  rm -rf "$cache/apt"
  touch "$cache/whole"
}

# Runs as the first process of the namespaces.
serve() {
  export PATH=$packages/bin-of-docker:$packages/usr/sbin:$packages/usr/bin:$PATH
  export LD_LIBRARY_PATH=$libraries:$packages/lib/$(uname -m)-linux-gnu XTABLES_LIBDIR=$libraries/xtables
  local how=()
  if [ "${2-}" = --online ]; then
    how=(--bridge none --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false)
  else
    ip link set lo up
  fi
  exec tini-static -s -- dockerd --data-root "$dir/data" --exec-root "$dir/exec" --pidfile "$dir/pid" \
    --host "unix://$dir/docker.sock" --cgroup-parent "/$(cat "$dir/cgroup")" "${how[@]}"
}

up() {
  [ "$(uname -s)" = Linux ] || none "this is not Linux"
  [ "$(id -u)" = 0 ] || none "only root can start one"
  fetch
  if first >/dev/null; then
    echo "a daemon serves in $dir already" >&2
    exit 1
  fi
  mkdir -p "$dir/client/cli-plugins"
  ln -sf "$packages"/usr/libexec/docker/cli-plugins/* "$dir/client/cli-plugins/"
  # directories that the daemon makes, empty, and does not remove
  for made in /run/docker/plugins /run/docker /opt/containerd/bin /opt/containerd/lib /opt/containerd; do
    [ -e "$made" ] || echo "$made" >>"$dir/made"
  done
  echo "alrai-docker-$$" >"$dir/cgroup"
  rm -f "$dir/pid" "$dir/docker.sock"
  local network=--net
  [ "${1-}" != --online ] || network=
  setsid unshare $network --mount --pid --fork --kill-child --mount-proc bash "$own" serve "$dir" ${1-} \
    </dev/null >"$dir/log" 2>&1 8>&- &
  echo $! >"$dir/keeper"
  for ((i = 0; i < seconds * 5; i++)); do
    if "$own" in "$dir" docker version >/dev/null 2>&1; then
      return
    fi
    kill -0 "$(cat "$dir/keeper")" 2>/dev/null || break
    sleep 0.2
  done
  local why
  why=$(grep -v 'level=info' "$dir/log" | tail -n 1)
  down
  none "it does not serve: ${why:-nothing within $seconds s}"
}

down() {
  local keeper one
  keeper=$(cat "$dir/keeper" 2>/dev/null) || return 0
  one=$(first) || one=
  [ -z "$one" ] || kill "$one" 2>/dev/null || true
  for ((i = 0; i < seconds * 5; i++)); do
    kill -0 "$keeper" 2>/dev/null || break
    sleep 0.2
  done
  kill -KILL "$keeper" 2>/dev/null || true # and all in its namespaces with it
  find /sys/fs/cgroup -depth -type d -path "*/$(cat "$dir/cgroup")*" -exec rmdir {} + 2>/dev/null || true
  if [ -f "$dir/made" ]; then
    xargs rmdir <"$dir/made" 2>/dev/null || true
  fi
  rm -rf "$dir/keeper" "$dir/cgroup" "$dir/made" "$dir/docker.sock" "$dir/exec"
}

enter() {
  local one
  one=$(first) || none "none serves in $dir"
  export DOCKER_HOST=unix://$dir/docker.sock DOCKER_CONFIG=$dir/client PATH=$PATH:$packages/usr/bin
  exec nsenter --target "$one" --net -- "$@"
}

[ $# -ge 2 ] || { sed -n '2,10s/^# //p' "$0" >&2; exit 2; }
command=$1
dir=$(readlink -m "$2")
shift 2
case $command in
  up) up "$@" ;;
  serve) serve "$dir" "$@" ;;
  in) enter "$@" ;;
  down) down ;;
  remove) down && rm -rf "$dir" ;;
  *) echo "daemon.sh: up, in, down or remove, not $command" >&2; exit 2 ;;
esac
