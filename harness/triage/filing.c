#include "harness/triage/filing.h"

#include "harness/case/temporary.h"
#include "harness/reduce/reduce.h"
#include "harness/triage/bucket.h"
#include "harness/triage/bucket_record.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DIRECTORY_SIZE = 1536,
    PATH_SIZE = 2048,
    HANG_MS = 2000
};

static const char unconfirmed[] = "unconfirmed";

/* Does the candidate still mask the known differences? Without the masks it would show one of them instead. */
static bool holds(const void *what, struct harness_case *test_case)
{
    const struct harness_quirks *const quirks = what;
    return quirks == NULL || harness_force_holds(&quirks->force, test_case);
}

/* Applies the masks of known differences, as the fuzz target did. */
static bool apply_quirks(const struct harness_filing *filing, struct harness_case *test_case)
{
    struct harness_quirks_result result;
    return filing->quirks == NULL || harness_quirks_apply(filing->quirks, test_case, &result) == HARNESS_OK;
}

/* If anything goes wrong, the case stays as it is, in the bucket "unconfirmed". */
enum harness_status harness_finding_reduce(const struct harness_filing *filing, struct harness_case *test_case,
                                           struct harness_filed *filed, struct harness_error *error)
{
    struct harness_reduce_result result;
    struct harness_reduce_options options = {
        .probe = { .backends = filing->backends,
                   .backend_count = filing->backend_count,
                   .backend_options = filing->machine,
                   .jobs = 1,
                   .hang_ms = HANG_MS },
        .cost = filing->tries,
        .fits = holds,
        .fits_what = filing->quirks,
    };
    memset(filed, 0, sizeof *filed);
    (void)snprintf(filed->bucket, sizeof filed->bucket, "%s", unconfirmed);
    if (!apply_quirks(filing, test_case))
        return HARNESS_OK;
    const enum harness_status status = harness_reduce(test_case, &options, &result, error);
    if (status == HARNESS_OK) {
        struct harness_bucket bucket;
        harness_bucket_make(&bucket, &result.symptom, &result.cause);
        (void)snprintf(filed->bucket, sizeof filed->bucket, "%s", bucket.name);
        filed->symptom = result.symptom;
        filed->cause = result.cause;
        filed->confirmed = true;
        (void)snprintf(filed->message, sizeof filed->message, "%.*s", (int)strcspn(result.message, "\n"),
                       result.message);
        (void)harness_bucket_head(test_case, filing->name, &result, &bucket);
        harness_bucket_free(&bucket);
    }
    return status == HARNESS_NO_MEMORY ? status : HARNESS_OK;
}

/* Is the file this finding's own? One that was being filed when the hunt was killed may have left some. */
static bool is_own(const struct harness_filing *filing, const char *file, const char *dot)
{
    return strlen(filing->name) == (size_t)(dot - file) && strncmp(file, filing->name, (size_t)(dot - file)) == 0;
}

static size_t count_others(const struct harness_filing *filing, const char *directory)
{
    DIR *const opened = opendir(directory);
    size_t count = 0;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        const char *const dot = strrchr(entry->d_name, '.');
        count += dot != NULL && strcmp(dot, ".pcase") == 0 && !is_own(filing, entry->d_name, dot);
    }
    if (opened != NULL)
        (void)closedir(opened);
    return count;
}

/* Is what was found already there, under another name? Two jobs may find the same input. */
static bool holds_input(const struct harness_filing *filing, const char *directory)
{
    char path[PATH_SIZE + 256];
    uint8_t *found = NULL, *other = NULL;
    size_t size = 0, other_size = 0;
    bool holds = false;
    (void)snprintf(path, sizeof path, "%s/%s.pcb", filing->findings, filing->name);
    DIR *const opened = opendir(directory);
    const bool known = harness_file_read(path, &found, &size, NULL) == HARNESS_OK;
    for (const struct dirent *entry; known && !holds && opened != NULL && (entry = readdir(opened)) != NULL;) {
        const char *const dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".pcb") != 0 || is_own(filing, entry->d_name, dot))
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        holds = harness_file_read(path, &other, &other_size, NULL) == HARNESS_OK && other_size == size &&
                memcmp(other, found, size) == 0;
        free(other);
    }
    if (opened != NULL)
        (void)closedir(opened);
    free(found);
    return holds;
}

static enum harness_status copy_file(const struct harness_filing *filing, const char *directory, const char *extension,
                                     struct harness_error *error)
{
    char from[PATH_SIZE], to[PATH_SIZE];
    uint8_t *bytes = NULL;
    size_t size = 0;
    (void)snprintf(from, sizeof from, "%s/%s.%s", filing->findings, filing->name, extension);
    (void)snprintf(to, sizeof to, "%s/%s.%s", directory, filing->name, extension);
    if (access(from, F_OK) != 0 && errno == ENOENT) /* a hunt that was killed may not have written all */
        return HARNESS_OK;
    enum harness_status status = harness_file_read(from, &bytes, &size, error);
    if (status == HARNESS_OK)
        status = harness_file_write(to, bytes, size, error);
    free(bytes);
    return status;
}

