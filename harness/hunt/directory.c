/* The files of a hunt in its findings directory: the state, and what earlier starts left there. */
#include "harness/hunt/hunt_parts.h"

#include "harness/case/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH_SIZE = HARNESS_HUNT_PATH + HARNESS_HUNT_NAME + 16
};

static void path_of(const struct hunt *hunt, const char *name, const char *extension, char out[PATH_SIZE])
{
    (void)snprintf(out, PATH_SIZE, "%.*s/%s%s", HARNESS_HUNT_PATH - 1, hunt->options->findings, name, extension);
}

enum harness_status hunt_save(struct hunt *hunt)
{
    char path[PATH_SIZE];
    struct harness_peel *const peel = &hunt->state->peel;
    for (uint32_t i = 0; i < peel->count; i++)
        peel->causes[i].seen = hunt->known_before[i] + hunt->state->statistics.known[i];
    path_of(hunt, "hunt", ".json", path);
    hunt->saved = harness_seconds_now();
    char *const text = hunt_state_print(hunt->state);
    enum harness_status status =
        text != NULL ? harness_file_write(path, text, strlen(text), hunt->error) : harness_fail_memory(hunt->error);
    free(text);
    path_of(hunt, "peel", "", path);
    if (status == HARNESS_OK && hunt->options->peel && hunt->options->source != NULL) /* for the engine's target */
        status = harness_peel_share(path, peel, hunt->error);
    return status;
}

/* ------------------------------------------------------------------------------------------------------ what is odd */

void hunt_notice(struct hunt *hunt, const char *format, ...)
{
    char *const notice = hunt->summary->notice;
    const size_t used = strlen(notice), size = sizeof hunt->summary->notice;
    va_list arguments;
    va_start(arguments, format);
    const int added = vsnprintf(notice + used, size - used, format, arguments);
    va_end(arguments);
    if (added >= 0 && (size_t)added + 1 < size - used)
        memcpy(notice + used + added, "\n", 2);
}

/* Renames a damaged file, or a directory in its place, so that nothing is lost. The hunt learns its contents again. */
static enum harness_status set_aside(struct hunt *hunt, const char *path, const char *why)
{
    enum {
        MOST = 100
    };
    char aside[PATH_SIZE + 16];
    struct stat there;
    (void)snprintf(aside, sizeof aside, "%s.damaged", path);
    for (unsigned i = 2; i < MOST && lstat(aside, &there) == 0; i++)
        (void)snprintf(aside, sizeof aside, "%s.damaged%u", path, i);
    hunt_notice(hunt, "%.200s; it was renamed to %s, and what it said is found again", why, strrchr(aside, '/') + 1);
    return rename(path, aside) == 0 ? HARNESS_OK
                                    : harness_fail(hunt->error, HARNESS_HOST, "%s: %s", path, strerror(errno));
}

/* Refuses the state of another hunt. */
static enum harness_status check_state(const struct hunt *hunt, const char *path)
{
    const struct hunt_state *const state = hunt->state;
    if (strncmp(state->identity, hunt->options->identity, sizeof state->identity - 1) != 0)
        return harness_fail(hunt->error, HARNESS_BAD_INPUT,
                            "%s: is of another hunt (%s); give this one another --findings directory", path,
                            state->identity);
    if (state->first != hunt->options->seeds.first)
        return harness_fail(hunt->error, HARNESS_BAD_INPUT,
                            "%s: is of a hunt from seed %" PRIu64 " on; give this one another --findings directory",
                            path, state->first);
    return HARNESS_OK;
}

/* Is it a file that a hunt writes for a waiting finding? */
static int is_of_case(const struct dirent *entry)
{
    const char *const dot = strrchr(entry->d_name, '.');
    return dot != NULL && hunt_is_name(entry->d_name, (size_t)(dot - entry->d_name)) &&
           (strcmp(dot, ".pcb") == 0 || strcmp(dot, ".txt") == 0 || strcmp(dot, ".pcase") == 0);
}

static uint64_t input_number(const char *name)
{
    return strncmp(name, "input-", 6) == 0 ? strtoull(name + 6, NULL, 10) : 0;
}

/* An engine's inputs cannot be made again from seeds. So without a usable state their files are kept, and new inputs
 * get higher numbers. */
