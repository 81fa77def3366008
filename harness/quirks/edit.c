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

/* The position after blanks and comments, of the three kinds that libconfig has. */
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

/* The end of the section whose = ends at `at`, with the ; or , after its closing bracket. */
static size_t section_end(const char *text, size_t at)
{
    int depth = 0;
    struct token token = next_token(text, at);
    for (; token.kind != TOKEN_END; token = next_token(text, token.end)) {
        depth += is_one_of(text, &token, "({[") ? 1 : 0;
        depth -= is_one_of(text, &token, ")}]") ? 1 : 0;
        if (depth == 0)
            break;
    }
    const struct token after = next_token(text, token.end);
    return is_one_of(text, &after, ";,") ? after.end : token.end;
}

/* Finds a section in the text of a file that is valid; false if it has none of that name. */
static bool find_section(const char *text, const char *name, size_t *first, size_t *end)
{
    int depth = 0;
    for (struct token token = next_token(text, 0); token.kind != TOKEN_END; token = next_token(text, token.end)) {
        depth += is_one_of(text, &token, "({[") ? 1 : 0;
        depth -= is_one_of(text, &token, ")}]") ? 1 : 0;
        const struct token sign = next_token(text, token.end);
        if (depth != 0 || token.kind != TOKEN_WORD || token.end - token.first != strlen(name) ||
            memcmp(text + token.first, name, strlen(name)) != 0 || !is_one_of(text, &sign, "=:"))
            continue;
        *first = token.first;
        *end = section_end(text, sign.end);
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

/* The text of the file, which the caller frees; that of an empty quirks file if there is none. */
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

/* Can the text be read as a quirks file? */
static enum harness_status check(const char *path, const char *text, size_t size, struct harness_error *error)
{
    struct harness_quirks *const quirks = harness_quirks_create();
    if (quirks == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = harness_quirks_parse(quirks, text, size, path, error);
    harness_quirks_destroy(quirks);
    return status;
}

/* read_text, and the check. */
static enum harness_status open_text(const char *path, char **out, struct harness_error *error)
{
    const enum harness_status status = read_text(path, out, error);
    return status == HARNESS_OK ? check(path, *out, strlen(*out), error) : status;
}

/* Writes the file with this section in place of that of the name, or at the end if it has none. `before` is its
 * text. */
static enum harness_status replace_section(const char *path, const char *before, const char *name,
                                           const struct harness_text *section, struct harness_error *error)
{
    struct harness_text out = { 0 };
    size_t first = strlen(before), end = first;
    const bool found = find_section(before, name, &first, &end);
    harness_text_bytes(&out, before, first);
    harness_text_add(&out, found ? "" : "\n");
    harness_text_add(&out, harness_text_string(section));
    harness_text_add(&out, found ? "" : "\n");
    harness_text_add(&out, before + end);
    enum harness_status status =
        out.failed || section->failed ? harness_fail_memory(error) : check(path, out.data, out.size, error);
    if (status == HARNESS_OK)
        status = harness_file_write(path, out.data, out.size, error);
    harness_text_free(&out);
    return status;
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

/* ---------------------------------------------------------------------------------------------------------- choices */

static void add_choice(struct harness_text *out, uint32_t choice, uint32_t number, bool known)
{
    const struct pica_choice_info *const info = pica_choice_info(choice);
    const struct pica_side_info *const side = pica_side_info(choice, number);
    if (known && side != NULL)
        harness_text_format(out, "  %s = \"%s\"; # %s: %s\n", info->name, side->word, info->rule, side->effect);
    else
        harness_text_format(out, "  # %s: neither side, or not tested (%s: %s)\n", info->name, info->rule,
                            info->question);
}

enum harness_status harness_quirks_write_choices(const char *path, const struct pica_choices *choices,
                                                 const bool known[PICA_CHOICES], struct harness_error *error)
{
    char *before = NULL;
    struct harness_text section = { 0 };
    harness_text_add(&section, "choices = {\n");
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        add_choice(&section, i, choices->sides[i], known[i]);
    harness_text_add(&section, "};");
    enum harness_status status = open_text(path, &before, error);
    if (status == HARNESS_OK)
        status = replace_section(path, before, "choices", &section, error);
    harness_text_free(&section);
    free(before);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- baseline */

static void add_entry(struct harness_text *out, const struct harness_accepted *entry)
{
    const bool is_bucket = entry->bucket != NULL;
    harness_text_add(out, out->data[out->size - 1] == '(' ? "\n" : ",\n");
    harness_text_add(out, is_bucket ? "  { bucket = " : "  { case = ");
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

#define SAME_ENTRY UINT32_MAX /* in place of an index: the entry for the same bucket or case */

/* The index of the entry for the same bucket or case, or the number of entries if there is none. */
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

/* Writes all entries, one a line, with `count` others in place of entry `index`, or after the last if that is their
 * number. */
static enum harness_status write_baseline(const char *path, const char *before, const struct harness_quirks *quirks,
                                          uint32_t index, const struct harness_accepted *entries, uint32_t count,
                                          struct harness_error *error)
{
    struct harness_text section = { 0 };
    harness_text_add(&section, "baseline = (");
    for (uint32_t i = 0; i <= quirks->accepted_count && !section.failed; i++) {
        for (uint32_t k = 0; i == index && k < count; k++)
            add_entry(&section, &entries[k]);
        if (i != index && i < quirks->accepted_count)
            add_entry(&section, &quirks->accepted[i]);
    }
    harness_text_add(&section, "\n);");
    const enum harness_status status = replace_section(path, before, "baseline", &section, error);
    harness_text_free(&section);
    return status;
}

enum harness_status harness_quirks_replace(const char *path, uint32_t index, const struct harness_accepted *entries,
                                           uint32_t count, struct harness_error *error)
{
    char *before = NULL;
    struct harness_quirks *const quirks = harness_quirks_create();
    enum harness_status status = quirks == NULL ? harness_fail_memory(error) : read_text(path, &before, error);
    if (status == HARNESS_OK)
        status = harness_quirks_parse(quirks, before, strlen(before), path, error);
    if (status == HARNESS_OK && index == SAME_ENTRY)
        index = index_of(quirks, entries);
    if (status == HARNESS_OK)
        status = write_baseline(path, before, quirks, index, entries, count, error);
    harness_quirks_destroy(quirks);
    free(before);
    return status;
}

enum harness_status harness_quirks_accept(const char *path, const struct harness_accepted *entry,
                                          struct harness_error *error)
{
    return harness_quirks_replace(path, SAME_ENTRY, entry, 1, error);
}
