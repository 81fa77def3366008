# cmake -D FROM=harness/console -D SELF_TESTS="a;b" -D TO=embedded.c -P embed.cmake: the program for the console and the
# self-tests as C.
set(texts "")
set(rows "")
foreach(name IN LISTS SELF_TESTS)
  file(READ ${FROM}/self_tests/${name}.pcase bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes ${bytes})
  string(APPEND texts "static const unsigned char text_${name}[] = { ${bytes} 0 };\n")
  string(APPEND rows "    { \"${name}\", (const char *)text_${name}, sizeof text_${name} - 1 },\n")
endforeach()
set(program "")
if(EXISTS ${FROM}/runner/runtime.3dsx)
  file(READ ${FROM}/runner/runtime.3dsx program HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," program "${program}")
endif()
file(WRITE ${TO} "/* Made by harness/console/embed.cmake. */\n#include \"harness/console/export.h\"\n"
  "#include \"harness/console/program.h\"\n\n${texts}\nstatic const unsigned char program[] = { ${program} 0 };\n\n"
  "const uint8_t *console_program(size_t *size)\n{\n    *size = sizeof program - 1;\n    return program;\n}\n\n"
  "const struct console_self_test console_self_tests[] = {\n${rows}    { NULL, NULL, 0 },\n};\n")
