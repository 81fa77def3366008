/* Results as bytes for other tools: memory dumps (docs/formats/dump.md) and digests. */
#ifndef HARNESS_RUN_DUMP_H
#define HARNESS_RUN_DUMP_H

#include "harness/case/error.h"
#include "oracles/run.h"

#include <stddef.h>
#include <stdint.h>

/* Writes all windows of a run. The file appears whole or not at all. */
enum harness_status harness_dump_write(const struct oracle_run *run, const char *path, struct harness_error *error);

/* 64-bit XXH3 digests. The same on every host: words are hashed as little-endian bytes. */
struct harness_digest {
    uint64_t memory; /* address, size and bytes of every window, ascending by address */
    uint64_t state;  /* registers and all other state of REG-04 */
    uint64_t events; /* class M events */
};
enum harness_status harness_digest(const struct oracle_run *run, struct harness_digest *out,
                                   struct harness_error *error);

/* The same hash of any bytes. */
uint64_t harness_digest_bytes(const void *bytes, size_t size);

#endif
