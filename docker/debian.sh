#!/usr/bin/env bash
# Makes a tar of a small Debian out of its packages: docker/debian.sh FILE.tar [PACKAGE..]
# Wants root, and mmdebstrap or apt-get to fetch it. ALRAI_DEBIAN_MIRROR says where from.
set -euo pipefail
file=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! command -v mmdebstrap >/dev/null; then
  chmod 755 "$scratch"
  (cd "$scratch" && apt-get -q -o APT::Sandbox::User=root download mmdebstrap >"$scratch/log" 2>&1) || {
    echo "no Debian can be made: no mmdebstrap: $(tail -n 1 "$scratch/log")" >&2
    exit 3
  }
  dpkg-deb -x "$scratch"/mmdebstrap_*.deb "$scratch"
  PATH=$PATH:$scratch/usr/bin
fi
# what the image debian:trixie-slim leaves out, too
mmdebstrap --quiet --variant=minbase --mode=root --format=tar ${1:+--include="$*"} \
  --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/info/*' \
  --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
  trixie "$file.part" "${ALRAI_DEBIAN_MIRROR:-http://deb.debian.org/debian}"
mv "$file.part" "$file"
