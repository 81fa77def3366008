/*
 * The quirks file: how another machine is known to differ (docs/formats/quirks.md). It has five means: choices that the
 * reference takes over, fields that are forced, features that are left out, tolerance, and findings that are accepted.
 * Every summary counts how much of it was used, and none of it applies between our own two backends.
 */
#ifndef HARNESS_QUIRKS_H
#define HARNESS_QUIRKS_H

#include "harness/case/case.h"
#include "harness/case/text.h"
#include "harness/quirks/force.h"
#include "harness/quirks/without.h"
#include "oracles/tolerance.h"
#include "pica/splits.h"

enum {
    HARNESS_QUIRKS_VERSION = 1,
    HARNESS_QUIRKS_BYTES = 1 << 20, /* of the largest file */
    HARNESS_MOST_ACCEPTED = 1 << 14 /* entries of a baseline */
};

enum harness_expectation {
    HARNESS_EXPECT_FAIL = 0,  /* it differs */
    HARNESS_EXPECT_CRASH = 1, /* it crashes or hangs */
    HARNESS_EXPECT_FLAKY = 2, /* it may do anything */
    HARNESS_EXPECT_SKIP = 3   /* it is not run */
};

/* "fail", "crash", "flaky", "skip"; NULL beyond. */
const char *harness_expectation_name(uint32_t expectation);

/* A finding that is accepted: either a bucket or a case. */
struct harness_accepted {
    const char *bucket;    /* its name (harness/triage/bucket.h), or NULL */
    const char *test_case; /* the last part of the case's path, from a '/' on, or NULL */
    uint32_t version;      /* of the key that the bucket was named by */
    enum harness_expectation expectation;
    const char *note; /* may be empty or NULL */
    uint32_t line;    /* of the file */
};

struct harness_quirks {
    char *path;
    bool has_choices;
    struct pica_choices choices;
    struct harness_force force;
    struct harness_without without;
    struct oracle_tolerance tolerance;
    struct harness_accepted *accepted;
    uint32_t accepted_count;
};

/* NULL if the host refuses memory. */
struct harness_quirks *harness_quirks_create(void);
void harness_quirks_destroy(struct harness_quirks *quirks); /* accepts NULL */

/*
 * Reads a file into newly created quirks. Everything is checked; the message of HARNESS_BAD_INPUT is "FILE:LINE:
 * expected ..., found ...". HARNESS_HOST in builds without libconfig (PICAFUZZ_CORE_ONLY).
 */
enum harness_status harness_quirks_read(struct harness_quirks *quirks, const char *path, struct harness_error *error);

/* The same for text that is called `name` in messages. */
enum harness_status harness_quirks_parse(struct harness_quirks *quirks, const char *text, size_t size, const char *name,
                                         struct harness_error *error);

/* What the quirks did to a case. */
struct harness_quirks_result {
    int64_t forced;      /* words that were rewritten */
    const char *without; /* a feature of the case that the other side lacks, so it is not tested; or NULL */
};

/* Rewrites the case by `force` and looks for the features of `without`. HARNESS_NO_MEMORY or HARNESS_OK. */
enum harness_status harness_quirks_apply(const struct harness_quirks *quirks, struct harness_case *test_case,
                                         struct harness_quirks_result *out);

/* Appends "+zero-area=drawn+...": what follows "reference" in the name of one that takes the choices
 * (harness_backend_open). */
void harness_quirks_choices_text(const struct harness_quirks *quirks, struct harness_text *out);

/* Appends a line for people: "choices: 3 not normative; force: 1; without: geometry; tolerance: ...; baseline: 12". */
void harness_quirks_text(const struct harness_quirks *quirks, struct harness_text *out);

enum harness_showing {
    HARNESS_SHOWS_NOTHING,    /* nothing is wrong, or nothing was tested */
    HARNESS_SHOWS_DIFFERENCE, /* it differs */
    HARNESS_SHOWS_CRASH       /* it crashes or hangs */
};

/* What a case showed, to be compared with a baseline. */
struct harness_shown {
    const char *test_case; /* path or name; NULL: do not look for it */
    const char *bucket;    /* NULL: not known */
    uint32_t version;      /* of the bucket's key */
    enum harness_showing what;
};

/*
 * The one place that decides what is accepted: returns the case's own entry or else its bucket's, whichever expects
 * what it showed, or NULL. Buckets of different versions are different, whatever their names.
 */
const struct harness_accepted *harness_quirks_accepts(const struct harness_quirks *quirks,
                                                      const struct harness_shown *shown);

/* The entry for a bucket of this version, or for a case's path, whatever it expects; or NULL. */
const struct harness_accepted *harness_quirks_bucket(const struct harness_quirks *quirks, const char *bucket,
                                                     uint32_t version);
const struct harness_accepted *harness_quirks_case(const struct harness_quirks *quirks, const char *path);

/* How many entries accept buckets. */
uint32_t harness_quirks_buckets(const struct harness_quirks *quirks);

/* Is `name` the last part of `path`, from its start or from a '/' on? */
bool harness_path_ends(const char *path, const char *name);

#endif
