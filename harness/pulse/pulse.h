/*
 * The pulse of a campaign: what it did until now, over all its starts; what is wrong with it, in one line; a page.
 *
 *     DIRECTORY/stats.json     the totals, every five seconds (docs/formats/stats.md)
 *     DIRECTORY/history.tsv    a point a minute
 *     DIRECTORY/index.html     the page, every ten seconds
 *
 * It knows nothing of engines: a campaign tells it once a second what its instances have done.
 */
#ifndef HARNESS_PULSE_PULSE_H
#define HARNESS_PULSE_PULSE_H

#include "harness/case/error.h"
#include "harness/run/pair.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_PULSE_INSTANCES = 64,
    HARNESS_PULSE_NAME = 32,
    HARNESS_PULSE_TROUBLE = 400,
    HARNESS_PULSE_LINE = 512
};

/* One kind of process of a campaign. Counts are since this start of the campaign. */
struct harness_pulse_instance {
    const char *name;   /* the same over all starts */
    const char *engine; /* "libfuzzer" */
    const char *target; /* "fuzz_pair" */
    bool running;
    const char *trouble; /* why it is not started any more; NULL: none */
    double seconds;      /* wall time that it has run */
    uint64_t executions, findings;
    const struct harness_pair_statistics *statistics; /* NULL: none */
    uint64_t edges, features, corpus;                 /* as its engine says */
};

struct harness_pulse_sample {
    double elapsed; /* seconds since this start */
    const struct harness_pulse_instance *instances;
    size_t count;
    uint64_t findings, duplicates; /* since this start */
    uint64_t waiting;              /* findings that wait for their reduction */
    uint64_t inputs;               /* files in the corpus directory */
    const char *trouble;           /* of the campaign itself; "": none */
};

struct harness_pulse_options {
    const char *directory; /* of the campaign */
    const char *corpus;
};

struct harness_pulse;

/* Reads what earlier starts left; a stats.json that cannot be read is kept as stats.json.damaged, and counting begins
 * anew: `said` (of `size` bytes) says so, else "". Strings of the options are borrowed. */
enum harness_status harness_pulse_open(const struct harness_pulse_options *options, struct harness_pulse **pulse,
                                       char *said, size_t size, struct harness_error *error);

/* Seconds that the instance of that name ran in earlier starts; -1: they had none. */
double harness_pulse_ran(const struct harness_pulse *pulse, const char *name);

/* About once a second: writes what is due, each file whole or not at all. */
enum harness_status harness_pulse_take(struct harness_pulse *pulse, const struct harness_pulse_sample *sample,
                                       struct harness_error *error);

/* What is wrong, the most pressing first, without a newline; "" if nothing is. */
const char *harness_pulse_line(const struct harness_pulse *pulse);

/* Do two such lines say something else than other numbers? "stuck for 3 h" and "stuck for 4 h" do not. */
bool harness_pulse_is_other(const char *one, const char *other);

/* Edges and features that the page shows: of the first instance that counts them, over all starts. */
void harness_pulse_reach(const struct harness_pulse *pulse, uint64_t *edges, uint64_t *features);

/* Writes everything with the last sample, ends the survey. Accepts NULL. */
enum harness_status harness_pulse_close(struct harness_pulse *pulse, struct harness_error *error);

#endif
