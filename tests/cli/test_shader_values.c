/* `picafuzz shader --uniform ...`: what backends compute is what consoles computed (corpus/hardware, H02 to H04), and
 * where they differ it says so. */
#include "tests/cli/command.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;

static char directory[1024];

static void write_text(const char *name, const char *text)
{
    cr_assert(write_bytes(directory, name, text, strlen(text)));
}

static void run_in(const char *format)
{
    run_picafuzz_in(&result, directory, format);
}

static void expect_in(const char *format, int exit_code, const char *part)
{
    run_in(format);
    cr_expect_eq(result.exit_code, exit_code, "picafuzz %s: exit code %d, expected %d\n%s", format, result.exit_code,
                 exit_code, result.output);
    cr_expect_not_null(strstr(result.output, part), "picafuzz %s: output lacks '%s':\n%s", format, part, result.output);
}

/* --------------------------------------------------------------------------------------------- computations as code */

/* A computation on its way to assembly and uniforms. */
struct computation {
    const char *at;
    char code[4096], uniforms[4096];
    unsigned constants, temporaries;
};

static void add(char *out, size_t size, const char *format, const char *a, unsigned x, const char *b)
{
    const size_t length = strlen(out);
    (void)snprintf(out + length, size - length, format, a, x, b);
}

/* "[inf,1,0,1]" or "-0.1", which stands for four of it, as a uniform; its number. */
static unsigned take_constant(struct computation *computation)
{
    char value[128];
    const char *const begin = computation->at + (*computation->at == '[');
    const size_t length = strcspn(begin, *computation->at == '[' ? "]" : ",)");
    if (*computation->at == '[')
        (void)snprintf(value, sizeof value, "%.*s", (int)length, begin);
    else
        (void)snprintf(value, sizeof value, "%.*s,%.*s,%.*s,%.*s", (int)length, begin, (int)length, begin, (int)length,
                       begin, (int)length, begin);
    computation->at = begin + length + (begin != computation->at);
    add(computation->uniforms, sizeof computation->uniforms, " --uniform %sc%u=%s", "", computation->constants, value);
    return computation->constants++;
}

/* The temporary register that holds it. Instructions whose second operand may be a uniform get it as one. */
static unsigned take_computation(struct computation *computation)
{
    char name[16], operands[3][16], line[96];
    const size_t length = strcspn(computation->at, "([,)");
    int count = 0;
    if (computation->at[length] != '(' || computation->at[0] == '[') {
        (void)snprintf(line, sizeof line, "mov r%u, c%u\n", computation->temporaries, take_constant(computation));
        add(computation->code, sizeof computation->code, "%s%.0u%s", line, 0, "");
        return computation->temporaries++;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)length, computation->at);
    const bool is_wide = name[strlen(name) - 1] == 'i';
    computation->at += length;
    while (*computation->at != ')') {
        computation->at++;
        if (is_wide && count == 1)
            (void)snprintf(operands[count++], sizeof operands[0], "c%u", take_constant(computation));
        else
            (void)snprintf(operands[count++], sizeof operands[0], "r%u", take_computation(computation));
    }
    computation->at++;
    const bool is_difference = strcmp(name, "sub") == 0;
    (void)snprintf(line, sizeof line, "%s r%u, %s%s%s%s%s%s\n", is_difference ? "add" : name, computation->temporaries,
                   operands[0], count > 1 ? ", " : "", is_difference ? "-" : "", count > 1 ? operands[1] : "",
                   count > 2 ? ", " : "", count > 2 ? operands[2] : "");
    add(computation->code, sizeof computation->code, "%s%.0u%s", line, 0, "");
    return computation->temporaries++;
}

/* Runs the code on both of ours and returns what they say. */
static cJSON *run_code(const char *code, const char *uniforms)
{
    char text[8192], arguments[8192];
    (void)snprintf(text, sizeof text, "mov o0, v0\n%send\n", code);
    write_text("computation.asm", text);
    (void)snprintf(arguments, sizeof arguments, "shader --json -b reference,fast%s '@/computation.asm'", uniforms);
    run_in(arguments);
    cr_assert_eq(result.exit_code, 0, "%s\n%s", text, result.output);
    cJSON *const object = cJSON_Parse(result.output);
    cr_assert_not_null(object, "%s", result.output);
    cr_assert_eq(cJSON_GetArraySize(cJSON_GetObjectItem(object, "backends")), 2);
    return object;
}

