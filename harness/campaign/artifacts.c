/* Failing inputs -> finding files. */
#include "harness/campaign/campaign_parts.h"

#include "harness/case/formats.h"
#include "harness/triage/filing.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void campaign_remember(struct campaign_said *said, const char *line, size_t length)
{
    if (said->length + length + 2 > sizeof said->text)
        return;
    memcpy(said->text + said->length, line, length);
    said->length += length;
    said->text[said->length++] = '\n';
    said->text[said->length] = '\0';
}

/*
 * Length of a number at the start of `text`, where counts, addresses and values are: those differ from case to case and
 * tell no kinds apart. 0 in a name (TEXUNIT1_DIM; but of the uniform c5 the 5) and in a place (clip.c:116:5). `before`
 * is the character before, 0 at the start.
 */
static size_t number_length(char before, const char *text)
{
    const bool in_name =
        (before >= 'A' && before <= 'Z') || (before >= '0' && before <= '9') || before == '_' || before == ':';
    if (in_name || strspn(text, "0123456789") == 0)
        return 0;
    return strspn(text, "0123456789ABCDEFabcdefx");
}

/* Past numbers; `before` as above, kept up to date. */
static const char *skip_number(char *before, const char *text)
{
    const size_t length = number_length(*before, text);
    if (length != 0)
        *before = text[length - 1];
    return text + length;
}

/* Are two titles of one kind? */
static bool same_kind(const char *a, const char *b)
{
    char before_a = '\0', before_b = '\0';
    for (;;) {
        a = skip_number(&before_a, a);
        b = skip_number(&before_b, b);
        if (*a != *b)
            return false;
        if (*a == '\0')
            return true;
        before_a = *a++;
        before_b = *b++;
    }
}

static bool title_known(const struct harness_campaign_summary *summary, const char *title)
{
    for (size_t i = 0; i < summary->progress.findings; i++)
        if (same_kind(summary->findings[i].title, title))
            return true;
    return false;
}

static bool is_one_of(const char *word, size_t length, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == length && strncmp(word, list[i], length) == 0)
            return true;
    return false;
}

/* Of "NAME PATH" the path, or whatever stands in its place; both may hold spaces. */
static const char *source_of(const char *name)
{
    static const char *const starts[] = { " /", " ./", " ../" };
    const char *source = NULL;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        const char *const found = strstr(name, starts[i]);
        if (found != NULL && (source == NULL || found < source))
            source = found;
    }
    if (source == NULL)
        source = strrchr(name, ' ');
    return source != NULL ? source + 1 : "";
}

/* ".../glibc-2.36/...", but not ".../my-glibc-emulator/...". */
static bool has_glibc_release(const char *source)
{
    static const char directory[] = "/glibc-";
    for (const char *at = strstr(source, directory); at != NULL; at = strstr(at + 1, directory))
        if (at[strlen(directory)] >= '0' && at[strlen(directory)] <= '9')
            return true;
    return false;
}

