/*
 * libFuzzer's notes of a merge (-merge_control_file), text:
 *
 *     3                       inputs
 *     0                       of them in the first corpus
 *     /corpus/0a4d...         their names, a line each
 *     STARTED 0 378           input 0, of 378 bytes, begins
 *     FT 0 4 17               it has ended, and has these features
 *     COV 0 2 5               and these edges
 *
 * An input that ends the process has no line FT, whatever ended it: nobody knows what it reaches. Nor has the last one
 * if the notes are cut; an incomplete line does not count, nor does one to which the next process appended its first.
 */
#include "harness/campaign/campaign_parts.h"
#include "harness/campaign/set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <xxhash.h>

/* One line at a time; those with features may have a megabyte. */
struct notes {
    FILE *file;
    char *line;
    size_t room;
    char **inputs; /* their names */
    unsigned long count;
};

uint64_t campaign_hash_name(const char *name)
{
    return XXH3_64bits(name, strlen(name));
}

uint64_t campaign_hash_input(const char *name, uint64_t size)
{
    return XXH3_64bits_withSeed(name, strlen(name), size + 1); /* 0 is no seed */
}

static bool next_line(struct notes *notes)
{
    const ssize_t length = getline(&notes->line, &notes->room, notes->file);
    if (length <= 0 || notes->line[length - 1] != '\n') /* cut */
        return false;
    notes->line[length - 1] = '\0';
    return true;
}

static bool read_number(const char *text, unsigned long *out)
{
    char *end = NULL;
    *out = strtoul(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && (*end == '\0' || *end == ' ');
}

static bool read_names(struct notes *notes)
{
    unsigned long first = 0;
    if (!next_line(notes) || !read_number(notes->line, &notes->count) || notes->count > CAMPAIGN_MERGE_MOST ||
        !next_line(notes) || !read_number(notes->line, &first))
        return false;
    notes->inputs = calloc(notes->count + 1, sizeof *notes->inputs);
    for (unsigned long i = 0; notes->inputs != NULL && i < notes->count; i++) {
        if (!next_line(notes))
            return false;
        const char *const slash = strrchr(notes->line, '/');
        notes->inputs[i] = strdup(slash != NULL ? slash + 1 : notes->line);
        if (notes->inputs[i] == NULL)
            return false;
    }
    return notes->inputs != NULL;
}

/* The text behind the mark with which the line begins; NULL: it does not, or is more than one line. */
static const char *numbers_after(const struct notes *notes, const char *mark)
{
    const char *const numbers = notes->line + strlen(mark);
    const bool has_mark = strncmp(notes->line, mark, strlen(mark)) == 0;
    return has_mark && numbers[strspn(numbers, " 0123456789")] == '\0' ? numbers : NULL;
}

static bool read_judged(struct notes *notes, struct campaign_set *out)
{
    unsigned long started = notes->count, size = 0, ended = 0; /* `started`: none */
    while (next_line(notes)) {
        bool is_new = false;
        const char *const start = numbers_after(notes, "STARTED "), *const end = numbers_after(notes, "FT ");
        if (start != NULL && (sscanf(start, "%lu %lu", &started, &size) != 2 || started >= notes->count))
            return false;
        if (end == NULL)
            continue;
        if (!read_number(end, &ended) || ended != started || started >= notes->count ||
            !campaign_set_add(out, campaign_hash_name(notes->inputs[ended]), &is_new) ||
            !campaign_set_add(out, campaign_hash_input(notes->inputs[ended], size), &is_new))
            return false;
    }
    return ferror(notes->file) == 0;
}

bool campaign_merge_judged(const char *path, struct campaign_set *out)
{
    struct notes notes = { .file = fopen(path, "re") };
    campaign_set_free(out);
    const bool good = notes.file != NULL && read_names(&notes) && read_judged(&notes, out);
    if (notes.file != NULL)
        (void)fclose(notes.file);
    free(notes.line);
    for (unsigned long i = 0; notes.inputs != NULL && i < notes.count; i++)
        free(notes.inputs[i]);
    free(notes.inputs);
    return good;
}