/* Output o1's x, as the tables call it. */
static const char *class_of(const cJSON *backend)
{
    const cJSON *const vertex = cJSON_GetArrayItem(cJSON_GetObjectItem(backend, "vertices"), 0);
    const cJSON *output = NULL;
    cJSON_ArrayForEach(output, cJSON_GetObjectItem(vertex, "outputs"))
    {
        const char *const text = cJSON_GetArrayItem(cJSON_GetObjectItem(output, "values"), 0)->valuestring;
        if (cJSON_GetObjectItem(output, "index")->valueint != 1)
            continue;
        return strcmp(text, "-0") == 0 ? "0"
               : strcmp(text, "0") == 0 || strcmp(text, "1") == 0 || strstr(text, "inf") || strstr(text, "nan")
                   ? text
                   : "other";
    }
    return "no output";
}

/* ----------------------------------------------------------------------------------------------------------- tables */

/* Calls `row` with the words of each row of a table; returns how many there are. */
static unsigned each_row(const char *name, void (*row)(char **words))
{
    char path[1024], line[1024];
    unsigned count = 0;
    bool begun = false;
    (void)snprintf(path, sizeof path, "%s/corpus/hardware/%s.table", PICAFUZZ_SOURCE_DIR, name);
    FILE *const file = fopen(path, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *words[8] = { NULL }, *rest = NULL;
        int i = 0;
        for (char *word = strtok_r(line, " \n", &rest); word != NULL && i < 8; word = strtok_r(NULL, " \n", &rest))
            words[i++] = word;
        if (begun && words[0] != NULL) {
            row(words);
            count++;
        }
        begun = begun || (words[0] != NULL && strcmp(words[0], "columns") == 0);
    }
    (void)fclose(file);
    return count;
}

static void expect_class(char **words)
{
    static struct computation computation;
    memset(&computation, 0, sizeof computation);
    computation.at = words[0];
    const unsigned last = take_computation(&computation);
    add(computation.code, sizeof computation.code, "%smov o1, r%u\n%s", "", last, "");
    cJSON *const object = run_code(computation.code, computation.uniforms);
    for (int k = 0; k < 2; k++) {
        const char *const found = class_of(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "backends"), k));
        cr_expect_str_eq(found, words[2], "%s on %s: a console has %s, found %s", words[0],
                         k == 0 ? "reference" : "fast", words[2], found);
    }
    cJSON_Delete(object);
}

/* FLT-24 to FLT-27, FLT-30, FLT-31: 41 computations. */
Test(cli_shader_values, H02_classes_are_those_of_a_console)
{
    fresh_directory(directory, sizeof directory, "shader-h02");
    cr_expect_eq(each_row("H02-float-classes", expect_class), 41);
}

static void expect_bytes(char **words)
{
    char code[512], uniforms[512];
    unsigned bytes[3];
    const bool is_wide = strcmp(words[0], "dphi") == 0, is_binary = words[1 + 1][0] != '-' || words[2][1] != '\0';
    if (strcmp(words[0], "mova") == 0)
        (void)snprintf(code, sizeof code, "mov r0, c0\nmova a0.x, r0\nmov o1, c[a0.x+16]\n");
    else
        (void)snprintf(code, sizeof code, "mov r0, c0\nmov r1, c1\n%s r2, r0%s\nmov o1, r2\n", words[0],
                       !is_binary ? ""
                       : is_wide  ? ", c1"
                                  : ", r1");
    (void)snprintf(uniforms, sizeof uniforms,
                   " --uniform c0=%s --uniform c1=%s --uniform c16=0,0,0,0 --uniform c17=1,1,1", words[1],
                   is_binary ? words[2] : "0");
    cr_assert_eq(sscanf(words[4], "%x,%x,%x", &bytes[0], &bytes[1], &bytes[2]), 3, "%s", words[4]);
    cJSON *const object = run_code(code, uniforms);
    for (int k = 0; k < 2; k++) {
        const cJSON *const picture =
            cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(object, "backends"), k), "picture");
        cr_expect_eq(cJSON_GetObjectItem(picture, "drawn")->valueint, 64);
        for (int c = 0; c < 3; c++) {
            const int found = cJSON_GetArrayItem(cJSON_GetObjectItem(picture, "middle"), c)->valueint;
            cr_expect_eq(found, (int)bytes[c], "%s (%s), (%s) on %s: a console has %u, found %d", words[0], words[1],
                         words[2], k == 0 ? "reference" : "fast", bytes[c], found);
        }
    }
    cJSON_Delete(object);
}