/* Is that where distributions and LLVM build the C library and the runtimes? */
static bool is_runtime_source(const char *source)
{
    static const char *const starts[] = { "./malloc/", "./libio/", "./stdlib/", "./stdio-common/",      "./string/",
                                          "./assert/", "./nptl/",  "./signal/", "/usr/src/debug/glibc/" };
    static const char *const parts[] = { "/sysdeps/", "libsanitizer/", "compiler-rt/", "/include/c++/" };
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(source, starts[i], strlen(starts[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(source, parts[i]) != NULL)
            return true;
    return has_glibc_release(source);
}

/* Is the function one through which programs fail, but in which they are not wrong: the C library's, a sanitizer's,
 * libFuzzer's? `name` and what follows: "NAME PATH". A program may have a function of its own of such a name: then its
 * path is not relative. */
static bool is_runtime(const char *name)
{
    static const char *const functions[] = { "abort",   "raise",  "gsignal", "pthread_kill", "kill",    "free",
                                             "malloc",  "calloc", "realloc", "memcpy",       "memmove", "memset",
                                             "memcmp",  "memchr", "strlen",  "strcmp",       "strcpy",  "strncpy",
                                             "strncmp", "strchr", "strstr",  "strtol",       "strtoul", "qsort",
                                             "printf",  "fprintf" };
    const char *const source = source_of(name);
    if (strncmp(name, "__", 2) == 0 || strncmp(name, "fuzzer::", 8) == 0 || is_runtime_source(source))
        return true;
    return source[0] != '/' && (strncmp(name, "_IO_", 4) == 0 || strncmp(name, "_int_", 5) == 0 ||
                                is_one_of(name, strcspn(name, " "), functions, sizeof functions / sizeof functions[0]));
}

/* Of "NAME /PATH/FILE:LINE:COLUMN": "FILE:LINE:COLUMN"; NULL without a line, as in "NAME (/PATH/FILE+0x12) (BuildId:
 * ab)". */
static const char *place_of(const char *name)
{
    const char *const slash = strrchr(name, '/');
    const char *const colon = slash != NULL ? strchr(slash, ':') : NULL;
    return colon != NULL && colon[1] >= '0' && colon[1] <= '9' ? slash + 1 : NULL;
}

/*
 * Of a stack trace, "    #3 0x55d0 in NAME /PATH/FILE:LINE:COLUMN": the first function whose source is known and that
 * is none of the runtime. " in NAME FILE:LINE:COLUMN", or nothing.
 */
static void add_place(const char *text, char *title, size_t size)
{
    for (const char *line = strstr(text, "\n    #"); line != NULL; line = strstr(line + 1, "\n    #")) {
        const size_t length = strcspn(line + 1, "\n");
        char frame[512];
        (void)snprintf(frame, sizeof frame, "%.*s", (int)length, line + 1);
        const char *const name = strstr(frame, " in ");
        const char *const place = name != NULL ? place_of(name + 4) : NULL;
        if (place == NULL || is_runtime(name + 4))
            continue;
        const size_t used = strlen(title);
        (void)snprintf(title + used, size - used, "%.*s %s", (int)strcspn(name + 4, " ") + 4, name, place);
        return;
    }
}

/* What the target said first; where a sanitizer speaks, also where. */
static void make_title(const struct campaign_said *said, char *title, size_t size)
{
    const char *text = said->text;
    if (strncmp(text, "picafuzz: reference and fast differ\n", 36) == 0)
        text += 36;
    (void)snprintf(title, size, "%.*s", (int)strcspn(text, "\n"), text);
    if (strstr(title, "ERROR:") != NULL)
        add_place(text, title, size);
    if (title[0] == '\0')
        (void)snprintf(title, size, "the target died without a word");
}

/* A failing input that lies in the corpus would end every later start of the target at once: it leaves the corpus. */
static enum harness_status drop_from_corpus(const struct campaign *campaign, const uint8_t *bytes, size_t size)
{
    DIR *const directory = opendir(campaign->options->corpus);
    if (directory == NULL)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->options->corpus, strerror(errno));
    enum harness_status status = HARNESS_OK;
    for (const struct dirent *entry; status == HARNESS_OK && (entry = readdir(directory)) != NULL;) {
        char path[HARNESS_CAMPAIGN_PATH_SIZE];
        struct stat file;
        (void)snprintf(path, sizeof path, "%s/%s", campaign->options->corpus, entry->d_name);
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
        harness_bound_case(test_case);
        (void)snprintf(path, sizeof path, "%s.pcb", artifact);
        status = harness_case_save_file(test_case, path, error);
    }
    if (status == HARNESS_OK) {
        (void)snprintf(path, sizeof path, "%s.txt", artifact);
        status = harness_file_write(path, said->text, said->length, error);
    }
    if (status == HARNESS_OK) {
        (void)snprintf(path, sizeof path, "%s.pcase", artifact);
        status = harness_case_save_file(test_case, path, error);
    }
    if (status == HARNESS_OK)
        (void)unlink(artifact);
    harness_case_destroy(test_case);
    free(bytes);
    return status;
}

/* From the findings directory to the bucket's. */
static enum harness_status file_artifact(struct campaign *campaign, const char *artifact, const char *name, char *path,
                                         bool *duplicate)
{
    const struct harness_filing filing = { .findings = campaign->options->findings,
                                           .name = name,
                                           .seconds = campaign->options->reduce_seconds };
    char found[HARNESS_CAMPAIGN_PATH_SIZE + 16];
    *duplicate = false;
    (void)snprintf(path, HARNESS_CAMPAIGN_PATH_SIZE, "%.*s.pcase", HARNESS_CAMPAIGN_PATH_SIZE - 8, artifact);
    if (filing.seconds == 0)
        return HARNESS_OK;
    (void)snprintf(found, sizeof found, "%s.pcb", artifact);
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case != NULL
                                     ? harness_case_load_file(test_case, found, NULL, NULL, campaign->error)
                                     : harness_fail_memory(campaign->error);
    if (status == HARNESS_OK)
        status = harness_file_finding(&filing, test_case, path, HARNESS_CAMPAIGN_PATH_SIZE, duplicate, campaign->error);
    harness_case_destroy(test_case);
    return status;
}

/* `told`: what was said is about this input and no other, so that its kind is known before it is filed. Without that
 * nothing is dropped: it may be the only one of its kind. */
static enum harness_status take(struct campaign *campaign, const struct campaign_said *said, const char *name,
                                bool told)
{
    struct harness_campaign_summary *const summary = campaign->summary;
    char artifact[HARNESS_CAMPAIGN_PATH_SIZE], path[HARNESS_CAMPAIGN_PATH_SIZE];
    (void)snprintf(artifact, sizeof artifact, "%s/%s", campaign->options->findings, name);
    char title[sizeof summary->findings[0].title];
    make_title(said, title, sizeof title);
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum harness_status status = harness_file_read(artifact, &bytes, &size, campaign->error);
    if (status == HARNESS_OK)
        status = drop_from_corpus(campaign, bytes, size);
    free(bytes);
    const bool full = summary->progress.findings == HARNESS_CAMPAIGN_MAX_FINDINGS;
    if (status == HARNESS_OK && told && said->length != 0 && title_known(summary, title)) {
        summary->progress.duplicates++;
        return unlink(artifact) == 0 ? HARNESS_OK
                                     : harness_fail(campaign->error, HARNESS_HOST, "%s: %s", artifact, strerror(errno));
    }
    bool duplicate = false;
    if (status == HARNESS_OK)
        status = write_finding(campaign, said, artifact);
    if (status == HARNESS_OK)
        status = file_artifact(campaign, artifact, name, path, &duplicate);
    if (status != HARNESS_OK || full)
        return status;
    summary->progress.duplicates += duplicate;
    if (duplicate)
        return HARNESS_OK;
    struct harness_campaign_finding *const finding = &summary->findings[summary->progress.findings++];
    (void)snprintf(finding->title, sizeof finding->title, "%s", title);
    (void)snprintf(finding->path, sizeof finding->path, "%s", path);
    return HARNESS_OK;
}

enum harness_status campaign_take_artifact(struct campaign *campaign, const struct campaign_said *said,
                                           const char *name, bool told)
{
    return take(campaign, said, name, told);
}

/* ------------------------------------------------------------------------------- what a killed campaign left behind */

/* "job0-crash-SHA1" in the findings directory itself: found, but not written down. */
static bool is_unwritten(const char *name)
{
    static const char *const kinds[] = { "-crash-", "-timeout-", "-oom-", "-leak-" };
    if (strncmp(name, "job", 3) != 0 || strchr(name, '.') != NULL)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strstr(name, kinds[i]) != NULL)
            return true;
    return false;
}

