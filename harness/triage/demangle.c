#include "harness/triage/demangle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 256 /* bytes of a name */
};

struct reader {
    const char *at;
    char text[MOST], last[MOST]; /* what is read of the name; its last part */
};

static bool add(struct reader *reader, const char *part, size_t length)
{
    const size_t size = strlen(reader->text);
    const int written = snprintf(reader->text + size, MOST - size, "%s%.*s", size != 0 ? "::" : "", (int)length, part);
    return written >= 0 && (size_t)written < MOST - size;
}

/* "8geometry" */
static bool read_part(struct reader *reader)
{
    char *end = NULL;
    const unsigned long length = strtoul(reader->at, &end, 10);
    if (end == reader->at || length == 0 || length > strlen(end) || length >= MOST)
        return false;
    const bool anonymous = length > 8 && strncmp(end, "_GLOBAL_", 8) == 0;
    (void)snprintf(reader->last, MOST, "%.*s", (int)length, end);
    reader->at = end + length;
    return anonymous ? add(reader, "(anonymous)", strlen("(anonymous)")) : add(reader, reader->last, length);
}

/* "C1", "D2" behind the name of the class */
static bool read_special(struct reader *reader)
{
    char name[MOST + 1];
    if (reader->last[0] == '\0' || reader->at[1] < '0' || reader->at[1] > '9')
        return false;
    (void)snprintf(name, sizeof name, "%s%s", reader->at[0] == 'D' ? "~" : "", reader->last);
    reader->at += 2;
    return add(reader, name, strlen(name));
}

bool harness_demangle(const char *symbol, char *out, size_t size)
{
    struct reader reader = { .at = symbol };
    if (strncmp(symbol, "_Z", 2) != 0)
        return false;
    reader.at += 2;
    const bool nested = *reader.at == 'N';
    reader.at += nested;
    while (*reader.at == 'K' || *reader.at == 'V' || *reader.at == 'L') /* const, volatile; static */
        reader.at++;
    if (!read_part(&reader))
        return false;
    while (nested && *reader.at != 'E')
        if (*reader.at == 'C' || *reader.at == 'D' ? !read_special(&reader) : !read_part(&reader))
            return false;
    if (*reader.at == 'I' || strlen(reader.text) >= size) /* a template's arguments */
        return false;
    (void)snprintf(out, size, "%s", reader.text);
    return true;
}
