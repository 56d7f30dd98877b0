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
echo "making $image from Debian's packages" >&2
"$(dirname "$0")/debian.sh" "$scratch/base.tar"
docker import --change 'CMD ["bash"]' "$scratch/base.tar" "$image" >/dev/null
