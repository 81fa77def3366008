/*
 * The container of recorded results and of packs (docs/formats/results.md, vectors.md): a magic of 8 bytes, then blocks
 * of kind, size, CRC-32 and payload, all little-endian.
 */
#ifndef HARNESS_RUN_BLOCKS_H
#define HARNESS_RUN_BLOCKS_H

#include "harness/case/error.h"
#include "harness/case/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HARNESS_BLOCK_HEAD = 12,
    HARNESS_BLOCK_TEXT = 256 /* of a text in a payload, the final 0 included */
};

/* ---------------------------------------------------------------------------------------------------------- writing */

void harness_put64(struct harness_text *out, uint64_t value);
void harness_put_text(struct harness_text *out, const char *text); /* cut to fit HARNESS_BLOCK_TEXT */
void harness_put_block(struct harness_text *out, uint32_t kind, const struct harness_text *payload);

/* Appends a text or bytes in zlib's format; level: 1, quick, to 9, small. */
void harness_put_deflated(struct harness_text *out, const struct harness_text *raw, int level);

/* ---------------------------------------------------------------------------------------------------------- reading */

/* Walks over a file, and over the payload of one block. */
struct harness_blocks {
    const char *name;
    const uint8_t *bytes; /* of the whole file */
    size_t size, at, end; /* end: of the payload */
    struct harness_error *error;
    const char *advice; /* behind each complaint, "" for none */
};

/* "NAME: offset N: WHAT; ADVICE" */
enum harness_status harness_blocks_bad(const struct harness_blocks *blocks, size_t offset, const char *what);

/* Enters the next block; *kind is its kind. It is whole, and its CRC-32 matches. */
enum harness_status harness_blocks_next(struct harness_blocks *blocks, uint32_t *kind);

/* Takes from the payload: NULL or false if it is too short, or the text no text. */
const uint8_t *harness_take(struct harness_blocks *blocks, size_t size);
bool harness_take32(struct harness_blocks *blocks, uint32_t *out);
bool harness_take64(struct harness_blocks *blocks, uint64_t *out);
bool harness_take_text(struct harness_blocks *blocks, char out[HARNESS_BLOCK_TEXT]);

#endif
