#include "harness/console/packs/amend.h"

#include "harness/case/formats.h"
#include "pica/splits.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PAGES = 32,
    CONTEXT = 3 /* lines around a change */
};

/* A text by its lines; one that changed has other text in its place, of any number of lines. */
struct page {
    char path[64]; /* below the tree */
    char *text;
    char **lines; /* without their ends, in `text` */
    char **now;   /* owned; NULL: as it was */
    size_t count;
};

struct console_amend {
    struct page pages[MOST_PAGES]; /* 0 pica/splits.def, 1 docs/hardware.md, then those of docs/spec */
    size_t count;
    char piece[8];
    bool decided[PICA_CHOICES]; /* choices whose tag was amended */
    bool failed;
};

/* ------------------------------------------------------------------------------------------------------------ pages */

static enum harness_status split_lines(struct page *page, size_t size, struct harness_error *error)
{
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += page->text[i] == '\n';
    page->lines = calloc(lines, sizeof *page->lines);
    page->now = calloc(lines, sizeof *page->now);
    if (page->lines == NULL || page->now == NULL)
        return harness_fail_memory(error);
    for (char *at = page->text; *at != '\0';) {
        page->lines[page->count++] = at;
        at += strcspn(at, "\n");
        if (*at == '\n')
            *at++ = '\0';
    }
    return HARNESS_OK;
}

static enum harness_status read_page(struct console_amend *amend, const char *tree, const char *path,
                                     struct harness_error *error)
{
    struct page *const page = &amend->pages[amend->count];
    char full[4096];
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (amend->count == MOST_PAGES)
        return harness_fail(error, HARNESS_TOO_LARGE, "%s/docs/spec: more than %d files", tree, MOST_PAGES - 2);
    (void)snprintf(page->path, sizeof page->path, "%s", path);
    (void)snprintf(full, sizeof full, "%s/%s", tree, path);
    enum harness_status status = harness_file_read(full, &bytes, &size, error);
    if (status != HARNESS_OK)
        return status;
    page->text = calloc(size + 1, 1);
    amend->count++;
    if (page->text != NULL)
        memcpy(page->text, bytes, size);
    free(bytes);
    return page->text != NULL ? split_lines(page, size, error) : harness_fail_memory(error);
}

