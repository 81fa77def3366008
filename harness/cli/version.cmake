# cmake -D SOURCE=... -D COMPILER="..." -D BUILD_TYPE=... -D TO=picafuzz_version.h -P version.cmake: what `picafuzz --version` says
# of the build. Runs at every build and writes only what changed. A source archive has the file COMMIT instead of git.
cmake_minimum_required(VERSION 3.25)
set(commit "unknown")
if(EXISTS ${SOURCE}/.git)
  find_program(GIT git)
  if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${GIT} -C ${SOURCE} diff-index --quiet HEAD -- RESULT_VARIABLE changed ERROR_QUIET)
    if(changed)
      string(APPEND commit ", changed")
    endif()
  endif()
elseif(EXISTS ${SOURCE}/COMMIT)
  file(STRINGS ${SOURCE}/COMMIT commit LIMIT_COUNT 1)
endif()
file(CONFIGURE OUTPUT ${TO} @ONLY CONTENT "/* Made by harness/cli/version.cmake. */
#define PICAFUZZ_COMMIT \"@commit@\"
#define PICAFUZZ_COMPILER \"@COMPILER@\"
#define PICAFUZZ_BUILD \"@BUILD_TYPE@\"
")
