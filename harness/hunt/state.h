/* FINDINGS/hunt.json: how far a hunt is, and what it knows (docs/formats/hunt.md). */
#ifndef HARNESS_HUNT_STATE_H
#define HARNESS_HUNT_STATE_H

#include "harness/hunt/hunt.h"

enum {
    HUNT_KIND = 16,
    HUNT_TITLE = 256,
    HUNT_IDENTITY = 8192,
    HUNT_MOST_KEYS = 4096, /* that are told apart; others are not filed */
    HUNT_MOST_WAITING = 1024
};

/* How often a kind and key were seen. */
struct hunt_key {
    char kind[HUNT_KIND];
    char key[HARNESS_HUNTER_KEY];
    uint64_t seen, next; /* it is filed again when `seen` reaches this */
    uint64_t epoch;      /* that it was filed in last, from 1 */
};

/* A finding that waits for its reduction: FINDINGS/NAME.pcb and .txt. */
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
    char started_in[HARNESS_HUNT_PATH]; /* directory that its paths are relative to; "": not known */
    uint64_t first;                     /* seed */
    uint64_t next;                      /* index of the block whose results are taken next */
    uint32_t begun;                     /* seeds of it that were run already */
    uint64_t filed;                     /* findings, but for those of full buckets */
    struct harness_pair_statistics statistics;
    uint64_t peel;                      /* digest of the file `peel` that belongs to this; 0: none */
    uint32_t taught[HARNESS_PEEL_MOST]; /* findings of each cause that taught nothing */
    uint32_t key_count, waiting_count;
    uint32_t chosen;              /* of those that wait, the first: they are reduced now */
    char done[HARNESS_HUNT_NAME]; /* the finding that was filed last: its files may lie as if it waited; "": none */
    struct hunt_key keys[HUNT_MOST_KEYS];
    struct hunt_waiting waiting[HUNT_MOST_WAITING]; /* in the order in which they were found */
};

/* Is the beginning of it, of that length, the name of a finding? No other file is written or removed. */
bool hunt_is_name(const char *name, size_t length);

/* The text of the file, malloc'ed; NULL without memory. */
char *hunt_state_print(const struct hunt_state *state);

/* HARNESS_BAD_INPUT says what is wrong, without the file's name. */
enum harness_status hunt_state_parse(const char *bytes, size_t size, struct hunt_state *out,
                                     struct harness_error *error);

#endif