static enum harness_status read_spec(struct console_amend *amend, const char *tree, struct harness_error *error)
{
    char pattern[4096];
    glob_t found;
    enum harness_status status = HARNESS_OK;
    (void)snprintf(pattern, sizeof pattern, "%s/docs/spec/[0-9]*.md", tree);
    if (glob(pattern, 0, NULL, &found) != 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: has no docs/spec: not the project's folder", tree);
    for (size_t i = 0; status == HARNESS_OK && i < found.gl_pathc; i++)
        status = read_page(amend, tree, found.gl_pathv[i] + strlen(tree) + 1, error);
    globfree(&found);
    return status;
}

static const char *line_of(const struct page *page, size_t line)
{
    return page->now[line] != NULL ? page->now[line] : page->lines[line];
}

static void set_line(struct console_amend *amend, struct page *page, size_t line, const char *text)
{
    char *const copy = strdup(text);
    amend->failed = amend->failed || copy == NULL;
    if (copy == NULL)
        return;
    free(page->now[line]);
    page->now[line] = copy;
}

/* Of a row "| H06 | ..."; 0: it is none. */
static unsigned piece_of(const char *line)
{
    unsigned number = 0;
    return sscanf(line, "| H%2u |", &number) == 1 ? number : 0;
}

enum harness_status console_amend_open(const char *tree, struct console_amend **out, struct harness_error *error)
{
    unsigned last = 0;
    struct console_amend *const amend = calloc(1, sizeof *amend);
    *out = NULL;
    if (amend == NULL)
        return harness_fail_memory(error);
    enum harness_status status = read_page(amend, tree, "pica/splits.def", error);
    if (status == HARNESS_OK)
        status = read_page(amend, tree, "docs/hardware.md", error);
    if (status == HARNESS_OK)
        status = read_spec(amend, tree, error);
    if (status != HARNESS_OK) {
        console_amend_close(amend);
        return status;
    }
    for (size_t i = 0; i < amend->pages[1].count; i++)
        last = piece_of(amend->pages[1].lines[i]) > last ? piece_of(amend->pages[1].lines[i]) : last;
    (void)snprintf(amend->piece, sizeof amend->piece, "H%02u", (last + 1) % 100);
    *out = amend;
    return HARNESS_OK;
}

void console_amend_close(struct console_amend *amend)
{
    if (amend == NULL)
        return;
    for (size_t p = 0; p < amend->count; p++) {
        struct page *const page = &amend->pages[p];
        for (size_t i = 0; page->now != NULL && i < page->count; i++)
            free(page->now[i]);
        free(page->now);
        free(page->lines);
        free(page->text);
    }
    free(amend);
}

const char *console_amend_piece(const struct console_amend *amend)
{
    return amend->piece;
}

/* ------------------------------------------------------------------------------------------------------------ rules */

/* The text of a rule: lines first to end - 1 of a page. */
struct rule {
    struct page *page;
    size_t first, end;
};

/* Where a rule opens a line: "**FLT-27** ", "- **TEV-10** ", "| TEX-17 |". Its id and how long that is. */
static size_t rule_length(const char *line, const char **id)
{
    const char *at = line + strspn(line, " ");
    at += *at == '-' || *at == '*' || *at == '|' ? (at[1] == ' ' ? 2 : at[0] == '|' ? 1 : 0) : 0;
    at += strncmp(at, "**", 2) == 0 ? 2 : 0;
    size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ-");
    *id = at;
    if (length < 3 || at[length - 1] != '-' || !isdigit((unsigned char)at[length]) ||
        !isdigit((unsigned char)at[length + 1]))
        return 0;
    const char *const after = at + length + 2 + (strncmp(at + length + 2, "**", 2) == 0 ? 2 : 0);
    return *after == ' ' || *after == '|' ? length + 2 : 0;
}

static bool find_rule(struct console_amend *amend, const char *name, struct rule *out)
{
    for (size_t p = 2; p < amend->count; p++) {
        struct page *const page = &amend->pages[p];
        const char *id = NULL;
        for (size_t i = 0; i < page->count; i++) {
            const size_t length = rule_length(page->lines[i], &id);
            if (length != strlen(name) || strncmp(id, name, length) != 0)
                continue;
            *out = (struct rule){ page, i, i + 1 };
            while (out->end < page->count && page->lines[out->end][0] != '#' &&
                   rule_length(page->lines[out->end], &id) == 0)
                out->end++;
            return true;
        }
    }
    return false;
}

/* A tag, "[HW H06]", in the text of a rule. */
struct tag {
    size_t line;
    const char *at;
    size_t length;
};

static bool is_tag(const char *at)
{
    static const char *const kinds[] = { "[HW", "[DOC", "[EMU", "[SPLIT", "[CHOICE" };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const size_t length = strlen(kinds[i]);
        if (strncmp(at, kinds[i], length) == 0 && strchr("]: ", at[length]) != NULL && strchr(at, ']') != NULL)
            return true;
    }
    return false;
}

/* The next tag from a place on; false: there is none. */
static bool next_tag(const struct rule *rule, size_t line, const char *from, struct tag *out)
{
    for (; line < rule->end; from = ++line < rule->end ? line_of(rule->page, line) : NULL)
        for (const char *at = strchr(from, '['); at != NULL; at = strchr(at + 1, '['))
            if (is_tag(at)) {
                *out = (struct tag){ line, at, (size_t)(strchr(at, ']') - at) + 1 };
                return true;
            }
    return false;
}

static bool first_tag(const struct rule *rule, struct tag *out)
{
    return next_tag(rule, rule->first, line_of(rule->page, rule->first), out);
}

static bool is_open(const struct tag *tag)
{
    return strncmp(tag->at, "[SPLIT", 6) == 0 || strncmp(tag->at, "[CHOICE", 7) == 0;
}

/* `tag` becomes `text`, and that is said. */
static void replace(struct console_amend *amend, const struct rule *rule, const char *name, const struct tag *tag,
                    const char *text, struct harness_text *said)
{
    struct harness_text line;
    char twice[32];
    const char *const old = line_of(rule->page, tag->line);
    harness_text_init(&line);
    harness_text_format(said, "%s: %.*s -> %s\n", name, (int)tag->length, tag->at, text);
    harness_text_format(&line, "%.*s%s%s", (int)(tag->at - old), old, text, tag->at + tag->length);
    amend->failed = amend->failed || line.failed;
    const int length = snprintf(twice, sizeof twice, "%s]+[HW %s]", amend->piece, amend->piece);
    char *const found = strstr(harness_text_string(&line), twice);
    if (found != NULL) /* [HW H69, H82]+[HW H82] */
        memmove(found + strlen(amend->piece) + 1, found + length, strlen(found + length) + 1);
    set_line(amend, rule->page, tag->line, harness_text_string(&line));
    harness_text_free(&line);
}

