/* Which instances a campaign has, and whose turn it is where there are more of them than may run at the same time. */
#include "harness/campaign/campaign_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    LEAST_TURN = 2,       /* seconds; what is left of a turn after a finding is not worth a start below that */
    FIRST_RETRY = 60,     /* seconds after which an instance in trouble is tried again, twice as long each time ... */
    LAST_RETRY = 8 * 3600 /* ... up to that */
};

/* With afl-fuzz, the second mutates by bytes, the third with CmpLog, if it can. */
static void make_instance(struct campaign *campaign, unsigned index)
{
    const struct harness_campaign_options *const options = campaign->options;
    struct harness_campaign_instance *const instance = &campaign->instances[index];
    const bool afl = options->engine == HARNESS_ENGINE_AFL;
    *instance = (struct harness_campaign_instance){
        .name = campaign->names[index], .engine = options->engine, .target = options->target, .cmplog = options->cmplog
    };
    if (afl && index == 1)
        instance->mutation = HARNESS_MUTATION_BYTES;
    if (afl && index == 2 && options->cmplog != NULL)
        instance->mutation = HARNESS_MUTATION_CMPLOG;
    switch (instance->mutation) {
    case HARNESS_MUTATION_BYTES: instance->name = "bytes"; return;
    case HARNESS_MUTATION_CMPLOG: instance->name = "cmplog"; return;
    case HARNESS_MUTATION_STRUCTURE:
        (void)snprintf(campaign->names[index], sizeof campaign->names[index], "structure%u", index);
        return;
    }
}

void campaign_make_instances(struct campaign *campaign)
{
    const struct harness_campaign_options *const options = campaign->options;
    campaign->count = options->instances != NULL ? (unsigned)options->instance_count : options->jobs;
    for (unsigned i = 0; i < campaign->count; i++) {
        if (options->instances != NULL)
            campaign->instances[i] = options->instances[i];
        else
            make_instance(campaign, i);
        campaign->jobs[i].campaign = campaign;
        campaign->jobs[i].instance = &campaign->instances[i];
        campaign->jobs[i].index = i;
    }
}

bool campaign_takes_turns(const struct campaign *campaign)
{
    return campaign->options->instances != NULL && campaign->count > campaign->options->jobs;
}

const struct campaign_engine *campaign_engine_of(const struct campaign_job *job)
{
    switch (job->instance->engine) {
    case HARNESS_ENGINE_LIBFUZZER: return &campaign_libfuzzer;
    case HARNESS_ENGINE_AFL: return &campaign_afl;
    }
    return &campaign_libfuzzer; /* not reached */
}

/* It ended, and nothing forbids that it is started (again). */
static bool may_start(const struct campaign *campaign, unsigned index)
{
    const struct campaign_record *const record = &campaign->records[index];
    const bool again = campaign->options->instances != NULL || campaign_engine_of(&campaign->jobs[index])->restarts;
    return campaign->jobs[index].child.process == 0 && (record->starts == 0 || again) &&
           campaign_has_executions(campaign, index) &&
           (record->trouble[0] == '\0' || harness_seconds_now() >= record->retry_at);
}

static double weight_of(const struct campaign *campaign, unsigned index)
{
    const unsigned weight = campaign->instances[index].weight;
    return weight != 0 ? weight : 1.0;
}

/* Time that it had, in all starts, measured by what it is to have. */
static double used(const struct campaign *campaign, unsigned index)
{
    const struct campaign_record *const record = &campaign->records[index];
    return (record->before + record->seconds) / weight_of(campaign, index);
}

/* One that had trouble for weeks, or that came when the others had run for weeks, would have every turn for days. In a
 * round of turns each has a turn for each unit of its weight; whoever is further behind is so by at most two rounds, in
 * the same order. */
void campaign_limit_arrears(struct campaign *campaign)
{
    const double round = campaign->options->turn_seconds;
    double most = 0.0;
    for (unsigned i = 0; i < campaign->count; i++)
        most = used(campaign, i) > most ? used(campaign, i) : most;
    const double limit = most - round;
    for (unsigned i = 0; i < campaign->count; i++)
        if (used(campaign, i) < limit)
            campaign->records[i].before = (limit - round + round * used(campaign, i) / limit) * weight_of(campaign, i) -
                                          campaign->records[i].seconds;
}

/* One that earlier starts did not have begins beside the one that had least. */
void campaign_recall_turns(struct campaign *campaign)
{
    double least = -1.0;
    for (unsigned i = 0; campaign->pulse != NULL && i < campaign->count; i++) {
        campaign->records[i].before = harness_pulse_ran(campaign->pulse, campaign->instances[i].name);
        if (campaign->records[i].before >= 0.0 && (least < 0.0 || used(campaign, i) < least))
            least = used(campaign, i);
    }
    for (unsigned i = 0; i < campaign->count; i++)
        if (campaign->records[i].before < 0.0)
            campaign->records[i].before = least > 0.0 ? least * weight_of(campaign, i) : 0.0;
    campaign_limit_arrears(campaign);
}

