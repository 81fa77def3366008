/* The engine's process: how it is started, what it is told, what it prints, and what its end means. */
#include "harness/campaign/campaign_parts.h"

#include "harness/case/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_LOG = 16 << 20, /* bytes; an engine alone prints much less */
    LAST_WORDS = 400
};

/* How the engine is started. Ctrl-C reaches only this program, which then stops the engine; if this program is killed,
 * the engine is ended, too. */
static const struct harness_child_setup child_setup = { .group = true, .silent = true, .death_signal = SIGTERM };

/* ----------------------------------------------------------------------------------------------- what they are told */

static void set_or_not(const char *name, const char *value)
{
    if (value != NULL)
        (void)setenv(name, value, 1);
    else
        (void)unsetenv(name); /* a setting in the user's environment must not reach the target */
}

static void set_number(const char *name, uint32_t number)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%u", (unsigned)number);
    set_or_not(name, number != 0 ? text : NULL);
}

/* Passes options to the target through the environment, because its arguments are the engine's. */
static void tell_target(const struct harness_campaign *campaign)
{
    const struct harness_campaign_options *const options = campaign->options;
    set_or_not("PICAFUZZ_BACKENDS", options->backends.names);
    set_or_not("PICAFUZZ_ONLY", options->backends.only);
    set_or_not("PICAFUZZ_IGNORE", options->backends.ignore);
    set_or_not("PICAFUZZ_QUIRKS", options->backends.quirks_path);
    set_or_not("PICAFUZZ_FORCE", options->backends.force);
    set_number("PICAFUZZ_PLAIN", options->plain);
    set_number("PICAFUZZ_THREADS", options->threads);
    set_number("PICAFUZZ_CAPACITY", options->capacity);
}

/* ---------------------------------------------------------------------------------------------------- what they say */

static void remember(struct campaign_said *said, const char *line, size_t length)
{
    if (said->length + length + 2 > sizeof said->text)
        return;
    memcpy(said->text + said->length, line, length);
    said->length += length;
    said->text[said->length++] = '\n';
    said->text[said->length] = '\0';
}

/* ----------------------------------------------------------------------------------------------------------- engine */

uint64_t campaign_executions_left(const struct harness_campaign *campaign)
{
    const uint64_t most = campaign->options->executions, done = campaign->statistics->executions;
    return done >= most ? 0 : most - done;
}

struct start {
    const struct harness_campaign *campaign;
    unsigned seconds;
};

/* In the child: passes the options to the target and executes the engine. The target's counters continue over its
 * starts. */
static int become_engine(void *user)
{
    const struct start *const start = user;
    const struct harness_campaign *const campaign = start->campaign;
    char peel[HARNESS_CAMPAIGN_PATH_SIZE + 8];
    (void)snprintf(peel, sizeof peel, "%s/peel", campaign->options->findings);
    set_or_not("PICAFUZZ_STATISTICS", campaign->statistics_path);
    set_number("PICAFUZZ_EXECUTIONS", campaign->options->executions);
    set_or_not("PICAFUZZ_PEEL", campaign->options->peel ? peel : NULL);
    tell_target(campaign);
    campaign->engine->become(campaign, start->seconds);
    return HARNESS_CHILD_NOT_RUN;
}