/* "[HW H82]+" stands before it. */
static bool is_raised(const struct console_amend *amend, const struct rule *rule, const struct tag *tag)
{
    char before[16];
    const size_t length = (size_t)snprintf(before, sizeof before, "%s]+", amend->piece);
    return (size_t)(tag->at - line_of(rule->page, tag->line)) >= length &&
           strncmp(tag->at - length, before, length) == 0;
}

/* The tag names the piece, too. */
static void raise_tag(struct console_amend *amend, const struct rule *rule, const char *name, const struct tag *tag,
                      struct harness_text *said)
{
    char text[160];
    if (memmem(tag->at, tag->length, amend->piece, strlen(amend->piece)) != NULL || is_raised(amend, rule, tag))
        return;
    if (strncmp(tag->at, "[HW H", 5) == 0)
        (void)snprintf(text, sizeof text, "%.*s, %s]", (int)tag->length - 1, tag->at, amend->piece);
    else
        (void)snprintf(text, sizeof text, "[HW %s]+%.*s", amend->piece, (int)tag->length, tag->at);
    replace(amend, rule, name, tag, text, said);
}

/* Its first tag does. */
static void raise_rule(struct console_amend *amend, const struct rule *rule, const char *name,
                       struct harness_text *said)
{
    struct tag tag;
    if (first_tag(rule, &tag))
        raise_tag(amend, rule, name, &tag, said);
    else
        harness_text_format(said, "%s: has no tag\n", name);
}

void console_amend_rule(struct console_amend *amend, const char *name, struct harness_text *said)
{
    struct rule rule;
    if (find_rule(amend, name, &rule))
        raise_rule(amend, &rule, name, said);
}

/* ---------------------------------------------------------------------------------------------------------- choices */

