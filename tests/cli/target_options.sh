# To be sourced by what stands in for a fuzz target: the arguments that picafuzz gives one, as libFuzzer takes them.
# Sets `prefix`, where found inputs go, `most`, the bytes of an input that it reads, and `corpus`, the last directory
# named.
# shellcheck shell=sh
for argument in "$@"; do
  case $argument in
    -artifact_prefix=*) prefix=${argument#*=} ;;
    -max_len=*) most=${argument#*=} ;;
    -*) ;;
    *) corpus=$argument ;;
  esac
done
