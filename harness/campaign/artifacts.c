/* Failing inputs -> finding files. */
#include "harness/campaign/campaign_parts.h"

#include "harness/case/formats.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TAKE_SECONDS = 60 /* of running again what failed, at a time */
};

/* ------------------------------------------------------------------------------------------------------------ kinds */

/* The engine's name for the input says what happened where the target could not: "engine-timeout-SHA1". */
static const char *engine_word(const char *name)
{
    static const char *const words[] = { "timeout", "oom", "leak" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(name + strlen(CAMPAIGN_ARTIFACT), words[i], strlen(words[i])) == 0)
            return words[i];
    return NULL;
}

/*
 * What happened: as the target says; or as the engine calls it; or, with an empty kind, only the first line printed
 * is known, and two of those never count as the same kind.
 */
static void find_failure(const struct campaign_said *said, const char *name, struct campaign_failure *out)
{
    *out = said->failure;
    if (out->kind[0] != '\0')
        return;
    const char *const word = engine_word(name);
    if (word != NULL)
        (void)snprintf(out->kind, sizeof out->kind, "%s", word);
    (void)snprintf(out->title, sizeof out->title, "%.*s", (int)strcspn(said->text, "\n"), said->text);
    if (out->title[0] == '\0')
        (void)snprintf(out->title, sizeof out->title, "%s", word != NULL ? word : "the target died without a word");
}

static bool is_same_failure(const struct campaign_failure *one, const struct campaign_failure *other)
{
    return one->kind[0] != '\0' && strcmp(one->kind, other->kind) == 0 && strcmp(one->key, other->key) == 0 &&
           strcmp(one->place, other->place) == 0;
}

static bool is_known(const struct campaign *campaign, const struct campaign_failure *failure)
{
    if (campaign->options->peel) /* what is known is known by its cause, and the target leaves it out */
        return false;
    for (size_t i = 0; i < campaign->summary->progress.findings; i++)
        if (is_same_failure(&campaign->failures[i], failure))
            return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------------------ files */

/* A failing input in the corpus would end every later run of the target at once, so it is removed from there. */
static enum harness_status drop_from_corpus(const struct campaign *campaign, const char *corpus, const uint8_t *bytes,
                                            size_t size)
{
    DIR *const directory = opendir(corpus);
    if (directory == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", corpus, strerror(errno));
    enum harness_status status = HARNESS_OK;
    for (const struct dirent *entry; status == HARNESS_OK && (entry = readdir(directory)) != NULL;) {
        char path[HARNESS_CAMPAIGN_PATH_SIZE + 256];
        struct stat file;
        (void)snprintf(path, sizeof path, "%s/%s", corpus, entry->d_name);
        if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) || (size_t)file.st_size != size)
            continue;
        uint8_t *other = NULL;
        size_t other_size = 0;
        status = harness_file_read(path, &other, &other_size, campaign->error);
        if (status == HARNESS_OK && other_size == size && memcmp(other, bytes, size) == 0)
            (void)unlink(path);
        free(other);
    }
    (void)closedir(directory);
    return status;
}

static bool begins(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

/* Lines of the target (`ours`), or those of the engine and of sanitizers: theirs begin with ==PID== or are behind one
 * that does. */
static void add_lines(const char *text, bool ours, struct harness_text *out)
{
    bool is_ours = false;
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        if (begins(text, "picafuzz: "))
            is_ours = true;
        else if (begins(text, "==") || begins(text, "NOTE: ") || begins(text, "SUMMARY: "))
            is_ours = false;
        if (is_ours == ours)
            harness_text_format(out, "%.*s\n", (int)length, text);
    }
}

/* CASE.txt: what the target said, how to see it again, and below it what the engine said, mostly its own stack. The
 * bucket that the case will lie in has no name yet: the shell finds it. */
