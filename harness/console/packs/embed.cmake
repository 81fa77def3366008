# cmake -D FROM=corpus/questions -D ARRAY=console_asked_texts -D TO=questions.c [-D "NAMES=A;B"] -P embed.cmake: the cases
# of a folder, or those of these names, as C, so that an installed program has them.
if(NOT DEFINED NAMES)
  file(GLOB NAMES RELATIVE ${FROM} ${FROM}/*.pcase)
  list(TRANSFORM NAMES REPLACE "\\.pcase$" "")
endif()
list(SORT NAMES)
set(texts "")
set(rows "")
foreach(name IN LISTS NAMES)
  string(MAKE_C_IDENTIFIER text_${name} identifier)
  file(READ ${FROM}/${name}.pcase bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes ${bytes})
  string(APPEND texts "static const unsigned char ${identifier}[] = { ${bytes} 0 };\n")
  string(APPEND rows "    { \"${name}\", (const char *)${identifier}, sizeof ${identifier} - 1 },\n")
endforeach()
file(WRITE ${TO} "/* Made by harness/console/packs/embed.cmake. */\n#include \"harness/console/packs/splits.h\"\n\n"
  "${texts}\nconst struct console_asked_text ${ARRAY}[] = {\n${rows}    { NULL, NULL, 0 },\n};\n")