enum harness_status campaign_start_engine(struct harness_campaign *campaign, unsigned seconds)
{
    struct start start = { campaign, seconds };
    struct harness_child_setup setup = child_setup;
    setup.said = open(campaign->log_path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (setup.said < 0)
        return harness_fail(campaign->error, HARNESS_HOST, "%s: %s", campaign->log_path, strerror(errno));
    campaign->starts++;
    campaign->dismissed = 0.0;
    campaign->urged = false;
    const bool started = harness_child_start(&campaign->child, &setup, become_engine, &start);
    const int trouble = errno;
    (void)close(setup.said);
    return started ? HARNESS_OK : harness_fail(campaign->error, HARNESS_HOST, "fork: %s", strerror(trouble));
}

void campaign_bound_log(const struct harness_campaign *campaign)
{
    struct stat log;
    if (stat(campaign->log_path, &log) == 0 && log.st_size > (off_t)MOST_LOG)
        (void)truncate(campaign->log_path, 0);
}

/* Is this a line with which a target begins to print why it ends? The marks are our own, and those of libFuzzer, the
 * sanitizers, assert and afl-fuzz. A plug-in in the process may print anything before it. */
static bool says_why_it_ends(const char *line)
{
    static const char *const marks[] = { "==ERROR: ",         "== ERROR: libFuzzer: ", "==WARNING: MemorySanitizer: ",
                                         ": runtime error: ", ": Assertion `",         "PROGRAM ABORT",
                                         "SYSTEM ERROR" };
    if (strncmp(line, "picafuzz:", 9) == 0)
        return true;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strstr(line, marks[i]) != NULL)
            return true;
    return false;
}

/* Removes the colour codes of afl-fuzz, ESC [ digits and ; m, in place. Returns the new length. */
static size_t without_colours(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        if (from[0] == '\033' && from[1] == '[') {
            from += 2 + strspn(from + 2, "0123456789;");
            from += *from != '\0';
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return (size_t)(to - text);
}

void campaign_hear_engine(struct harness_campaign *campaign)
{
    struct campaign_said *const said = &campaign->said;
    uint8_t *bytes = NULL;
    size_t size = 0;
    memset(said, 0, sizeof *said);
    if (harness_file_read(campaign->log_path, &bytes, &size, NULL) != HARNESS_OK)
        return;
    for (size_t at = 0, length; at < size; at += length + 1) {
        const char *const end = memchr(bytes + at, '\n', size - at);
        char line[HARNESS_LINE_SIZE];
        length = end != NULL ? (size_t)(end - (const char *)bytes) - at : size - at;
        (void)snprintf(line, sizeof line, "%.*s", (int)length, (const char *)bytes + at);
        if (line[0] == '#') { /* progress of libFuzzer, so it went on; stack frames are indented */
            said->length = 0;
            said->text[0] = '\0';
            said->has_worked = true;
            said->is_telling = false;
        } else {
            if (!said->is_telling && says_why_it_ends(line)) {
                said->length = 0;
                said->is_telling = true;
            }
            remember(said, line, without_colours(line));
        }
    }
    free(bytes);
}

const char *campaign_last_words(const struct campaign_said *said)
{
    if (said->is_telling || said->length <= LAST_WORDS)
        return said->text;
    const char *const line = strchr(said->text + said->length - LAST_WORDS, '\n');
    return line != NULL ? line + 1 : said->text;
}

/* "exit code 1" or "signal 9". */
static void describe_end(struct harness_child_end end, char *out, size_t size)
{
    (void)snprintf(out, size, "%s %d", end.how == HARNESS_CHILD_EXITED ? "exit code" : "signal", end.number);
}

enum harness_status campaign_judge_end(const struct harness_campaign *campaign, struct harness_child_end end)
{
    const struct campaign_said *const said = &campaign->said;
    const char *const says = said->length != 0 ? "; it said: " : "";
    const bool has_worked =
        said->has_worked || campaign->statistics->executions != 0 || campaign->statistics->mutations != 0;
    char how[32];
    describe_end(end, how, sizeof how);
    if (campaign->asked || (has_worked && (harness_child_is_good(end) || campaign->dismissed != 0.0)))
        return HARNESS_OK;
    if (has_worked)
        return harness_fail(campaign->error, HARNESS_HOST, "the engine ended with %s, and was not asked to%s%s", how,
                            says, campaign_last_words(said));
    return harness_fail(campaign->error, HARNESS_HOST, "the target %s executed nothing and ended with %s%s%s",
                        campaign->options->target, how, says, campaign_last_words(said));
}
