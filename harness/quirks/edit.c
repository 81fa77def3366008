#include "harness/quirks/edit.h"

#include "harness/case/formats.h"
#include "harness/case/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --------------------------------------------------------------------------------------------------- text of a file */

enum token_kind {
    TOKEN_END,
    TOKEN_WORD, /* names, numbers */
    TOKEN_STRING,
    TOKEN_SIGN /* one character */
};

struct token {
    enum token_kind kind;
    size_t first, end;
};

/* After blanks and comments (# and //, to the end of the line; C's other ones). */
static size_t skip_blanks(const char *text, size_t at)
{
    for (;;) {
        at += strspn(text + at, " \t\r\n\f\v");
        if (text[at] == '#' || (text[at] == '/' && text[at + 1] == '/')) {
            at += strcspn(text + at, "\n");
        } else if (text[at] == '/' && text[at + 1] == '*') {
            const char *const end = strstr(text + at + 2, "*/");
            at = end != NULL ? (size_t)(end - text) + 2 : at + strlen(text + at);
        } else {
            return at;
        }
    }
}

static size_t string_end(const char *text, size_t at)
{
    for (at++; text[at] != '\0' && text[at] != '"'; at++)
        if (text[at] == '\\' && text[at + 1] != '\0')
            at++;
    return text[at] == '"' ? at + 1 : at;
}

static struct token next_token(const char *text, size_t at)
{
    static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-*.+";
    struct token token = { TOKEN_END, skip_blanks(text, at), 0 };
    token.end = token.first;
    if (text[token.first] == '\0')
        return token;
    const size_t length = strspn(text + token.first, word);
    token.kind = text[token.first] == '"' ? TOKEN_STRING : (length != 0 ? TOKEN_WORD : TOKEN_SIGN);
    token.end = token.kind == TOKEN_STRING ? string_end(text, token.first) : token.first + (length != 0 ? length : 1);
    return token;
}

static bool is_one_of(const char *text, const struct token *token, const char *signs)
{
    return token->kind == TOKEN_SIGN && strchr(signs, text[token->first]) != NULL;
}

/* Where a section of a file that was read without complaint lies. */
struct section {
    bool found;
    size_t first, end;             /* name to closing bracket, and the ; or , after it */
    size_t open, close;            /* of its outermost brackets */
    size_t last;                   /* end of the last token before the closing one */
    uint32_t entry;                /* that was asked for ... */
    bool has_entry;                /* ... there is one ... */
    size_t entry_first, entry_end; /* ... here */
    uint32_t entries;
};

/* From the token after its = on. */
static void measure(const char *text, size_t at, struct section *section)
{
    int depth = 0;
    for (struct token token = next_token(text, at); token.kind != TOKEN_END; token = next_token(text, token.end)) {
        if (is_one_of(text, &token, "({[")) {
            if (depth == 0)
                section->open = section->last = token.end;
            if (depth == 1 && section->entries++ == section->entry) {
                section->has_entry = true;
                section->entry_first = token.first;
            }
            depth++;
        } else if (is_one_of(text, &token, ")}]")) {
            depth--;
            if (depth == 1 && section->has_entry && section->entries == section->entry + 1)
                section->entry_end = token.end;
            if (depth == 0)
                section->close = token.first;
        }
        section->end = token.end;
        if (depth == 0)
            break;
        section->last = token.end;
    }
    const struct token after = next_token(text, section->end);
    if (is_one_of(text, &after, ";,"))
        section->end = after.end;
}

