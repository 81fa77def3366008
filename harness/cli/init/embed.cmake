# cmake -D ROOT=... -D TO=init_files.c -P embed.cmake: the files of `picafuzz init` as C, so that an installed program has
# them. Each line: where it is here, where it goes, whether it is a script.
set(FILES
  "pica/backend.h|picafuzz/pica/backend.h|false"
  "docs/example/plug_in.c|picafuzz/plug_in.c|false"
  "docs/example/plug_in.cpp|picafuzz/plug_in.cpp|false"
  "harness/cli/init/CMakeLists.txt|picafuzz/CMakeLists.txt|false"
  "harness/cli/init/my.quirks|picafuzz/my.quirks|false"
  "corpus/seeds/fill/widths.pcase|picafuzz/cases/fill.pcase|false"
  "harness/cli/init/fetch.sh|picafuzz/fetch.sh|true"
  "harness/cli/init/build.sh|picafuzz/build.sh|true"
  "harness/cli/init/check.sh|picafuzz/check.sh|true"
  "harness/cli/init/regress.sh|picafuzz/regress.sh|true"
  "harness/cli/init/github.yml|.github/workflows/picafuzz.yml|false"
  "harness/cli/init/gitlab.yml|picafuzz/gitlab-ci.yml|false")
set(texts "")
set(rows "")
foreach(line IN LISTS FILES)
  string(REPLACE "|" ";" parts "${line}")
  list(GET parts 0 from)
  list(GET parts 1 path)
  list(GET parts 2 is_script)
  string(MAKE_C_IDENTIFIER ${path} identifier)
  file(READ ${ROOT}/${from} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes ${bytes})
  string(APPEND texts "static const unsigned char text_${identifier}[] = { ${bytes} 0 };\n")
  string(APPEND rows "    { \"${path}\", (const char *)text_${identifier}, ${is_script} },\n")
endforeach()
file(WRITE ${TO} "/* Made by harness/cli/init/embed.cmake. */\n#include \"harness/cli/init_files.h\"\n\n${texts}\n"
  "const struct cli_init_file cli_init_files[] = {\n${rows}    { NULL, NULL, false },\n};\n")