/* ITP-13, FLT-27, SHD-30, SHD-32. */
Test(cli_shader_values, H03_and_H04_bytes_are_those_of_a_console)
{
    fresh_directory(directory, sizeof directory, "shader-h03");
    cr_expect_eq(each_row("H03-shader-rounding", expect_bytes), 3);
    cr_expect_eq(each_row("H04-shader-operations", expect_bytes), 27);
}

/* ------------------------------------------------------------------------------------------------------ differences */

#define LIBRARY(name) "'" PICAFUZZ_BINARY_DIR "/lib/" name ".so'"

static const char max_code[] = "    mov r0, c0\n"
                               "    mov r1, c1\n"
                               "    max r2, r0, r1\n"
                               "    mova a0.x, c2\n"
                               "    cmp c0, eq, lt, r2\n"
                               "    mov o0, v0\n"
                               "    mov o1, r2\n"
                               "    end\n";

static void begin(const char *name)
{
    fresh_directory(directory, sizeof directory, name);
    write_text("max.asm", max_code);
}

Test(cli_shader_values, outputs_are_printed_for_given_values)
{
    begin("shader-outputs");
    expect_in("shader --input v0=1,-2.5 --uniform c1=0.5,0x40000000,inf '@/max.asm'", 0,
              "vertex 0\n  o0 position                      1 -2.5 0 1\n"
              "  o1 color                         0.5 2 inf 1\n");
    cr_expect_not_null(strstr(result.output, "  c1 = 0.5 2 inf 1\n"), "%s", result.output);
    cr_expect_null(strstr(result.output, "vertex 1"), "all corners are alike:\n%s", result.output);
    expect_in("shader --input v0=1/2/3 '@/max.asm'", 0, "vertex 2\n  o0 position                      3 0 0 1\n");
    expect_in("shader --trace '@/max.asm'", 0,
              "   2  max r2, r0, r1 @0\n        result                     0 0 0 0\n   3  mova a0.x, c2 @1\n");
    expect_in("shader --trace '@/max.asm'", 0, "picture, R G B A                   64 of 64 pixels, all 0 0 0 0\n");
    expect_in("shader --entry 7 '@/max.asm'", 0, "  o1 color                         0 0 0 0\n");
}

/* A console's numbers have 16 bits behind the point: 1 + 2^-17 is 1. */
Test(cli_shader_values, numbers_are_those_of_a_console_if_wanted)
{
    begin("shader-float24");
    expect_in("shader --uniform c1=1.00000762939453125 '@/max.asm'", 0,
              "  o1 color                         1.00000763 0 0 1\n");
    expect_in("shader --float24 --uniform c1=1.00000762939453125 '@/max.asm'", 0,
              "  o1 color                         1 0 0 1\n");
}

/* What is given is said, if the program reads it or not; a path is one line. */
Test(cli_shader_values, the_head_says_what_is_given)
{
    begin("shader-head");
    expect_in("shader --uniform i1=1,2 --uniform b3=true --uniform b4=false --input v5=7 '@/max.asm'", 0,
              "  i1 = 1 2 0 0\n  b3 = true\n  b4 = false\n");
    cr_expect_not_null(strstr(result.output, "  v5 = 7 0 0 1   (not read by the program)\n"), "%s", result.output);
    cr_expect_null(strstr(result.output, "  v6 = "), "%s", result.output);
    expect_in("shader --json --case '@/draw.pcase' '@/max.asm'", 0, "\"differs\":false");
    expect_in("diff '@/draw.pcase'", 0, "agree");
    write_text("two\nlines.asm", max_code);
    expect_in("shader '@/two\nlines.asm' > '@/printed.asm'", 0, "");
    expect_in("shader --trace '@/printed.asm'", 0, "  o1 color");
    expect_in("shader --trace '@/two\nlines.asm'", 0, "/two?lines.asm: program 0, entry point 0\n");
}