static void find_section(const char *text, const char *name, uint32_t entry, struct section *section)
{
    int depth = 0;
    *section = (struct section){ .entry = entry };
    for (struct token token = next_token(text, 0); token.kind != TOKEN_END; token = next_token(text, token.end)) {
        depth += is_one_of(text, &token, "({[") ? 1 : 0;
        depth -= is_one_of(text, &token, ")}]") ? 1 : 0;
        if (depth != 0 || token.kind != TOKEN_WORD || token.end - token.first != strlen(name) ||
            memcmp(text + token.first, name, strlen(name)) != 0)
            continue;
        const struct token sign = next_token(text, token.end);
        if (!is_one_of(text, &sign, "=:"))
            continue;
        section->found = true;
        section->first = token.first;
        measure(text, sign.end, section);
        return;
    }
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static enum harness_status read_text(const char *path, char **out, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (access(path, F_OK) != 0) {
        *out = strdup("version = 1;\n");
        return *out != NULL ? HARNESS_OK : harness_fail_memory(error);
    }
    const enum harness_status status = harness_file_read(path, &bytes, &size, error);
    *out = (char *)bytes;
    return status;
}

/* Only what can be read. */
static enum harness_status check(const char *path, const char *text, size_t size, struct harness_error *error)
{
    struct harness_quirks *const quirks = harness_quirks_create();
    if (quirks == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = harness_quirks_parse(quirks, text, size, path, error);
    harness_quirks_destroy(quirks);
    return status;
}

/* The file before, opened for a change. */
static enum harness_status open_text(const char *path, char **out, struct harness_error *error)
{
    const enum harness_status status = read_text(path, out, error);
    return status == HARNESS_OK ? check(path, *out, strlen(*out), error) : status;
}

static enum harness_status save(const char *path, const struct harness_text *text, struct harness_error *error)
{
    if (text->failed)
        return harness_fail_memory(error);
    const enum harness_status status = check(path, text->data, text->size, error);
    return status == HARNESS_OK ? harness_file_write(path, text->data, text->size, error) : status;
}

/* The text with first .. end replaced. */
static void splice(const char *before, size_t first, size_t end, const char *with, struct harness_text *out)
{
    harness_text_bytes(out, before, first);
    harness_text_add(out, with);
    harness_text_add(out, before + end);
}

static void add_quoted(struct harness_text *out, const char *text)
{
    harness_text_add(out, "\"");
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            harness_text_format(out, "\\%c", c);
        else if (c < 0x20)
            harness_text_format(out, "\\x%02X", c);
        else
            harness_text_bytes(out, text, 1);
    }
    harness_text_add(out, "\"");
}

/* A comment of one line, whatever it holds. */
static void add_comment(struct harness_text *out, const char *text)
{
    harness_text_add(out, "  # ");
    for (; *text != '\0'; text++)
        harness_text_bytes(out, (unsigned char)*text < 0x20 ? " " : text, 1);
    harness_text_add(out, "\n");
}

/* ---------------------------------------------------------------------------------------------------------- choices */

static void add_choice(struct harness_text *out, uint32_t choice, uint32_t number, bool known, const char *comment)
{
    const struct pica_choice_info *const info = pica_choice_info(choice);
    const struct pica_side_info *const side = pica_side_info(choice, number);
    if (comment != NULL)
        add_comment(out, comment);
    if (known && side != NULL)
        harness_text_format(out, "  %s = \"%s\"; # %s: %s\n", info->name, side->word, info->rule, side->effect);
    else
        harness_text_format(out, "  # %s: neither side, or not tested (%s: %s)\n", info->name, info->rule,
                            info->question);
}

enum harness_status harness_quirks_write_choices(const char *path, const struct pica_choices *choices,
                                                 const bool *known, const char *const *comments,
                                                 struct harness_error *error)
{
    char *before = NULL;
    struct harness_text section, out;
    struct section place;
    harness_text_init(&section);
    harness_text_init(&out);
    enum harness_status status = open_text(path, &before, error);
    if (status == HARNESS_OK) {
        find_section(before, "choices", 0, &place);
        harness_text_add(&section, place.found ? "choices = {\n" : "\nchoices = {\n");
        for (uint32_t i = 0; i < PICA_CHOICES; i++)
            add_choice(&section, i, choices->sides[i], known == NULL || known[i],
                       comments != NULL ? comments[i] : NULL);
        harness_text_add(&section, place.found ? "};" : "};\n");
        const size_t end = strlen(before);
        splice(before, place.found ? place.first : end, place.found ? place.end : end, harness_text_string(&section),
               &out);
        status = save(path, &out, error);
    }
    harness_text_free(&section);
    harness_text_free(&out);
    free(before);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- baseline */

static void add_entry(struct harness_text *out, const struct harness_accepted *entry)
{
    const bool is_bucket = entry->bucket != NULL;
    harness_text_add(out, is_bucket ? "{ bucket = " : "{ case = ");
    add_quoted(out, is_bucket ? entry->bucket : entry->test_case);
    if (is_bucket)
        harness_text_format(out, "; version = %" PRIu32, entry->version);
    harness_text_format(out, "; expect = \"%s\"", harness_expectation_name((uint32_t)entry->expectation));
    if (entry->note != NULL && entry->note[0] != '\0') {
        harness_text_add(out, "; note = ");
        add_quoted(out, entry->note);
    }
    harness_text_add(out, "; }");
}

/* The index of the entry for the same bucket or case, or the number of entries. */
static uint32_t index_of(const struct harness_quirks *quirks, const struct harness_accepted *entry)
{
    uint32_t i = 0;
    for (; i < quirks->accepted_count; i++) {
        const struct harness_accepted *const other = &quirks->accepted[i];
        if ((entry->bucket != NULL && other->bucket != NULL && strcmp(entry->bucket, other->bucket) == 0) ||
            (entry->test_case != NULL && other->test_case != NULL && strcmp(entry->test_case, other->test_case) == 0))
            break;
    }
    return i;
}

/* Behind the last entry, or as the first; a section where there is none. */
static void append_entry(const char *before, const struct section *place, const char *entry, struct harness_text *out)
{
    struct harness_text text;
    harness_text_init(&text);
    if (!place->found) {
        harness_text_format(&text, "\nbaseline = (\n  %s\n);\n", entry);
        splice(before, strlen(before), strlen(before), harness_text_string(&text), out);
    } else {
        harness_text_format(&text, "%s\n  %s%s", place->entries != 0 ? "," : "", entry,
                            place->entries != 0 ? "" : "\n");
        splice(before, place->last, place->last, harness_text_string(&text), out);
    }
    harness_text_free(&text);
}

/* Where an entry is cut out, with one of the commas beside it. */
static void cut_range(const char *text, const struct section *place, size_t *first, size_t *end)
{
    const struct token after = next_token(text, place->entry_end);
    *first = place->entry_first;
    *end = place->entry_end;
    if (is_one_of(text, &after, ",")) {
        *end = after.end;
        return;
    }
    size_t comma = 0;
    for (struct token token = next_token(text, place->open); token.first < place->entry_first;
         token = next_token(text, token.end))
        if (is_one_of(text, &token, ","))
            comma = token.first;
    if (place->entry != 0 && comma != 0)
        *first = comma;
}

static enum harness_status replace_in(const char *path, const char *before, uint32_t index,
                                      const struct harness_accepted *entries, uint32_t count,
                                      struct harness_error *error)
{
    struct harness_text text, out;
    struct section place;
    harness_text_init(&text);
    harness_text_init(&out);
    find_section(before, "baseline", index, &place);
    for (uint32_t i = 0; i < count; i++) {
        harness_text_add(&text, i != 0 ? ",\n  " : "");
        add_entry(&text, &entries[i]);
    }
    size_t first = place.entry_first, end = place.entry_end;
    if (place.has_entry && count == 0)
        cut_range(before, &place, &first, &end);
    if (place.has_entry)
        splice(before, first, end, harness_text_string(&text), &out);
    else
        append_entry(before, &place, harness_text_string(&text), &out);
    const enum harness_status status = text.failed ? harness_fail_memory(error) : save(path, &out, error);
    harness_text_free(&text);
    harness_text_free(&out);
    return status;
}

enum harness_status harness_quirks_accept(const char *path, const struct harness_accepted *entry,
                                          struct harness_error *error)
{
    char *before = NULL;
    struct harness_quirks *const quirks = harness_quirks_create();
    enum harness_status status = quirks == NULL ? harness_fail_memory(error) : open_text(path, &before, error);
    if (status == HARNESS_OK)
        status = harness_quirks_parse(quirks, before, strlen(before), path, error);
    if (status == HARNESS_OK)
        status = replace_in(path, before, index_of(quirks, entry), entry, 1, error);
    harness_quirks_destroy(quirks);
    free(before);
    return status;
}

enum harness_status harness_quirks_replace(const char *path, uint32_t index, const struct harness_accepted *entries,
                                           uint32_t count, struct harness_error *error)
{
    char *before = NULL;
    enum harness_status status = open_text(path, &before, error);
    if (status == HARNESS_OK)
        status = replace_in(path, before, index, entries, count, error);
    free(before);
    return status;
}