void harness_finding_remove_waiting(const struct harness_filing *filing)
{
    static const char *const extensions[] = { "pcase", "pcb", "txt" };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s.%s", filing->findings, filing->name, extensions[i]);
        (void)unlink(path);
    }
}

/* Puts the finding into the directory of its bucket if that has room, and counts it in any case. */
static enum harness_status put(const struct harness_filing *filing, const struct harness_case *test_case,
                               const char *directory, const char *path, struct harness_filed *filed,
                               struct harness_error *error)
{
    /* It is not known what unconfirmed findings have in common, so all are kept. */
    filed->duplicate =
        (filed->confirmed && count_others(filing, directory) >= HARNESS_FILING_KEPT) || holds_input(filing, directory);
    char there[PATH_SIZE]; /* its last file: if it is there, the finding was put there, and counted, before a kill */
    (void)snprintf(there, sizeof there, "%s/%s.pcb", directory, filing->name);
    enum harness_status status =
        access(there, F_OK) != 0 ? harness_bucket_record_add(directory, time(NULL), error) : HARNESS_OK;
    if (status == HARNESS_OK && !filed->duplicate) {
        status = copy_file(filing, directory, "txt", error);
        if (status == HARNESS_OK)
            status = harness_case_save_file(test_case, path, error);
        if (status == HARNESS_OK)
            status = copy_file(filing, directory, "pcb", error);
    }
    return status;
}

enum harness_status harness_finding_put(const struct harness_filing *filing, const struct harness_case *test_case,
                                        char *path, size_t size, struct harness_filed *filed,
                                        struct harness_error *error)
{
    char directory[DIRECTORY_SIZE];
    (void)snprintf(directory, sizeof directory, "%s/%s", filing->findings, filed->bucket);
    (void)snprintf(path, size, "%s/%s.pcase", directory, filing->name);
    const enum harness_status status = harness_directory_make(directory, error);
    return status == HARNESS_OK ? put(filing, test_case, directory, path, filed, error) : status;
}

bool harness_finding_is_accepted(const struct harness_quirks *quirks, const char *path,
                                 const struct harness_filed *filed)
{
    const bool died = harness_outcome_died(filed->symptom.kind);
    const struct harness_shown shown = { .test_case = path,
                                         .bucket = filed->bucket,
                                         .version = HARNESS_BUCKET_VERSION,
                                         .what = died ? HARNESS_SHOWS_CRASH : HARNESS_SHOWS_DIFFERENCE };
    return quirks != NULL && filed->confirmed && harness_quirks_accepts(quirks, &shown) != NULL;
}

/* Visits the directories in `findings` that may be buckets. */
static size_t visit_buckets(const char *findings, const struct harness_quirks *quirks,
                            size_t (*visit)(const char *directory, const struct harness_quirks *quirks))
{
    DIR *const opened = opendir(findings);
    size_t sum = 0;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        char path[DIRECTORY_SIZE];
        (void)snprintf(path, sizeof path, "%s/%s", findings, entry->d_name);
        if (entry->d_name[0] != '.') /* a file among them cannot be opened as a directory, and adds nothing */
            sum += visit(path, quirks);
    }
    if (opened != NULL)
        (void)closedir(opened);
    return sum;
}

static size_t clean(const char *directory, const struct harness_quirks *quirks)
{
    (void)quirks;
    return harness_temporary_clean(directory, HARNESS_TEMPORARY_FILE, HARNESS_WRITERS_ANYWHERE);
}

void harness_findings_clean(const char *findings)
{
    (void)clean(findings, NULL);
    (void)visit_buckets(findings, NULL, clean);
}

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Cases in a bucket's directory that the baseline does not accept. What they show is told by the directory's name. */
static size_t count_new(const char *directory, const struct harness_quirks *quirks)
{
    const char *const bucket = strrchr(directory, '/') + 1;
    struct harness_filed filed = { .symptom.kind = HARNESS_DIVERGE, .confirmed = strcmp(bucket, unconfirmed) != 0 };
    DIR *const opened = opendir(directory);
    size_t count = 0;
    (void)snprintf(filed.bucket, sizeof filed.bucket, "%s", bucket);
    if (begins(bucket, harness_outcome_name(HARNESS_CRASH)) || begins(bucket, harness_outcome_name(HARNESS_HANG)))
        filed.symptom.kind = HARNESS_CRASH;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        char path[PATH_SIZE];
        (void)snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        count += harness_has_extension(path, ".pcase") && !harness_finding_is_accepted(quirks, path, &filed);
    }
    if (opened != NULL)
        (void)closedir(opened);
    return count;
}

size_t harness_findings_count(const char *findings, const struct harness_quirks *quirks)
{
    return visit_buckets(findings, quirks, count_new);
}