/* FLT-26: the side of a choice is another backend. */
Test(cli_shader_values, the_first_instruction_that_differs_is_named)
{
    begin("shader-differs");
    expect_in("shader --uniform c1=-inf -b reference,fast,reference+max-infinity=minus-infinity '@/max.asm'", 1,
              "vertex 0\n"
              "   2  max r2, r0, r1 @0\n"
              "        result                     0 [00000000] 0 [00000000] 0 [00000000] 1 [3F800000]\n"
              "    reference+max-infinity=minus-infinity: -inf [FF800000] 0 [00000000] 0 [00000000] 1 [3F800000]   <-- "
              "differs\n");
    cr_expect_not_null(strstr(result.output, "they differ: lines without a name are of reference\n"), "%s",
                       result.output);
    cr_expect_null(strstr(result.output, "    fast:"), "%s", result.output);
    expect_in("shader --uniform c1=-inf -b reference,fast '@/max.asm'", 0, "they agree\n");
    expect_in("shader --json --uniform c1=-inf -b reference,reference+max-infinity=minus-infinity '@/max.asm'", 1,
              "\"differs\":true,\"base\":\"reference\"");
}

/* Of a plug-in without a trace there are final vertices, or the picture. */
Test(cli_shader_values, plug_ins_are_compared_by_what_they_show)
{
    begin("shader-plug-ins");
    cr_assert_eq(setenv("PICAFUZZ_PARTIAL", "five", 1), 0);
    expect_in("shader -b reference," LIBRARY("partial_backend") " '@/max.asm'", 0,
              "partial has no trace: it shows the picture alone\n");
    cr_assert_eq(setenv("PICAFUZZ_PARTIAL", "deaf", 1), 0);
    expect_in("shader -b reference," LIBRARY("partial_backend") " '@/max.asm'", 1,
              "    partial:                       nothing was drawn   <-- differs\n");
    expect_in("shader -b " LIBRARY("partial_backend") ",reference '@/max.asm'", 1,
              "    partial:                       nothing was drawn   <-- differs\n");
    cr_assert_eq(setenv("PICAFUZZ_TRACELESS", "1", 1), 0);
    cr_assert_eq(setenv("PICAFUZZ_CHOICES", "max-infinity=minus-infinity", 1), 0);
    expect_in("shader --input v0=1 --uniform c1=-inf -b reference," LIBRARY("chosen_backend") " '@/max.asm'", 1,
              "  final vertex, color.r            0 [00000000]\n"
              "    chosen:                        1 [3F800000]   <-- differs\n");
    expect_in("shader --input v0=1 --uniform c1=2 -b " LIBRARY("chosen_backend") " '@/max.asm'", 0,
              "  final vertex, color.r            1\n");
    expect_in("shader -b " LIBRARY("minimal_plug_in") ",fast '@/max.asm'", 2, "minimal: not tested: ");
}

Test(cli_shader_values, what_is_no_value_is_refused_with_the_reason)
{
    static const char *const rows[][2] = {
        { "--input v0", "--input v0: expected REGISTER=VALUE" },
        { "--input c0=1", "expected v0 to v15, or the name of an input, found 'c0'" },
        { "--input v16=1", "found 'v16'" },
        { "--uniform v0=1", "expected c0 to c95, i0 to i3, b0 to b15, or the name of a uniform, found 'v0'" },
        { "--input v0=1,,2", "expected a number, as 0.5, -1e20, inf, nan or 0x7F800000, found ''" },
        { "--input v0=1e", "found '1e'" },
        { "--input v0=0x1p3", "found '0x1p3'" },
        { "--input v0=0x123456789", "found '0x123456789'" },
        { "--input v0=1,2,3,4,5", "expected at most 4 numbers, found '5'" },
        { "--input v0=1/2/3/4", "expected at most 3 vectors with / between them" },
        { "--uniform c0=1/2", "expected at most 1 vector with / between them" },
        { "--uniform i0=256", "expected 1 to 4 numbers 0-255, found '256'" },
        { "--uniform i0=1,2,3,4,5", "expected at most 4 numbers 0-255" },
        { "--uniform b0=maybe", "expected true or false, found 'maybe'" },
        { "--program 1", "--program 1: expected a number from 0 to 0" },
        { "--entry nowhere", "--entry nowhere: expected a label of the file or a code word 0 to 8" },
        { "--entry 9", "--entry 9: expected a label of the file or a code word 0 to 8" },
    };
    begin("shader-values");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char arguments[512];
        (void)snprintf(arguments, sizeof arguments, "shader %s '@/max.asm'", rows[i][0]);
        expect_in(arguments, 2, rows[i][1]);
    }
    write_text("no-output.asm", "mov r0, v0\nend\n");
    expect_in("shader --trace '@/no-output.asm'", 2, "expected a program that writes an output, found none");
    expect_in("shader -b ./none.so '@/max.asm'", 2, "none.so");
}

