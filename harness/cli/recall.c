#include "harness/cli/recall.h"

#include "harness/hunt/hunt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_SIZE = 4096,
    LEVELS = 3, /* the directory itself, one of its buckets, a file there */
    MOST_WORDS = 256
};

static bool takes_findings(const struct cli_command *command)
{
    static const struct cli_command *const those[] = { &cli_cmd_diff, &cli_cmd_triage, &cli_cmd_report, &cli_cmd_reduce,
                                                       &cli_cmd_explore };
    for (size_t i = 0; i < sizeof those / sizeof those[0]; i++)
        if (command == those[i])
            return true;
    return false;
}

/* In the directory at this path, or above it. A hunt's own options count, also where it has none. */
static char *find(const char *path, char out[PATH_SIZE])
{
    char at[PATH_SIZE];
    if (realpath(path, at) == NULL || strlen(at) + sizeof "/hunt.json" > sizeof at)
        return NULL;
    for (int level = 0; level < LEVELS; level++) {
        (void)snprintf(out, PATH_SIZE, "%.*s/hunt.json", PATH_SIZE - 16, at);
        struct harness_hunt_recalled hunt;
        if (harness_hunt_recall(out, &hunt))
            return hunt.options;
        *strrchr(at, '/') = '\0';
        if (at[0] == '\0')
            break;
    }
    return NULL;
}

/* Cuts words as `cli_options_text` wrote them: in single quotes where they need some, a quote itself as \'. */
static int cut_up(char *text, char **words, int most)
{
    int count = 0;
    char *to = text;
    while (*text != '\0' && count < most) {
        text += strspn(text, " ");
        if (*text == '\0')
            break;
        words[count++] = to;
        for (bool quoted = false; *text != '\0' && (quoted || *text != ' '); text++)
            if (*text == '\'')
                quoted = !quoted;
            else if (*text == '\\' && !quoted && text[1] != '\0')
                *to++ = *++text;
            else
                *to++ = *text;
        text += *text != '\0';
        *to++ = '\0';
    }
    return count;
}

/* Of the words that follow the options. */
static bool find_first(int count, char *const *files, struct cli_recalled *out)
{
    char path[PATH_SIZE];
    for (int i = 0; i < count; i++) {
        char *const text = find(files[i], path);
        if (text == NULL)
            continue;
        if (out->text == NULL) {
            out->text = text;
            out->path = strdup(path);
            continue;
        }
        out->differs = out->differs || strcmp(out->text, text) != 0;
        free(text);
    }
    return out->text != NULL && out->path != NULL && (out->text[0] != '\0' || out->differs);
}

bool cli_recall(const struct cli_command *command, int count, char *const *files, struct cli_recalled *out)
{
    *out = (struct cli_recalled){ .text = NULL };
    if (takes_findings(command) && find_first(count, files, out))
        return true;
    cli_recalled_free(out);
    return false;
}

char **cli_recalled_words(struct cli_recalled *recalled, int argc, char *const *argv, int *count)
{
    recalled->cut = strdup(recalled->text);
    recalled->words = calloc((size_t)argc + MOST_WORDS + 1, sizeof *recalled->words);
    if (recalled->cut == NULL || recalled->words == NULL)
        return NULL;
    recalled->words[0] = argv[0];
    *count = 1 + cut_up(recalled->cut, recalled->words + 1, MOST_WORDS);
    for (int i = 1; i < argc; i++)
        recalled->words[(*count)++] = argv[i];
    return recalled->words;
}

void cli_recalled_free(struct cli_recalled *recalled)
{
    free(recalled->path);
    free(recalled->text);
    free(recalled->cut);
    free(recalled->words);
    *recalled = (struct cli_recalled){ .text = NULL };
}
