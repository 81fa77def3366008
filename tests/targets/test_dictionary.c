/* The generated dictionary, by the grammar that libFuzzer and afl-fuzz publish, taken in its narrower part:
 *   line = "#" anything | name "=" quote character+ quote ; name = letter, digit or "_"
 *   character = printable but " and \ | "\x" hex hex | "\\" | "\" quote
 * afl-fuzz takes up to 128 bytes an entry, libFuzzer 64. */
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the entry, -1 if the line breaks the grammar. */
static int parse(const char *line, uint8_t *bytes, size_t capacity)
{
    const char *at = line;
    size_t count = 0;
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    if (at == line || *at++ != '=' || *at++ != '"')
        return -1;
    while (*at != '"' && *at != '\0') {
        unsigned value = (unsigned char)*at;
        if (*at == '\\' && at[1] == 'x' && isxdigit((unsigned char)at[2]) && isxdigit((unsigned char)at[3])) {
            const char digits[3] = { at[2], at[3], '\0' };
            value = (unsigned)strtoul(digits, NULL, 16);
            at += 4;
        } else if (*at == '\\' && (at[1] == '\\' || at[1] == '"')) {
            value = (unsigned char)at[1];
            at += 2;
        } else if (isprint((unsigned char)*at) && *at != '\\') {
            at++;
        } else {
            return -1;
        }
        if (count == capacity)
            return -1;
        bytes[count++] = (uint8_t)value;
    }
    return strcmp(at, "\"") == 0 && count != 0 ? (int)count : -1;
}

static bool read_line(FILE *file, char *line, size_t size)
{
    if (fgets(line, (int)size, file) == NULL)
        return false;
    cr_assert_not_null(strchr(line, '\n'), "a line is too long or not ended");
    line[strcspn(line, "\n")] = '\0';
    return true;
}

Test(dictionary, every_line_parses_and_none_comes_twice)
{
    FILE *const file = fopen(PICAFUZZ_BINARY_DIR "/fuzz_pair.dict", "r");
    cr_assert_not_null(file);
    static uint8_t seen[4096][5];
    size_t entries = 0;
    for (char line[512]; read_line(file, line, sizeof line);) {
        uint8_t bytes[64];
        if (line[0] == '#' || line[0] == '\0')
            continue;
        const int count = parse(line, bytes, sizeof bytes);
        cr_assert(count >= 1 && count <= 4, "%s", line);
        uint8_t key[5] = { (uint8_t)count };
        memcpy(key + 1, bytes, (size_t)count);
        for (size_t i = 0; i < entries; i++)
            cr_assert_neq(memcmp(seen[i], key, sizeof key), 0, "twice: %s", line);
        cr_assert_lt(entries, 4096);
        memcpy(seen[entries++], key, sizeof key);
    }
    cr_expect_gt(entries, 1000);
    (void)fclose(file);
}

/* From "=" on where `wanted` begins with it: which name comes first for the same bytes does not matter. */
static bool has_line(const char *path, const char *wanted)
{
    FILE *const file = fopen(path, "r");
    cr_assert_not_null(file);
    bool found = false;
    for (char line[512]; !found && read_line(file, line, sizeof line);)
        found = strcmp(wanted[0] == '=' ? line + strcspn(line, "=") : line, wanted) == 0;
    (void)fclose(file);
    return found;
}

Test(dictionary, it_holds_heads_words_opcodes_and_floats)
{
    static const char *const lines[] = {
        "write_DRAWARRAYS=\"\\x2E\\x02\"",            /* .pcb: id, full mask */
        "header_DRAWARRAYS=\"\\x2E\\x02\\x0F\\x00\"", /* CMD-02: id, mask 0xF */
        "trigger_DRAWARRAYS=\"\\x2E\\xC2\"",          /* .pcb: short, no byte of the parameter */
        "record_run0=\"\\x00\\x88\"",                 /* docs/formats/pcb.md: kind 8 */
        "=\"\\x00\\x00\\x00\\x08\"",                  /* opcode 0x02 in bits 31:26 */
        "float32_one=\"\\x00\\x00\\x80\\x3F\"",
        "float24_one=\"\\x00\\x00\\x3F\"", /* FLT-10: exponent 63, mantissa 0 */
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        cr_expect(has_line(PICAFUZZ_BINARY_DIR "/fuzz_pair.dict", lines[i]), "%s", lines[i]);
}

/* libFuzzer's own limit would be 4096 bytes. */
Test(dictionary, the_options_file_raises_the_limits_and_names_the_dictionary)
{
    static const char *const lines[] = { "[libfuzzer]", "max_len = 65536", "timeout = 25", "entropic = 0",
                                         "dict = fuzz_pair.dict" };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        cr_expect(has_line(PICAFUZZ_BINARY_DIR "/fuzz_pair.options", lines[i]), "%s", lines[i]);
}