/* Where "`name`" stands in the rule. */
static const char *find_mention(const struct rule *rule, const char *name, size_t *line)
{
    char mention[80];
    (void)snprintf(mention, sizeof mention, "`%s`", name);
    for (*line = rule->first; *line < rule->end; ++*line) {
        const char *const found = strstr(line_of(rule->page, *line), mention);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* The tag about a choice: the last before the choice is named; or the open one of a rule that names none. */
static bool find_choice_tag(const struct rule *rule, const char *name, struct tag *out)
{
    size_t line = 0, open = 0;
    struct tag tag;
    const char *const mention = find_mention(rule, name, &line);
    const char *from = line_of(rule->page, rule->first);
    bool found = false;
    for (size_t at = rule->first; next_tag(rule, at, from, &tag); at = tag.line, from = tag.at + tag.length) {
        const bool before = mention != NULL && (tag.line < line || (tag.line == line && tag.at < mention));
        open += is_open(&tag);
        if (before || (mention == NULL && is_open(&tag))) {
            found = true;
            *out = tag;
        }
    }
    return found && (mention != NULL || open == 1);
}

static bool has_other_open_side(uint32_t choice)
{
    for (uint32_t side = 1; side < pica_side_count(choice); side++)
        if (pica_side_info(choice, side)->standing == PICA_STANDING_OPEN)
            return true;
    return false;
}

/* Does the tag also stand for another choice of the rule, which is still open? */
static bool is_shared(const struct console_amend *amend, const struct rule *rule, uint32_t choice,
                      const struct tag *tag)
{
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        struct tag other;
        if (i != choice && strcmp(pica_choice_info(i)->rule, pica_choice_info(choice)->rule) == 0 &&
            has_other_open_side(i) && !amend->decided[i] &&
            (!find_choice_tag(rule, pica_choice_info(i)->name, &other) || other.at == tag->at))
            return true;
    }
    return false;
}

static void amend_tag(struct console_amend *amend, uint32_t choice, struct harness_text *said)
{
    const struct pica_choice_info *const info = pica_choice_info(choice);
    struct rule rule;
    struct tag tag;
    char text[16];
    amend->decided[choice] = true;
    if (!find_rule(amend, info->rule, &rule))
        return;
    (void)snprintf(text, sizeof text, "[HW %s]", amend->piece);
    if (!find_choice_tag(&rule, info->name, &tag))
        raise_rule(amend, &rule, info->rule, said);
    else if (is_open(&tag) && !is_shared(amend, &rule, choice, &tag))
        replace(amend, &rule, info->rule, &tag, text, said);
    else
        raise_tag(amend, &rule, info->rule, &tag, said);
}

/* The lines of a choice's sides in splits.def, and its name there. */
static bool find_sides(const struct page *page, const char *name, char id[64], size_t *first, size_t *end)
{
    char start[128];
    for (size_t i = 0; i < page->count; i++) {
        if (sscanf(page->lines[i], "CHOICE(%63[A-Z0-9_],", id) != 1)
            continue;
        (void)snprintf(start, sizeof start, "CHOICE(%s, \"%s\",", id, name);
        if (strncmp(page->lines[i], start, strlen(start)) != 0)
            continue;
        for (*first = i + 1; page->lines[*first][0] == ' '; ++*first)
            ;
        for (*end = *first;
             *end < page->count &&
             (page->lines[*end][0] == ' ' || strncmp(page->lines[*end], "SIDE(", 5) == 0 ||
              strncmp(page->lines[*end], "REFUTED(", 8) == 0 || strncmp(page->lines[*end], "LACK(", 5) == 0);
             ++*end)
            ;
        return true;
    }
    return false;
}

/* Appends side `number` with another number; an open one that the console does not take is refuted. */
static void write_side(const struct console_amend *amend, const struct page *page, const char *id, size_t first,
                       size_t end, uint32_t number, uint32_t new_number, struct harness_text *out)
{
    for (size_t i = first; i < end; i++) {
        char kind[16], found[64];
        unsigned at = 0;
        int length = 0;
        if (sscanf(page->lines[i], "%15[A-Z](%63[A-Z0-9_], %u, %n", kind, found, &at, &length) != 3 || at != number)
            continue;
        const bool refuted = new_number != 0 && strcmp(kind, "SIDE") == 0;
        const char *const new_kind = refuted ? "REFUTED" : kind;
        harness_text_format(out, "%s%s(%s, %u, %s", out->size != 0 ? "\n" : "", new_kind, id, (unsigned)new_number,
                            page->lines[i] + length);
        while (i + 1 < end && page->lines[i + 1][0] == ' ') {
            i++;
            harness_text_format(out, "\n%*s%s", (int)strlen(new_kind) + 1, "",
                                page->lines[i] + strspn(page->lines[i], " "));
        }
        if (refuted && out->size != 0 && out->data[out->size - 1] == ')') {
            out->size--;
            harness_text_format(out, ", \"%s\")", amend->piece);
        }
        return;
    }
}

/* As many lines as there were; those that are the same stay. */
static void set_block(struct console_amend *amend, struct page *page, size_t line, const char *text)
{
    for (; *text != '\0'; line++) {
        char *const one = strndup(text, strcspn(text, "\n"));
        if (one != NULL && strcmp(one, line_of(page, line)) != 0)
            set_line(amend, page, line, one);
        amend->failed = amend->failed || one == NULL;
        free(one);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

static void amend_sides(struct console_amend *amend, uint32_t choice, uint32_t side, struct harness_text *said)
{
    struct page *const page = &amend->pages[0];
    const struct pica_choice_info *const info = pica_choice_info(choice);
    struct harness_text block;
    char id[64];
    size_t first = 0, end = 0;
    if (!find_sides(page, info->name, id, &first, &end) || first == end)
        return;
    harness_text_init(&block);
    write_side(amend, page, id, first, end, side, 0, &block);
    for (uint32_t i = 0, number = 1; i < pica_side_count(choice); i++)
        if (i != side)
            write_side(amend, page, id, first, end, i, number++, &block);
    amend->failed = amend->failed || block.failed;
    set_block(amend, page, first, harness_text_string(&block));
    harness_text_free(&block);
    harness_text_format(said, "pica/splits.def: %s is %s, others refuted\n", info->name,
                        pica_side_info(choice, side)->word);
    if (side != 0)
        harness_text_format(said, "%s: its text and both backends say %s, and must follow\n", info->rule,
                            pica_side_info(choice, 0)->word);
}

void console_amend_choice(struct console_amend *amend, uint32_t choice, uint32_t side, struct harness_text *said)
{
    const struct pica_side_info *const info = pica_side_info(choice, side);
    if (info->standing == PICA_STANDING_OPEN) {
        amend_tag(amend, choice, said);
        amend_sides(amend, choice, side, said);
        return;
    }
    harness_text_format(said, "%s: %s is %s%s: two consoles that differ, or one piece is wrong; nothing is changed\n",
                        pica_choice_info(choice)->rule, info->word,
                        info->standing == PICA_STANDING_LACK ? "a lack" : "refuted by ", info->piece);
}

void console_amend_row(struct console_amend *amend, const char *what, const char *where, const char *rules,
                       const char *verdict)
{
    struct page *const page = &amend->pages[1];
    struct harness_text text;
    size_t last = 0;
    for (size_t i = 0; i < page->count; i++)
        last = piece_of(page->lines[i]) != 0 ? i : last;
    harness_text_init(&text);
    harness_text_format(&text, "%s\n| %s | %s | %s | A | %s | %s |", page->lines[last], amend->piece, what, where,
                        rules, verdict);
    amend->failed = amend->failed || text.failed;
    set_line(amend, page, last, harness_text_string(&text));
    harness_text_free(&text);
}

/* ------------------------------------------------------------------------------------------------------------ patch */

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

static size_t new_lines(const struct page *page, size_t line)
{
    return page->now[line] != NULL ? count_lines(page->now[line]) : 1;
}

static void write_added(const char *text, struct harness_text *out)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        harness_text_format(out, "+%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Lines first to end - 1; those removed stand before those that come in their place. */
static void write_hunk(const struct page *page, size_t first, size_t end, size_t new_first, struct harness_text *out)
{
    size_t fresh = 0;
    for (size_t i = first; i < end; i++)
        fresh += new_lines(page, i);
    harness_text_format(out, "@@ -%zu,%zu +%zu,%zu @@\n", first + 1, end - first, new_first + 1, fresh);
    for (size_t i = first; i < end;) {
        size_t after = i;
        while (after < end && page->now[after] != NULL)
            after++;
        for (size_t k = i; k < after; k++)
            harness_text_format(out, "-%s\n", page->lines[k]);
        for (size_t k = i; k < after; k++)
            write_added(page->now[k], out);
        for (i = after; i < end && page->now[i] == NULL; i++)
            harness_text_format(out, " %s\n", page->lines[i]);
    }
}

static void write_page(const struct page *page, struct harness_text *out)
{
    bool begun = false;
    size_t shift = 0; /* added minus removed so far; wraps */
    for (size_t i = 0; i < page->count; i++) {
        if (page->now[i] == NULL)
            continue;
        const size_t first = i < CONTEXT ? 0 : i - CONTEXT;
        size_t end = i + 1;
        for (size_t k = i; k < page->count && k <= end + 2 * CONTEXT; k++)
            end = page->now[k] != NULL ? k + 1 : end;
        i = end;
        end = end + CONTEXT < page->count ? end + CONTEXT : page->count;
        if (!begun)
            harness_text_format(out, "--- a/%s\n+++ b/%s\n", page->path, page->path);
        begun = true;
        write_hunk(page, first, end, first + shift, out);
        for (size_t k = first; k < end; k++)
            shift += new_lines(page, k) - 1;
    }
}

enum harness_status console_amend_write(const struct console_amend *amend, const char *path,
                                        struct harness_error *error)
{
    struct harness_text text;
    harness_text_init(&text);
    harness_text_format(&text,
                        "What a console left, as piece %s. Apply with `patch -p1` in the project's folder; then\n"
                        "`ci/check_choices.sh --fix`, `ci/check_format.sh --fix`, `ci/check_rules.sh`.\n\n",
                        amend->piece);
    for (size_t p = 0; p < amend->count; p++)
        write_page(&amend->pages[p], &text);
    const enum harness_status status = text.failed || amend->failed
                                           ? harness_fail_memory(error)
                                           : harness_file_write(path, text.data, text.size, error);
    harness_text_free(&text);
    return status;
}
