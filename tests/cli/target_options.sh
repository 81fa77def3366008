# To be sourced by what stands in for a fuzz target: the arguments that picafuzz gives one, as libFuzzer takes them.
# Sets `prefix`, where found inputs go, and `corpus`, the last directory named.
# shellcheck shell=sh
for argument in "$@"; do
  case $argument in
    -artifact_prefix=*) prefix=${argument#*=} ;;
    -*) ;;
    *) corpus=$argument ;;
  esac
done
