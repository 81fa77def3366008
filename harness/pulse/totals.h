/* What a campaign did over all its starts, and its file, stats.json (docs/formats/stats.md). */
#ifndef HARNESS_PULSE_TOTALS_H
#define HARNESS_PULSE_TOTALS_H

#include "harness/pulse/pace.h"
#include "harness/pulse/pulse.h"
#include "harness/pulse/survey.h"

enum {
    HARNESS_STATS_VERSION = 2,
    HARNESS_STATS_OLDEST = 1 /* that is read */
};

struct harness_pulse_total {
    char name[HARNESS_PULSE_NAME], engine[16], target[48];
    char trouble[HARNESS_PULSE_TROUBLE]; /* "": none */
    bool running;
    bool takes_part; /* in this start; not in the file */
    double seconds;
    double idle; /* of these since it executed something, where that is known; not in the file */
    uint64_t executions, findings, edges, features, corpus;
    struct harness_pace pace;
};

struct harness_pulse_totals {
    uint64_t began, written; /* unix time */
    uint64_t starts;
    double seconds; /* that it ran */
    uint64_t executions, findings, duplicates, waiting;
    uint64_t edges, features; /* of the first instance that counts them */
    uint64_t corpus;          /* files in the corpus directory */
    uint64_t mutations, crossovers, trims;
    uint64_t generated, changes[HARNESS_PAIR_CHANGES]; /* of the mutations (harness/run/pair.h) */
    uint64_t disk_free, disk_size;                     /* bytes, of the campaign's directory */
    uint64_t memory_free, memory_size;
    struct harness_survey_result survey;
    struct harness_pulse_total instances[HARNESS_PULSE_INSTANCES];
    size_t count;
    char line[HARNESS_PULSE_LINE]; /* what is wrong */
};

/* `now` becomes `before` (what earlier starts did) and the sample. */
void harness_totals_add(const struct harness_pulse_totals *before, const struct harness_pulse_sample *sample,
                        struct harness_pulse_totals *now);

/* The file's contents, malloc'ed for the caller; NULL without memory. */
char *harness_totals_print(const struct harness_pulse_totals *totals);

/* HARNESS_BAD_INPUT for anything that is not such a file of a version that is read; the message names the field. */
enum harness_status harness_totals_parse(const char *bytes, size_t size, struct harness_pulse_totals *out,
                                         struct harness_error *error);

#endif
