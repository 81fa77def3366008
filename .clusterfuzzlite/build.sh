#!/usr/bin/env bash
# One build for OSS-Fuzz and ClusterFuzzLite.
set -euo pipefail
exec "$SRC/picafuzz/ci/oss-fuzz/build.sh"
