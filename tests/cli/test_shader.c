/* `picafuzz shader` as a user runs it. */
#include "tests/cli/command.h"
#include "tests/shader/dvlb.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;

/* `format` has "@" where the directory goes. */
static void expect_in(const char *directory, const char *format, int exit_code, const char *part)
{
    run_picafuzz_in(&result, directory, format);
    cr_expect_eq(result.exit_code, exit_code, "picafuzz %s: exit code %d, expected %d\n%s", format, result.exit_code,
                 exit_code, result.output);
    cr_expect_not_null(strstr(result.output, part), "picafuzz %s: output lacks '%s':\n%s", format, part, result.output);
}

/* A vertex shader: the position times a matrix, the colour times a constant. */
static void write_compiled(const char *directory, const char *name)
{
    static const uint32_t code[] = { 0x08000000, 0x08001001, 0x08002002, 0x08003003, 0x2033F004, 0x88000000 };
    static const uint32_t descriptors[] = { 0x0000036F, 0x0000036F };
    static const struct dvlb_program program = {
        .end = 5,
        .input_mask = 0x3,
        .output_mask = 0x3,
        .constants = { { 2, 95, { 0x3E0000, 0x3E0000, 0x3E0000, 0x3F0000 } } },
        .constant_count = 1,
        .labels = { { "main", 0 }, { "endmain", 5 } },
        .label_count = 2,
        .outputs = { { 0, 0, 0xF }, { 2, 1, 0xF } },
        .output_count = 2,
        .names = { { "inpos", 0, 0 }, { "incol", 1, 1 }, { "projection", 0x10, 0x13 } },
        .name_count = 3,
    };
    struct harness_text bytes = { 0 };
    dvlb_write(code, 6, descriptors, 2, &program, 1, &bytes);
    cr_assert(write_bytes(directory, name, bytes.data, bytes.size));
    harness_text_free(&bytes);
}

Test(cli_shader, it_teaches_by_example)
{
    expect_in("", "shader --help", 0, "\n  picafuzz shader vertex.shbin ");
    expect_in("", "shader", 2, "give one file");
    expect_in("", "--help", 0, "\n  shader ");
}

Test(cli_shader, a_compiled_shader_is_shown_and_its_text_shown_again)
{
    char directory[1024];
    fresh_directory(directory, sizeof directory, "shader-shown");
    write_compiled(directory, "a.shbin");
    expect_in(directory, "shader '@/a.shbin'", 0, ";   uniform   c0-c3 projection\n");
    expect_in(directory, "shader '@/a.shbin'", 0, "\nmain:\n    ");
    expect_in(directory, "shader --json '@/a.shbin'", 0, "\"name\":\"inpos\",\"first\":\"v0\"");
    expect_in(directory, "shader '@/a.shbin' > '@/a.asm'", 0, "");
    expect_in(directory, "shader '@/a.asm'", 0, "a.asm: assembly, 1 program, 6 instructions");
    expect_in(directory, "shader --json '@/a.asm'", 0, "\"kind\":\"assembly\"");
    expect_in(directory, "shader --trace '@/a.shbin'", 0,
              "code word 2 names operand descriptor @2, and the file has 2: it is run as 0, which writes nothing\n");
}

/* Emits a triangle around its point: c0, c1 and c2 are added to v0, v1 is its colour. `mode`: 0 takes points. */
static void write_geometry(const char *directory, const char *name, uint8_t mode)
{
    static const uint32_t code[] = {
        0x4E000000, 0xAC000000, 0x00020800, 0x4C201000, 0xA8000000, 0xAD000000, 0x00021800,
        0x4C201000, 0xA8000000, 0xAE800000, 0x00022800, 0x4C201000, 0xA8000000, 0x88000000
    };
    static const uint32_t descriptors[] = { 0x0006C36F };
    const struct dvlb_program program = {
        .unit = 1,
        .end = 13,
        .input_mask = 0x3,
        .output_mask = 0x3,
        .geometry = { mode },
        .outputs = { { 0, 0, 0xF }, { 2, 1, 0xF } },
        .output_count = 2,
        .names = { { "point", 0, 0 }, { "tint", 1, 1 }, { "corners", 0x10, 0x12 } },
        .name_count = 3,
    };
    struct harness_text bytes = { 0 };
    dvlb_write(code, 14, descriptors, 1, &program, 1, &bytes);
    cr_assert(write_bytes(directory, name, bytes.data, bytes.size));
    harness_text_free(&bytes);
}

/* Once for each point; what differs on another machine is marked, here by a sum that is another one's. */
Test(cli_shader, a_geometry_program_of_points_is_run_and_drawn_with)
{
    char directory[200];
    fresh_directory(directory, sizeof directory, "shader-geometry");
    write_geometry(directory, "g.shbin", 0);
#define GIVEN " --input point=0,0,-0.5,1 --input tint=1,0.5,0 --uniform corners=-1,-1,0,0/3,-1,0,0/-1,3,0,0 '@/g.shbin'"
    expect_in(directory, "shader" GIVEN, 0, "\n  emitted as 1, o0 position o1 color 3 -1 -0.5 1 1 0.5 0 1\n");
    expect_in(directory, "shader" GIVEN, 0,
              "\npicture, R G B A                   64 of 64 pixels, all 255 127 0 255\n");
    expect_in(directory, "shader -b reference,fast --trace" GIVEN, 0, "\n   2  add o0, c0, r0 @0\n        result ");
    expect_in(directory, "shader -b reference,fast --trace" GIVEN, 0, "\nthey agree\n");
    expect_in(directory, "shader --json" GIVEN, 0, "\"what\":\"emitted as 2, o0 position o1 color\"");
    expect_in(directory,
              "shader -b reference,reference+primary-rounding=truncates --input tint=0.25,0,0 --uniform "
              "corners=-1,-1,0,0/3,-1,0,0/-1,3,0,0 --input point=0,0,-0.5,1 '@/g.shbin'",
              1, "<-- differs");
    expect_in(directory, "shader --case '@/g.pcase'" GIVEN, 0, "");
    expect_in(directory, "diff '@/g.pcase'", 0, "agree");
    expect_in(directory, "fuzz --shader '@/g.shbin' --seeds 1..5 --findings '@/hunt'", 0, "5 cases");
    write_geometry(directory, "fixed.shbin", 2);
    expect_in(directory, "shader '@/fixed.shbin'", 0, "geometry");
    expect_in(directory, "shader --trace '@/fixed.shbin'", 2,
              "fixed.shbin: a geometry shader of mode 2 is shown, but not run: it has no inputs");
}