static void keep_inputs(struct hunt *hunt)
{
    struct dirent **entries = NULL;
    const int count = scandir(hunt->options->findings, &entries, is_of_case, NULL);
    for (int i = 0; i < count; i++) {
        const uint64_t number = input_number(entries[i]->d_name);
        if (hunt->options->source != NULL && number > hunt->state->next)
            hunt->state->next = number;
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static enum harness_status read_state(struct hunt *hunt)
{
    char path[PATH_SIZE], why[HARNESS_ERROR_SIZE + PATH_SIZE];
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct harness_error error = { "" };
    path_of(hunt, "hunt", ".json", path);
    if (access(path, F_OK) != 0)
        return HARNESS_OK;
    enum harness_status status = harness_file_read(path, &bytes, &size, &error);
    (void)snprintf(why, sizeof why, "%s", error.message);
    if (status == HARNESS_OK) {
        status = hunt_state_parse((const char *)bytes, size, hunt->state, &error);
        (void)snprintf(why, sizeof why, "%s: %s", path, error.message);
    }
    free(bytes);
    if (status == HARNESS_OK)
        return check_state(hunt, path);
    memset(hunt->state, 0, sizeof *hunt->state);
    keep_inputs(hunt);
    return set_aside(hunt, path, why);
}

static enum harness_status recall(struct hunt *hunt)
{
    const enum harness_status status = read_state(hunt);
    struct hunt_state *const state = hunt->state;
    (void)snprintf(state->identity, sizeof state->identity, "%s", hunt->options->identity);
    (void)snprintf(state->again, sizeof state->again, "%s", hunt->options->again);
    if (getcwd(state->started_in, sizeof state->started_in) == NULL)
        state->started_in[0] = '\0';
    state->first = hunt->options->seeds.first;
    memset(state->statistics.known, 0, sizeof state->statistics.known); /* of this start; `seen` is of all */
    for (uint32_t i = 0; i < state->peel.count; i++)
        hunt->known_before[i] = state->peel.causes[i].seen;
    hunt->summary->earlier_cases = state->statistics.executions;
    hunt->statistics_before = state->statistics;
    hunt->given = hunt->before = state->next;
    hunt->begun = state->begun;
    return status;
}

static bool is_there(const struct hunt *hunt, const char *name)
{
    char path[PATH_SIZE];
    path_of(hunt, name, ".pcb", path);
    return access(path, F_OK) == 0;
}

/* Drops the waiting findings whose case files were removed. */
static void forget_gone(struct hunt *hunt)
{
    struct hunt_state *const state = hunt->state;
    uint32_t kept = 0, chosen = 0;
    for (uint32_t i = 0; i < state->waiting_count; i++) {
        if (!is_there(hunt, state->waiting[i].name))
            continue;
        chosen += i < state->chosen;
        state->waiting[kept++] = state->waiting[i];
    }
    state->waiting_count = kept;
    state->chosen = chosen;
}

/* Renames what has the path of a file to be written, but is no regular file. */
static enum harness_status make_room(struct hunt *hunt, const char *path)
{
    struct stat there;
    char why[PATH_SIZE + 16];
    if (lstat(path, &there) != 0 || S_ISREG(there.st_mode))
        return HARNESS_OK;
    (void)snprintf(why, sizeof why, "%s: is no file", path);
    return set_aside(hunt, path, why);
}

/* Does the file belong to an input that had not been taken when the hunt was killed? The input is judged again, and may
 * show nothing new then. */
static bool is_judged_again(const struct hunt *hunt, const char *name)
{
    return input_number(name) > hunt->state->next;
}

/* Removes the incomplete files of findings that a kill left while they were written or removed. A finding is complete
 * only if it has its .pcb file. */
static enum harness_status remove_litter(struct hunt *hunt)
{
    struct dirent **entries = NULL;
    char path[PATH_SIZE];
    path_of(hunt, "peel", "", path);
    enum harness_status status = make_room(hunt, path);
    if (hunt->state->done[0] != '\0')
        hunt_filing_remove_waiting(hunt->options, hunt->state->done);
    const int count = scandir(hunt->options->findings, &entries, is_of_case, NULL);
    for (int i = 0; i < count; i++) {
        char name[HARNESS_HUNT_NAME];
        const char *const dot = strrchr(entries[i]->d_name, '.');
        (void)snprintf(name, sizeof name, "%.*s", (int)(dot - entries[i]->d_name), entries[i]->d_name);
        path_of(hunt, name, dot, path);
        if (status == HARNESS_OK)
            status = make_room(hunt, path);
        if (!is_there(hunt, name) || is_judged_again(hunt, name))
            (void)unlink(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return status;
}

static enum harness_status load_parent(struct hunt *hunt, const char *path, struct harness_case *test_case,
                                       uint8_t *bytes, struct harness_error *error)
{
    size_t size = 0;
    enum harness_status status = harness_case_load_file(test_case, path, NULL, NULL, error);
    if (status == HARNESS_OK)
        status = harness_pcb_encode(test_case, bytes, HARNESS_MAX_INPUT, &size, error);
    if (status == HARNESS_OK)
        (void)hunt_pool_add(hunt->pool, bytes, size);
    return status;
}

static int is_kept(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".pcb") == 0;
}

/* Loads the corpus; files that cannot be parents stay where they are and are ignored. */
static void load_kept(struct hunt *hunt, struct harness_case *test_case, uint8_t *bytes)
{
    struct dirent **entries = NULL;
    const int count = scandir(hunt->options->corpus, &entries, is_kept, alphasort);
    for (int i = 0; i < count; i++) {
        char path[HARNESS_HUNT_PATH + sizeof entries[i]->d_name];
        (void)snprintf(path, sizeof path, "%.*s/%s", HARNESS_HUNT_PATH - 1, hunt->options->corpus, entries[i]->d_name);
        (void)load_parent(hunt, path, test_case, bytes, NULL);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* Loads the files that the user named. A file that is no case is an error; one that is too large is only reported. */
static enum harness_status load_named(struct hunt *hunt, struct harness_case *test_case, uint8_t *bytes)
{
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < hunt->options->cases.parent_count && status == HARNESS_OK; i++) {
        status = load_parent(hunt, hunt->options->cases.parents[i], test_case, bytes, hunt->error);
        if (status == HARNESS_TOO_LARGE) {
            hunt_notice(hunt, "%s: not used as a seed: %s", hunt->options->cases.parents[i], hunt->error->message);
            status = HARNESS_OK;
        }
    }
    return status;
}

static enum harness_status load_parents(struct hunt *hunt)
{
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(HARNESS_MAX_INPUT);
    enum harness_status status = HARNESS_OK;
    if (test_case == NULL || bytes == NULL)
        status = harness_fail_memory(hunt->error);
    if (status == HARNESS_OK)
        status = load_named(hunt, test_case, bytes);
    if (status == HARNESS_OK && hunt->options->corpus != NULL)
        load_kept(hunt, test_case, bytes);
    free(bytes);
    harness_case_destroy(test_case);
    return status;
}

/* Locks the directory: two hunts in it would each take the other's findings for their own. */
static enum harness_status lock(struct hunt *hunt)
{
    hunt->lock = open(hunt->options->findings, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return hunt->lock >= 0
               ? harness_file_lock(hunt->lock, hunt->options->findings, "another hunt runs there", hunt->error)
               : harness_fail(hunt->error, HARNESS_HOST, "%s: %s", hunt->options->findings, strerror(errno));
}

enum harness_status hunt_begin(struct hunt *hunt)
{
    hunt->began = hunt->saved = harness_seconds_now();
    hunt->state = calloc(1, sizeof *hunt->state);
    hunt->pool = hunt_pool_create();
    hunt->maker = hunt->pool != NULL ? hunt_maker_create(hunt->options, hunt->pool) : NULL;
    enum harness_status status =
        hunt->state != NULL && hunt->maker != NULL ? lock(hunt) : harness_fail_memory(hunt->error);
    if (status == HARNESS_OK)
        status = recall(hunt);
    if (status == HARNESS_OK) {
        harness_findings_clean(hunt->options->findings);
        forget_gone(hunt);
        status = remove_litter(hunt);
        const uint64_t there = harness_findings_count(hunt->options->findings, hunt->options->quirks),
                       filed = hunt->state->filed;
        hunt->summary->earlier = hunt->options->reduce_tries == 0 || filed < there ? filed : there;
    }
    return status == HARNESS_OK ? load_parents(hunt) : status;
}

bool harness_hunt_recall(const char *path, struct harness_hunt_recalled *out)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct harness_error error = { "" };
    struct hunt_state *const state = malloc(sizeof *state);
    const bool good = state != NULL && access(path, F_OK) == 0 &&
                      harness_file_read(path, &bytes, &size, &error) == HARNESS_OK &&
                      hunt_state_parse((const char *)bytes, size, state, &error) == HARNESS_OK;
    *out = (struct harness_hunt_recalled){ .options = good ? strdup(state->again) : NULL };
    if (out->options != NULL) {
        (void)snprintf(out->started_in, sizeof out->started_in, "%s", state->started_in);
        out->statistics = state->statistics;
        out->peel = state->peel;
        out->first = state->first;
        out->is_usual = strstr(state->identity, ", plain 0,") != NULL && strstr(state->identity, ", shader ") == NULL &&
                        strstr(state->identity, ", with an engine") == NULL;
        out->filed = state->filed;
        out->waiting = state->waiting_count;
    }
    free(bytes);
    free(state);
    return out->options != NULL;
}
