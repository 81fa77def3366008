#include "harness/cli/recall.h"

#include "harness/cli/print.h"
#include "harness/hunt/hunt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* "-b", "-bNAME", "--backends", also cut short or with "=NAME". */
static bool is_backends(const char *word)
{
    const size_t length = strcspn(word, "=");
    return (word[0] == '-' && word[1] == 'b') || (length > 3 && strncmp(word, "--backends", length) == 0);
}

/* Is the word after this one its value? */
static bool takes_value(const struct cli_command *command, const char *word)
{
    for (size_t set = 0; set < CLI_OPTION_SETS; set++)
        for (size_t i = 0; i < command->options[set].count; i++) {
            const struct cli_option *const option = &command->options[set].options[i];
            const bool is_long = strncmp(word, "--", 2) == 0 && strcmp(word + 2, option->name) == 0;
            const bool is_short = option->letter != 0 && word[1] == option->letter && word[2] == '\0';
            if (is_long || is_short)
                return option->kind != CLI_FLAG;
        }
    return false;
}

/* In the directory at this path, or above it. */
static char *find(const char *path, char out[PATH_SIZE])
{
    char at[PATH_SIZE];
    struct stat there;
    if (strlen(path) + sizeof "/hunt.json" > sizeof at || stat(path, &there) != 0)
        return NULL;
    (void)snprintf(at, sizeof at, "%s", path);
    for (int level = 0; level < LEVELS; level++) {
        (void)snprintf(out, PATH_SIZE, "%.*s/hunt.json", PATH_SIZE - 16, at);
        struct harness_hunt_recalled hunt;
        if (harness_hunt_recall(out, &hunt) && hunt.options[0] != '\0')
            return hunt.options;
        free(hunt.options);
        for (size_t length = strlen(at); length > 1 && at[length - 1] == '/';)
            at[--length] = '\0';
        char *const slash = strrchr(at, '/');
        if (slash == NULL || slash == at)
            (void)snprintf(at, sizeof at, "%s", slash == at ? "/" : ".");
        else
            *slash = '\0';
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

static bool join(struct cli_recalled *out, int argc, char *const *argv)
{
    out->cut = strdup(out->text);
    out->words = calloc((size_t)argc + MOST_WORDS + 1, sizeof *out->words);
    if (out->cut == NULL || out->words == NULL)
        return false;
    out->words[0] = argv[0];
    out->count = 1 + cut_up(out->cut, out->words + 1, MOST_WORDS);
    for (int i = 1; i < argc; i++)
        out->words[out->count++] = argv[i];
    return true;
}

bool cli_recall(const struct cli_command *command, int argc, char *const *argv, struct cli_recalled *out)
{
    char path[PATH_SIZE];
    *out = (struct cli_recalled){ NULL, NULL, NULL, NULL, 0 };
    if (!takes_findings(command))
        return false;
    for (int i = 1; i < argc; i++)
        if (is_backends(argv[i]))
            return false;
    for (int i = 1; i < argc && out->text == NULL; i++)
        if (argv[i][0] != '-')
            out->text = find(argv[i], path);
        else if (takes_value(command, argv[i]))
            i++;
    if (out->text == NULL)
        return false;
    out->path = strdup(path);
    if (out->path != NULL && join(out, argc, argv))
        return true;
    cli_recalled_free(out);
    return false;
}

void cli_recalled_free(struct cli_recalled *recalled)
{
    free(recalled->path);
    free(recalled->text);
    free(recalled->cut);
    free(recalled->words);
    *recalled = (struct cli_recalled){ NULL, NULL, NULL, NULL, 0 };
}