/* "job0-crash-SHA1.pcb" there: written down, but not filed. */
static bool is_unfiled(const char *name)
{
    const char *const dot = strrchr(name, '.');
    return strncmp(name, "job", 3) == 0 && dot != NULL && strcmp(dot, ".pcb") == 0;
}

static enum harness_status take_leftover(struct campaign *campaign, const char *entry)
{
    static const char text[] = "found by a campaign that was killed before it could say more";
    char artifact[HARNESS_CAMPAIGN_PATH_SIZE], path[HARNESS_CAMPAIGN_PATH_SIZE], name[256];
    bool duplicate = false;
    if (is_unwritten(entry)) {
        struct campaign_said said = { .length = 0 };
        campaign_remember(&said, text, strlen(text));
        return take(campaign, &said, entry, false);
    }
    if (!is_unfiled(entry) || campaign->options->reduce_seconds == 0)
        return HARNESS_OK;
    (void)snprintf(name, sizeof name, "%.*s", (int)(strlen(entry) - strlen(".pcb")), entry);
    (void)snprintf(artifact, sizeof artifact, "%s/%s", campaign->options->findings, name);
    return file_artifact(campaign, artifact, name, path, &duplicate);
}

enum harness_status campaign_take_leftovers(struct campaign *campaign)
{
    struct dirent **entries = NULL;
    const int count = scandir(campaign->options->findings, &entries, NULL, alphasort);
    if (count < 0)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->options->findings, strerror(errno));
    enum harness_status status = HARNESS_OK;
    for (int i = 0; i < count; i++) {
        char path[HARNESS_CAMPAIGN_PATH_SIZE + 256];
        (void)snprintf(path, sizeof path, "%s/%s", campaign->options->findings, entries[i]->d_name);
        if (status == HARNESS_OK && access(path, F_OK) == 0)
            status = take_leftover(campaign, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return status;
}
