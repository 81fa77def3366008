#!/usr/bin/env bash
# Installs the Debian 12 packages that building, testing and fuzzing need; does nothing where they are there already.
# Usage: ci/setup.sh [extra package...]      (as root, or with sudo)
set -euo pipefail

packages=(
  build-essential   # gcc, libc headers
  clang             # release builds and sanitizers; libFuzzer comes with its run-time library:
  libclang-rt-14-dev
  llvm-14           # llvm-symbolizer, llvm-profdata, llvm-cov
  lld               # links in half the time or less
  clang-format-14   # ci/check_format.sh
  cmake ninja-build pkg-config git binutils
  patch             # bench/bugs
  libpng-dev        # pictures
  libcjson-dev      # --json
  libconfig-dev     # --quirks
  libxxhash-dev     # digests
  libcriterion-dev  # tests
  libunicorn-dev    # tests of the console program: an ARM processor
  python3           # ci/expected
  curl yamllint          # tests of what picafuzz init writes
  "$@"
)

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $state == "install ok installed" ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || { echo "ci/setup.sh: run as root, or install: ${missing[*]}" >&2; exit 4; }
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
