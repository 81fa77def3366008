/* Memory that this process shares with its children, and values as pieces of it. */
#ifndef HARNESS_RUN_SHARED_H
#define HARNESS_RUN_SHARED_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeros; pages cost memory once they are written. Mapped before a child is started, it has the same address there, so
 * that pointers into it mean the same. NULL if there is no room. */
void *harness_shared_create(size_t size);
void harness_shared_destroy(void *memory, size_t size); /* accepts NULL */

/* Hands out pieces of a stretch of memory, one after the other, each aligned for any type. Copy the struct to return
 * to this point later. */
struct harness_packer {
    uint8_t *at;
    size_t left;
    bool failed; /* there was no room: everything taken afterwards is NULL, too */
};

/* What is left of a shared memory after the first `head` bytes. */
struct harness_packer harness_packer_behind(void *memory, size_t size, size_t head);

void *harness_pack_room(struct harness_packer *packer, size_t size);
void *harness_pack(struct harness_packer *packer, const void *bytes, size_t size); /* a copy */

/* The setup with all that it points at. False if there is no room. */
bool harness_pack_setup(struct harness_packer *packer, const struct pica_setup *setup, struct pica_setup *out);

/* Bytes that a piece takes, and that a setup takes. */
size_t harness_packed_size(size_t size);
size_t harness_packed_setup_size(const struct pica_setup *setup);

#endif
