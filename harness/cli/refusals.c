#include "harness/cli/refusals.h"

#include "harness/cli/cli.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that stand alone, and addresses, become "N": "unit 2 reads 0x18001000" is "unit N reads N". */
static void generalise(const char *line, size_t length, char out[CLI_REFUSAL_TEXT])
{
    size_t size = 0;
    for (size_t i = 0; i < length && size + 1 < CLI_REFUSAL_TEXT; i++) {
        const bool begins = i == 0 || line[i - 1] == ' ' || strncmp(line + i, "0x", 2) == 0;
        size_t digits = begins && strncmp(line + i, "0x", 2) == 0 ? 2 : 0;
        while (begins && i + digits < length && isxdigit((unsigned char)line[i + digits]) != 0 &&
               (digits >= 2 || isdigit((unsigned char)line[i + digits]) != 0))
            digits++;
        const bool is_number = digits != 0 && (i + digits == length || isalnum((unsigned char)line[i + digits]) == 0);
        out[size++] = is_number ? 'N' : line[i];
        i += is_number ? digits - 1 : 0;
    }
    out[size] = '\0';
}

/* Behind "operation N: ", which says nothing of others. */
static const char *begin_of(const char *text)
{
    static const char *const heads[] = { "operation N: ", "draw N: " };
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (strncmp(text, heads[i], strlen(heads[i])) == 0)
            return text + strlen(heads[i]);
    return text;
}

void cli_refusals_count(struct cli_refusals *refusals, const char *reason)
{
    char text[CLI_REFUSAL_TEXT];
    size_t i = 0;
    (void)snprintf(text, sizeof text, "%s", reason);
    while (i < refusals->count && strcmp(refusals->items[i].text, text) != 0)
        i++;
    if (i >= CLI_REFUSALS - 1) {
        i = CLI_REFUSALS - 1;
        (void)snprintf(text, sizeof text, "another");
    }
    memcpy(refusals->items[i].text, text, sizeof text);
    refusals->items[i].count++;
    refusals->total++;
    refusals->count = i < refusals->count ? refusals->count : i + 1;
}

void cli_refusals_add(struct cli_refusals *refusals, const char *reasons)
{
    char text[CLI_REFUSAL_TEXT];
    generalise(reasons, strcspn(reasons, "\n"), text);
    cli_refusals_count(refusals, begin_of(text));
}

static int by_count(const void *a, const void *b)
{
    const struct cli_refusal *const left = a, *const right = b;
    if (left->count != right->count)
        return left->count < right->count ? 1 : -1;
    return strcmp(left->text, right->text);
}

void cli_refusals_print(struct cli_refusals *refusals, size_t most)
{
    size_t left = refusals->total;
    if (refusals->total == 0)
        return;
    qsort(refusals->items, refusals->count, sizeof refusals->items[0], by_count);
    cli_print(stdout, "%zu cannot be exported, each by its first reason:\n", refusals->total);
    for (size_t i = 0; i < refusals->count && i < most; i++) {
        cli_print(stdout, "%6zu  %s\n", refusals->items[i].count, refusals->items[i].text);
        left -= refusals->items[i].count;
    }
    if (left != 0)
        cli_print(stdout, "%6zu  for %zu other reasons\n", left, refusals->count - most);
}
