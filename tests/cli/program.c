#include "tests/cli/program.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

enum {
    BUFFERS = 8,
    LINE = 8192
};

struct command_result result;
char complaint[sizeof result.output + LINE + 1024];

static char *buffer(void)
{
    static char buffers[BUFFERS][LINE];
    static unsigned next;
    return buffers[next++ % BUFFERS];
}

const char *words_of(const char *format, ...)
{
    char *const text = buffer();
    va_list arguments;
    va_start(arguments, format);
    cr_assert_lt(vsnprintf(text, LINE, format, arguments), LINE);
    va_end(arguments);
    return text;
}

/* ------------------------------------------------------------------------------------------------------- directory */

static char directory[1024];

void empty_test_directory(void)
{
    const struct criterion_test *const test = criterion_current_test;
    fresh_directory(directory, sizeof directory, words_of("%s/%s", test->category, test->name));
    cr_assert_neq(directory[0], '\0');
}

const char *test_directory(void)
{
    if (directory[0] == '\0')
        empty_test_directory();
    return directory;
}

const char *path_in(const char *name)
{
    return words_of("%s/%s", test_directory(), name);
}

size_t files_in(const char *name, const char *part)
{
    return count_files(path_in(name), part);
}

void write_in(const char *name, const char *text)
{
    cr_assert(write_bytes(test_directory(), name, text, strlen(text)), "%s", name);
}

/* --------------------------------------------------------------------------------------------------------- running */

/* Appends, with what the shell would look at escaped. */
static void append_path(char *text, size_t *n, const char *path)
{
    for (; *path != '\0'; path++) {
        if (!isalnum((unsigned char)*path) && strchr("/._-+", *path) == NULL)
            text[(*n)++] = '\\';
        text[(*n)++] = *path;
    }
}

static const char *plug_in(const char *name, int length)
{
    const char *const path = words_of("%s/lib/%.*s_backend.so", PICAFUZZ_BINARY_DIR, length, name);
    return file_exists(path) ? path : words_of("%s/lib/%.*s.so", PICAFUZZ_BINARY_DIR, length, name);
}

/* The line with "@" and "@name" replaced, but not the "@" of "a@b". */
static const char *with_paths(const char *line)
{
    char *const text = buffer();
    size_t n = 0;
    while (*line != '\0') {
        cr_assert_lt(n + 2 * sizeof directory, LINE, "too long: %s", line);
        if (*line++ != '@' || (n > 0 && isalnum((unsigned char)text[n - 1]))) {
            text[n++] = line[-1];
            continue;
        }
        const size_t name = strspn(line, "abcdefghijklmnopqrstuvwxyz_");
        append_path(text, &n, name == 0 ? test_directory() : plug_in(line, (int)name));
        line += name;
    }
    text[n] = '\0';
    return text;
}

/* Where the variables end. */
static const char *behind_variables(const char *words)
{
    for (const char *at = words;; words = at) {
        while (isupper((unsigned char)*at) || *at == '_')
            at++;
        if (at == words || *at != '=')
            return words;
        for (char quote = '\0'; *at != '\0' && (quote != '\0' || *at != ' '); at++)
            if (*at == quote)
                quote = '\0';
            else if (quote == '\0' && (*at == '\'' || *at == '"'))
                quote = *at;
        at += strspn(at, " ");
    }
}

static char last[LINE]; /* what was run */

void run(const char *words)
{
    (void)snprintf(last, sizeof last, "%s", words);
    const char *const line = with_paths(words), *const behind = behind_variables(line);
    run_picafuzz(&result, words_of("%.*s", (int)(behind - line), line), behind);
}

void run_shell(const char *line)
{
    (void)snprintf(last, sizeof last, "%s", line);
    run_command(&result, words_of("cd '%s' && PATH='%s/bin':\"$PATH\" && %s", PICAFUZZ_SOURCE_DIR, PICAFUZZ_BINARY_DIR,
                                  with_paths(line)));
}

void shell(const char *line)
{
    run_shell(line);
    cr_assert_eq(result.exit_code, 0, "%s: exit code %d: %s", line, result.exit_code, result.output);
}

/* ---------------------------------------------------------------------------------------------------- expectations */

bool says(const char *const *parts)
{
    for (; *parts != NULL; parts++)
        if (strstr(result.output, *parts) == NULL) {
            (void)snprintf(complaint, sizeof complaint, "%s: lacks '%s': %s", last, *parts, result.output);
            return false;
        }
    return true;
}

bool ended(int exit_code, const char *const *parts)
{
    if (result.exit_code == exit_code)
        return says(parts);
    (void)snprintf(complaint, sizeof complaint, "%s: exit code %d, expected %d: %s", last, result.exit_code, exit_code,
                   result.output);
    return false;
}

bool runs(const char *words, int exit_code, const char *const *parts)
{
    run(words);
    return ended(exit_code, parts);
}

bool lacks(const char *part)
{
    (void)snprintf(complaint, sizeof complaint, "%s: has '%s': %s", last, part, result.output);
    return strstr(result.output, part) == NULL;
}

size_t times_said(const char *part)
{
    size_t count = 0;
    for (const char *at = result.output; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

const char *text_of(const char *name)
{
    static char text[1 << 20];
    FILE *const file = fopen(path_in(name), "r");
    cr_assert_not_null(file, "%s", path_in(name));
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

bool file_says(const char *name, const char *const *parts)
{
    const char *const text = text_of(name);
    for (; *parts != NULL; parts++)
        if (strstr(text, *parts) == NULL) {
            (void)snprintf(complaint, sizeof complaint, "%s lacks '%s': %s", name, *parts, text);
            return false;
        }
    return true;
}