static enum harness_status write_said(const struct campaign *campaign, const struct campaign_said *said,
                                      const char *artifact, struct harness_error *error)
{
    char path[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    const char *const options = campaign->options->backends.options, *const slash = strrchr(artifact, '/');
    const char *const name = slash != NULL ? slash + 1 : artifact;
    struct harness_text text, engine;
    harness_text_init(&text);
    harness_text_init(&engine);
    add_lines(said->text, true, &text);
    harness_text_format(&text, "look at it: picafuzz diff %s%.*s%s%s.pcase\n", options != NULL ? options : "",
                        (int)(name - artifact), artifact, campaign->options->reduce_tries != 0 ? "*/" : "", name);
    add_lines(said->text, false, &engine);
    if (engine.size != 0)
        harness_text_format(&text, "\nWhat the engine said, with the stack of the target, not of a backend:\n%s",
                            harness_text_string(&engine));
    (void)snprintf(path, sizeof path, "%s.txt", artifact);
    const enum harness_status status = text.failed || engine.failed
                                           ? harness_fail_memory(error)
                                           : harness_file_write(path, text.data, text.size, error);
    harness_text_free(&text);
    harness_text_free(&engine);
    return status;
}

/* CASE.pcb as the engine left it -> CASE.pcb with the limits it ran under, CASE.pcase, CASE.txt. */
static enum harness_status write_finding(struct campaign *campaign, const struct campaign_said *said,
                                         const char *artifact)
{
    struct harness_error *const error = campaign->error;
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum harness_status status = harness_file_read(artifact, &bytes, &size, error);
    struct harness_case *const test_case = harness_case_create();
    if (status == HARNESS_OK && (test_case == NULL || !harness_pcb_decode(test_case, bytes, size)))
        status = harness_fail_memory(error);
    char path[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    if (status == HARNESS_OK) {
        const struct harness_campaign_backends *const backends = &campaign->options->backends;
        harness_bound_case(test_case);
        (void)harness_backends_fit_profile(backends->opened, backends->count, test_case); /* as it ran */
        (void)snprintf(path, sizeof path, "%s.pcb", artifact);
        status = harness_case_save_file(test_case, path, error);
    }
    if (status == HARNESS_OK)
        status = write_said(campaign, said, artifact, error);
    if (status == HARNESS_OK) {
        (void)snprintf(path, sizeof path, "%s.pcase", artifact);
        status = harness_case_save_file(test_case, path, error);
    }
    harness_case_destroy(test_case);
    free(bytes);
    return status;
}

/* Where a finding went. */
struct filed {
    char path[HARNESS_CAMPAIGN_PATH_SIZE]; /* of the .pcase */
    bool duplicate;                        /* of what is there, or of what the baseline accepts */
    bool accepted;                         /* by the baseline */
};

/* Reduces the case and puts it into its bucket. */
static enum harness_status file_case(struct campaign *campaign, const char *name, struct harness_case *test_case,
                                     const struct campaign_failure *failure, struct filed *out)
{
    const struct harness_campaign_backends *const backends = &campaign->options->backends;
    const struct harness_filing filing = { .findings = campaign->options->findings,
                                           .name = name,
                                           .tries = campaign->options->reduce_tries,
                                           .backends = backends->opened,
                                           .backend_count = backends->count,
                                           .machine = campaign_machine(campaign),
                                           .quirks = backends->quirks };
    struct harness_filed filed;
    struct harness_case *const found = harness_case_clone(test_case);
    enum harness_status status = found != NULL ? HARNESS_OK : harness_fail_memory(campaign->error);
    bool freed = false;
    if (status == HARNESS_OK && !campaign_is_unstable(failure)) /* such a one is kept as it is */
        status = campaign_peel_free(campaign, test_case, &freed);
    if (status == HARNESS_OK) {
        status = harness_finding_reduce(&filing, test_case, &filed, campaign->error);
        filed.is_known = freed && !filed.confirmed;
    }
    if (status == HARNESS_OK)
        status = harness_finding_put(&filing, test_case, out->path, sizeof out->path, &filed, campaign->error);
    if (status == HARNESS_OK) {
        out->accepted = harness_finding_is_accepted(filing.quirks, out->path, &filed);
        out->duplicate = filed.duplicate || out->accepted;
    }
    if (status == HARNESS_OK && !filed.is_known)
        status = campaign_peel_learn(campaign, failure, &filing, &filed, test_case, found);
    if (status == HARNESS_OK)
        harness_finding_remove_waiting(&filing);
    harness_case_destroy(found);
    return status;
}

/* From the findings directory to the bucket's. */
static enum harness_status file_artifact(struct campaign *campaign, const char *artifact, const char *name,
                                         const struct campaign_failure *failure, struct filed *filed)
{
    char found[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    (void)snprintf(filed->path, sizeof filed->path, "%.*s.pcase", HARNESS_CAMPAIGN_PATH_SIZE - 8, artifact);
    if (campaign->options->reduce_tries == 0)
        return HARNESS_OK;
    (void)snprintf(found, sizeof found, "%s.pcb", artifact);
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case != NULL
                                     ? harness_case_load_file(test_case, found, NULL, NULL, campaign->error)
                                     : harness_fail_memory(campaign->error);
    if (status == HARNESS_OK)
        status = file_case(campaign, name, test_case, failure, filed);
    harness_case_destroy(test_case);
    return status;
}

static void add_finding(struct campaign *campaign, const struct campaign_failure *failure, const struct filed *filed)
{
    struct harness_campaign_summary *const summary = campaign->summary;
    summary->accepted += filed->accepted;
    summary->progress.duplicates += filed->duplicate;
    if (filed->duplicate || summary->progress.findings == HARNESS_CAMPAIGN_MAX_FINDINGS)
        return;
    campaign->failures[summary->progress.findings] = *failure;
    struct harness_campaign_finding *const finding = &summary->findings[summary->progress.findings++];
    (void)snprintf(finding->title, sizeof finding->title, "%s", failure->title);
    (void)snprintf(finding->path, sizeof finding->path, "%s", filed->path);
}

/* Writes its files, and it becomes an entry of the summary. */
static enum harness_status settle(struct campaign *campaign, const struct campaign_said *said, const char *artifact,
                                  const char *name, const struct campaign_failure *failure)
{
    struct filed filed = { .duplicate = false };
    enum harness_status status = write_finding(campaign, said, artifact);
    if (status == HARNESS_OK)
        status = file_artifact(campaign, artifact, name, failure, &filed);
    if (status == HARNESS_OK)
        add_finding(campaign, failure, &filed);
    return status;
}

/* What the target says about the input. A title that nothing else has if it says nothing. */
static enum harness_status ask_target(struct campaign *campaign, const char *artifact, struct campaign_said *said)
{
    bool failed = false;
    char line[HARNESS_CAMPAIGN_PATH_SIZE + 128];
    const enum harness_status status = campaign_replay(campaign, artifact, &failed, said);
    if (status != HARNESS_OK || failed)
        return status;
    const int length =
        snprintf(line, sizeof line,
                 "picafuzz: the target does not fail on this input alone, but the engine saw it do so: %s", artifact);
    memset(said, 0, sizeof *said);
    campaign_remember(said, line, (size_t)length);
    return status;
}

/* The artifact itself goes last: whoever is killed before finds it again. */
static enum harness_status take(struct campaign *campaign, const struct campaign_said *said, const char *name)
{
    char artifact[HARNESS_CAMPAIGN_PATH_SIZE];
    (void)snprintf(artifact, sizeof artifact, "%.700s/%s", campaign->options->findings, name);
    struct campaign_said asked;
    struct campaign_failure failure;
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum harness_status status = HARNESS_OK;
    if (said == NULL) {
        status = ask_target(campaign, artifact, &asked);
        said = &asked;
    }
    if (status == HARNESS_OK)
        status = harness_file_read(artifact, &bytes, &size, campaign->error);
    if (status == HARNESS_OK)
        status = drop_from_corpus(campaign, campaign->options->corpus, bytes, size);
    free(bytes);
    if (status != HARNESS_OK)
        return status;
    find_failure(said, name, &failure);
    if (is_known(campaign, &failure))
        campaign->summary->progress.duplicates++;
    else
        status = settle(campaign, said, artifact, name, &failure);
    if (status == HARNESS_OK && unlink(artifact) != 0)
        status = harness_fail(campaign->error, HARNESS_HOST, "%s: %s", artifact, strerror(errno));
    return status;
}

static int is_artifact(const struct dirent *entry)
{
    return strncmp(entry->d_name, CAMPAIGN_ARTIFACT, strlen(CAMPAIGN_ARTIFACT)) == 0 &&
           strchr(entry->d_name, '.') == NULL;
}

/* An input that hangs takes HARNESS_INPUT_TIMEOUT, an emulator has hundreds, and nothing else is done meanwhile. */
static bool has_time(const struct campaign *campaign, double begun)
{
    const bool by_clock = campaign->options->executions == 0;
    return !campaign->asked && campaign->summary->progress.findings < campaign->options->max_findings &&
           !(by_clock && harness_seconds_now() - begun > (double)TAKE_SECONDS);
}

enum harness_status campaign_take_artifacts(struct campaign *campaign, const struct campaign_said *said, size_t *found,
                                            uint64_t *left)
{
    const double begun = harness_seconds_now();
    struct dirent **entries = NULL;
    const int count = scandir(campaign->options->findings, &entries, is_artifact, alphasort);
    enum harness_status status = HARNESS_OK;
    if (count < 0)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->options->findings, strerror(errno));
    *left = 0;
    for (int i = 0; i < count; i++) {
        /* The one that an engine ended with is told already. */
        const bool is_told = said != NULL && count == 1;
        if (status == HARNESS_OK && (is_told || has_time(campaign, begun))) {
            status = take(campaign, is_told ? said : NULL, entries[i]->d_name);
            (*found)++;
        } else {
            (*left)++;
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

uint64_t campaign_count_files(const char *path)
{
    uint64_t count = 0;
    DIR *const directory = opendir(path);
    for (const struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    if (directory != NULL)
        (void)closedir(directory);
    return count;
}
