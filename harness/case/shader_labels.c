#include "harness/case/shader_labels.h"
#include "harness/case/hash.h"
#include "harness/case/shader_operand.h"

#include <stdlib.h>
#include <string.h>

struct harness_label {
    const char *name; /* NULL = free */
    size_t length;
    uint32_t address;
};

/* The slot of the label, or the free one where it belongs. There is always a free slot. */
static struct harness_label *find_slot(const struct harness_labels *labels, const char *name, size_t length)
{
    size_t index = harness_hash(harness_hash_start, name, length) & (labels->capacity - 1);
    for (;;) {
        struct harness_label *const slot = &labels->slots[index];
        if (slot->name == NULL || (slot->length == length && memcmp(slot->name, name, length) == 0))
            return slot;
        index = (index + 1) & (labels->capacity - 1);
    }
}

bool harness_labels_find(const struct harness_labels *labels, const char *name, size_t length, uint32_t *address)
{
    if (labels->capacity == 0)
        return false;
    const struct harness_label *const slot = find_slot(labels, name, length);
    *address = slot->address;
    return slot->name != NULL;
}

void harness_labels_free(struct harness_labels *labels)
{
    free(labels->slots);
    *labels = (struct harness_labels){ 0 };
}

/* Every label has a colon, so twice their number is room enough. */
static bool reserve(struct harness_labels *labels, const struct harness_shader_source *source)
{
    size_t colons = 0;
    for (size_t i = 0; i < source->size; i++)
        colons += source->text[i] == ':' ? 1u : 0u;
    if (colons == 0)
        return true;
    labels->capacity = 4;
    while (labels->capacity < 2 * colons)
        labels->capacity *= 2;
    labels->slots = calloc(labels->capacity, sizeof *labels->slots);
    return labels->slots != NULL;
}

static void skip_line(struct harness_cursor *cursor)
{
    while (cursor->at < cursor->end && *cursor->at != '\n')
        cursor->at++;
}

enum harness_status harness_labels_collect(struct harness_labels *labels, const struct harness_shader_source *source,
                                           struct harness_error *error)
{
    *labels = (struct harness_labels){ 0 };
    if (!reserve(labels, source))
        return harness_fail_memory(error);
    struct harness_cursor cursor;
    harness_cursor_init(&cursor, source, error);
    uint32_t address = source->first;
    while (harness_cursor_next_item(&cursor)) {
        const char *const name = cursor.at;
        const size_t length = harness_cursor_label(&cursor);
        if (length == 0) {
            address += 1;
            skip_line(&cursor);
            continue;
        }
        struct harness_label *const slot = find_slot(labels, name, length);
        if (slot->name != NULL) {
            (void)harness_cursor_expected(&cursor, name, "a label that does not stand here already");
            return HARNESS_BAD_INPUT;
        }
        *slot = (struct harness_label){ name, length, address };
    }
    return HARNESS_OK;
}