static bool is_in_its_turn(const struct campaign_record *record)
{
    return record->turn_ends - harness_seconds_now() >= LEAST_TURN;
}

struct campaign_job *campaign_next_job(struct campaign *campaign)
{
    struct campaign_job *next = NULL;
    for (unsigned i = 0; i < campaign->count; i++) {
        if (!may_start(campaign, i))
            continue;
        const struct campaign_record *const record = &campaign->records[i];
        if (is_in_its_turn(record)) /* a finding ended it, not the time */
            return &campaign->jobs[i];
        if (next == NULL || used(campaign, i) < used(campaign, next->index))
            next = &campaign->jobs[i];
    }
    return next;
}

unsigned campaign_turn_seconds(struct campaign *campaign, unsigned index, unsigned left)
{
    struct campaign_record *const record = &campaign->records[index];
    const double now = harness_seconds_now();
    if (!campaign_takes_turns(campaign))
        return left;
    if (!is_in_its_turn(record))
        record->turn_ends = now + campaign->options->turn_seconds;
    const unsigned turn = (unsigned)(record->turn_ends - now + 0.5);
    return left != 0 && left < turn ? left : turn;
}

/* A line of what may be several, as what a target said is. Without the directories of `path`: they would take the room
 * of the reason. */
static void put_line(char *out, size_t size, const char *text, const char *path)
{
    const char *const slash = strrchr(path, '/'), *const found = slash != NULL ? strstr(text, path) : NULL;
    const size_t directories = found != NULL ? (size_t)(slash + 1 - path) : 0;
    size_t length = strlen(text), written = 0;
    while (length != 0 && text[length - 1] == '\n')
        length--;
    for (size_t i = 0; i < length && written + 1 < size; i++) {
        if (text + i == found)
            i += directories;
        out[written++] = text[i] == '\n' ? ' ' : text[i];
    }
    out[written] = '\0';
}

/* A campaign of one kind of process ends with its trouble; one of many goes on with the others as long as there are
 * some. */
enum harness_status campaign_leave_out(struct campaign *campaign, unsigned index, enum harness_status status)
{
    struct campaign_record *const record = &campaign->records[index];
    if (campaign->options->instances == NULL)
        return status;
    put_line(record->trouble, sizeof record->trouble, campaign->error->message, campaign->instances[index].target);
    const double wait = (double)FIRST_RETRY * (double)(1U << (record->troubles < 9 ? record->troubles : 9));
    record->retry_at = harness_seconds_now() + (wait < LAST_RETRY ? wait : (double)LAST_RETRY);
    record->troubles++;
    record->turn_ends = 0.0;
    for (unsigned i = 0; i < campaign->count; i++)
        if (campaign->records[i].trouble[0] == '\0')
            return HARNESS_OK;
    return status;
}

void campaign_path_of(const struct campaign *campaign, const struct harness_campaign_instance *instance,
                      enum campaign_place place, char *out, size_t size)
{
    const char *const corpus = campaign->options->corpus, *const findings = campaign->options->findings;
    const bool own =
        place == CAMPAIGN_CORPUS ? instance->inputs == HARNESS_INPUTS_BYTES : instance->inputs != HARNESS_INPUTS_PAIR;
    const char *const directory = place == CAMPAIGN_CORPUS ? corpus : findings;
    size_t length = strlen(directory);
    while (own && length > 1 && directory[length - 1] == '/')
        length--;
    if (own)
        (void)snprintf(out, size, "%.*s%c%s", (int)length, directory, place == CAMPAIGN_CORPUS ? '-' : '/',
                       instance->name);
    else
        (void)snprintf(out, size, "%s", directory);
}

enum harness_status campaign_make_places(struct campaign *campaign)
{
    enum harness_status status = HARNESS_OK;
    for (unsigned i = 0; i < campaign->count && status == HARNESS_OK; i++)
        for (int place = CAMPAIGN_CORPUS; place <= CAMPAIGN_FINDINGS && status == HARNESS_OK; place++) {
            char path[HARNESS_CAMPAIGN_PATH_SIZE];
            campaign_path_of(campaign, &campaign->instances[i], (enum campaign_place)place, path, sizeof path);
            if (mkdir(path, 0777) != 0 && errno != EEXIST)
                status = harness_fail(campaign->error, HARNESS_HOST, "%s: cannot be made: %s", path, strerror(errno));
        }
    return status;
}