/* A file of another kind is refused by name, and no command takes a shader for a case. */
Test(cli_shader, shaders_and_cases_are_not_taken_for_each_other)
{
    static const char *const commands[] = { "show",
                                            "run",
                                            "diff",
                                            "check",
                                            "import -o @/out",
                                            "import -o @/out --list",
                                            "import -o @/out --list @/list.bin --state vertex.code=@/a.shbin",
                                            "reduce -o @/out.pcase",
                                            "explore -o @/page",
                                            "regress -b reference -b fast -o @/regress",
                                            "coverage",
                                            "asm -o @/out.pcb",
                                            "fuzz --seconds 1 --findings @/findings",
                                            "mutate" };
    char directory[1024], line[2048];
    fresh_directory(directory, sizeof directory, "shader-refused");
    write_compiled(directory, "a.shbin");
    write_compiled(directory, "a.bin");
    cr_assert(write_bytes(directory, "list.bin", "\0\0\0\0\x10\0\x0F\0", 8));
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        for (int k = 0; k < 2; k++) {
            const bool is_named = strstr(commands[i], ".shbin") != NULL;
            (void)snprintf(line, sizeof line, "%s%s", commands[i],
                           is_named ? ""
                           : k == 0 ? " '@/a.shbin'"
                                    : " '@/a.bin'");
            expect_in(directory, line, 2, "this is a compiled shader (DVLB), which `picafuzz shader` takes");
        }
    expect_in("", "shader docs/finding.png", 2, "this is a picture (PNG), no shader");
    expect_in("", "shader corpus/seeds/fill/widths.pcase", 2, "this is a case or capture, no shader");
    expect_in("", "shader corpus/captures/mesh-f0.picacap", 2, "this is a case or capture, no shader");
    expect_in(directory, "shader '@/list.bin'", 2, "--raw");
    expect_in(directory, "shader '@/none.shbin'", 2, "none.shbin");
    expect_in("", "shader README.md", 2, "README.md:3:1: expected an instruction");
    expect_in(directory, "shader --opdescs '@/list.bin' '@/a.shbin'", 2, "--opdescs goes with --raw");
}

Test(cli_shader, words_of_code_are_taken_if_they_are_said_to_be)
{
    char directory[1024];
    fresh_directory(directory, sizeof directory, "shader-raw");
    cr_assert(write_bytes(directory, "code", "\0\x02\0\x4C\0\0\0\x88", 8));
    cr_assert(write_bytes(directory, "descriptors", "\x6F\x03\0\0", 4));
    cr_assert(write_bytes(directory, "odd", "\0\x02\0", 3));
    expect_in(directory, "shader '@/code'", 2, "words of code go with --raw");
    expect_in(directory, "shader --raw '@/code'", 0, "    mov o0, v0 @0");
    expect_in(directory, "shader --raw --opdescs '@/descriptors' '@/code'", 0, "; @0   0x0000036F");
    expect_in(directory, "shader --raw --trace '@/code'", 2,
              "code: code word 0: expected --opdescs with operand descriptor @0, found 0 descriptors");
    expect_in(directory, "shader --raw --opdescs '@/descriptors' --input v0=1,2,3,4 '@/code'", 0,
              "  o0 position                      1 2 3 4\n");
    expect_in(directory, "shader --raw '@/odd'", 2,
              "odd: offset 0x0: expected the end of at most 4096 words of 4 bytes");
}

/* A finding is of the whole file: here only the number of the register that a constant goes to is another. */
Test(cli_shader, a_changed_shader_is_another_hunt)
{
    char directory[1024], path[2048];
    uint8_t bytes[4096];
    fresh_directory(directory, sizeof directory, "shader-changed");
    write_compiled(directory, "a.shbin");
    expect_in(directory, "fuzz --shader '@/a.shbin' --seeds 1..5 --findings '@/hunt'", 0, "5 cases");
    cr_expect_not_null(strstr(result.output, "code word 2 names operand descriptor @2"), "%s", result.output);
    (void)snprintf(path, sizeof path, "%s/a.shbin", directory);
    FILE *const file = fopen(path, "rb");
    cr_assert_not_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    size_t at = 0;
    while (at + 4 < size && memcmp(bytes + at, "\2\0\x5F\0", 4) != 0)
        at++;
    cr_assert_lt(at + 4, size);
    bytes[at + 2] = 0x5E;
    cr_assert(write_bytes(directory, "a.shbin", bytes, size));
    expect_in(directory, "fuzz --shader '@/a.shbin' --seeds 1..5 --findings '@/hunt'", 2, "another hunt");
}