/* ------------------------------------------------------------------------------------------------------------ cases */

/* The case leaves what was printed, and is one for every other command. */
Test(cli_shader_values, a_case_has_the_draw)
{
    begin("shader-case");
    expect_in("shader --uniform c1=1,0.5,0.25,1 --case '@/draw.pcase' '@/max.asm'", 0, "");
    expect_in("diff '@/draw.pcase'", 0, "agree");
    expect_in("show '@/draw.pcase'", 0, "        max r2, r0, r1 @0\n");
    expect_in("run -o '@/pictures' '@/draw.pcase'", 0, "1 draw(s)");
    cr_expect_null(strstr(result.output, "undefined"), "%s", result.output);
    expect_in("export --list '@/draw.pcase'", 0, "draw");
    expect_in("shader --case '@/draw.pcb' -b reference,fast '@/max.asm'", 0, "they agree\n");
    expect_in("diff '@/draw.pcb'", 0, "agree");
    expect_in("shader --case '@/max.asm' '@/max.asm'", 2, "would overwrite");
}

/* ---------------------------------------------------------------------------------------------------------- hunting */

/* The tool's own text, with the numbers of descriptors in it, is the same shader. */
Test(cli_shader_values, printed_text_computes_the_same)
{
    begin("shader-printed");
    write_text("e.asm", "mov o0.xy, -v1.wzyx\nmov o0.zw, v1.x\nend\n");
    expect_in("shader '@/e.asm' > '@/e2.asm'", 0, "");
    expect_in("shader --input v1=1,2,3,4 '@/e.asm'", 0, "  o0 position                      -4 -3 1 1\n");
    expect_in("shader --input v1=1,2,3,4 '@/e2.asm'", 0, "  o0 position                      -4 -3 1 1\n");
}

/* A nameless program with an index reads all uniforms: 96 at once. */
Test(cli_shader_values, a_hunt_makes_cases_of_an_indexed_program_and_of_none_without_an_output)
{
    begin("shader-indexed");
    write_text("indexed.asm", "mov o0, v0\nmov o1, c[a0.x+2]\nend\n");
    expect_in("fuzz --shader '@/indexed.asm' --seeds 1..40 --findings '@/none'", 0, "40 cases, all before seed 41");
    write_text("no-output.asm", "mov r0, v0\nend\n");
    expect_in("fuzz --shader '@/no-output.asm' --seeds 1..40 --findings '@/more'", 2, "writes an output, found none");
}

Test(cli_shader_values, a_hunt_varies_one_program)
{
    begin("shader-hunt");
    expect_in("fuzz --shader '@/max.asm' --seeds 1..300 --findings '@/none'", 0, "300 cases, all before seed 301");
    cr_expect_not_null(strstr(result.output, "no findings"), "%s", result.output);
    expect_in("fuzz --shader '@/max.asm' --seeds 1..600 --reduce-seconds 0 --max-findings 1 --findings '@/findings' "
              "-b reference,reference+max-infinity=minus-infinity",
              1, "findings/seed-");
    run_in("show '@/findings/'seed-*.pcase");
    cr_expect_not_null(strstr(result.output, "        max r2, r0, r1 @0\n"), "the program stays:\n%s", result.output);
    write_text("max.asm", "mov o0, v0\nend\n");
    expect_in("fuzz --shader '@/max.asm' --seeds 1..300 --findings '@/none'", 2, "another hunt");
    expect_in("fuzz --shader '@/max.asm' corpus/captures --findings '@/more'", 2, "leave files and --corpus out");
    expect_in("fuzz --shader '@/max.asm' --engine afl --findings '@/more'", 2, "--shader are for the loop over seeds");
    expect_in("fuzz --shader docs/finding.png --findings '@/more'", 2, "this is a picture (PNG), no shader");
}
