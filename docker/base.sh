#!/usr/bin/env bash
# Makes the image debian:trixie-slim, with which the Dockerfiles begin, from Debian's packages where no registry
# answers; ALRAI_REGISTRY=no asks none. Wants root, a Docker daemon, and mmdebstrap or apt-get to fetch it.
set -euo pipefail
image=debian:trixie-slim
if docker image inspect "$image" >/dev/null 2>&1; then
  exit 0
fi
if [ "${ALRAI_REGISTRY-}" != no ] && timeout 120 docker pull -q "$image" >/dev/null 2>&1; then
  exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! command -v mmdebstrap >/dev/null; then
  chmod 755 "$scratch"
  (cd "$scratch" && apt-get -q -o APT::Sandbox::User=root download mmdebstrap >"$scratch/log" 2>&1) || {
    echo "$image cannot be made: no mmdebstrap: $(tail -n 1 "$scratch/log")" >&2
    exit 3
  }
  dpkg-deb -x "$scratch"/mmdebstrap_*.deb "$scratch"
  PATH=$PATH:$scratch/usr/bin
fi
# what the image of that name leaves out, too
echo "making $image from Debian's packages" >&2
mmdebstrap --quiet --variant=minbase --mode=root --format=tar \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/info/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  trixie "$scratch/base.tar" "${ALRAI_DEBIAN_MIRROR:-http://deb.debian.org/debian}"
docker import --change 'CMD ["bash"]' "$scratch/base.tar" "$image" >/dev/null
