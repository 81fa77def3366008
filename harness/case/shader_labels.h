/* The labels of one piece of shader assembly, found in constant time. */
#ifndef HARNESS_SHADER_LABELS_H
#define HARNESS_SHADER_LABELS_H

#include "harness/case/shader_asm.h"

struct harness_label;

struct harness_labels {
    struct harness_label *slots; /* open addressing */
    size_t capacity;             /* a power of two, or 0 */
};

/* First pass: label -> code address. A label that stands twice is an error. */
enum harness_status harness_labels_collect(struct harness_labels *labels, const struct harness_shader_source *source,
                                           struct harness_error *error);
bool harness_labels_find(const struct harness_labels *labels, const char *name, size_t length, uint32_t *address);
void harness_labels_free(struct harness_labels *labels);

#endif
