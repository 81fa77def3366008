/* FINDINGS/hunt.json: how far a hunt is, and what it knows (docs/formats/hunt.md). */
#ifndef HARNESS_HUNT_STATE_H
#define HARNESS_HUNT_STATE_H

#include "harness/hunt/hunt.h"

enum {
    HUNT_KIND = 16,
    HUNT_TITLE = 256,
    HUNT_IDENTITY = 8192,
    HUNT_MOST_KEYS = 4096, /* distinct pairs of kind and key; further ones are not filed */
    HUNT_MOST_WAITING = 1024
};

/* How often findings with this kind and key were seen. */
struct hunt_key {
    char kind[HUNT_KIND];
    char key[HARNESS_HUNTER_KEY];
    uint64_t seen, next; /* the next one is filed when `seen` reaches `next` */
    uint64_t epoch;      /* 1 + the block count at which the epoch of its last filing began; 0: never filed */
};

/* A finding that waits for its reduction, in FINDINGS/NAME.pcb and NAME.txt. */
struct hunt_waiting {
    char name[HARNESS_HUNT_NAME]; /* "seed-1234", or "input-12" of a source */
    char kind[HUNT_KIND];
    char key[HARNESS_HUNTER_KEY];
    char title[HUNT_TITLE];
    uint64_t bytes;
};

struct hunt_state {
    char identity[HUNT_IDENTITY];       /* harness_hunt_options.identity */
    char again[HUNT_IDENTITY];          /* harness_hunt_options.again; "" in older files */
    char started_in[HARNESS_HUNT_PATH]; /* directory that relative paths in `again` refer to; "": not known */
    uint64_t first;                     /* seed */
    uint64_t next;                      /* index of the block whose results are taken next */
    uint32_t begun;                     /* seeds of that block that were already run */
    uint64_t filed;                     /* number of findings that were filed, without those of full buckets */
    struct harness_pair_statistics statistics;
    struct harness_peel peel;           /* causes that are known */
    uint32_t taught[HARNESS_PEEL_MOST]; /* for each cause: findings that taught nothing new */
    uint32_t key_count, waiting_count;
    uint32_t chosen;              /* how many of the waiting findings, from the first on, are being reduced */
    char done[HARNESS_HUNT_NAME]; /* the finding that was filed last, whose files may still wait; "": none */
    struct hunt_key keys[HUNT_MOST_KEYS];
    struct hunt_waiting waiting[HUNT_MOST_WAITING]; /* in the order in which they were found */
};

/* Do the first `length` bytes of `name` form the name of a finding? No file with another name is written or removed. */
bool hunt_is_name(const char *name, size_t length);

/* The text of the file, malloc'ed; NULL without memory. */
char *hunt_state_print(const struct hunt_state *state);

/* HARNESS_BAD_INPUT says what is wrong, without the file's name. */
enum harness_status hunt_state_parse(const char *bytes, size_t size, struct hunt_state *out,
                                     struct harness_error *error);

#endif
