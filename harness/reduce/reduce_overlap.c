/*
 * Do colour or depth buffers overlap the lists that draw into them? A list that is overwritten while it runs makes
 * backends differ by how they handle that, whatever the original fault is. A reduction must not slip from another fault
 * into this one.
 */
#include "harness/reduce/reduce_pass.h"
#include "pica/fields.h"
#include "pica/regs.h"

enum {
    MOST_BUFFERS = 32,   /* further ones are ignored */
    BYTES_PER_PIXEL = 4, /* at most */
    LOC_UNIT = 8         /* bytes: FBF-02 */
};

struct buffers {
    uint32_t addresses[MOST_BUFFERS];
    uint32_t count;
    uint64_t bytes; /* of the largest size that is set */
};

static void see_word(void *user, const struct reduce_word *word)
{
    struct buffers *const buffers = user;
    if ((word->id == PICA_REG_COLORBUFFER_LOC || word->id == PICA_REG_DEPTHBUFFER_LOC) && buffers->count < MOST_BUFFERS)
        buffers->addresses[buffers->count++] = *word->word * LOC_UNIT;
    if (word->id != PICA_REG_FRAMEBUFFER_DIM)
        return;
    const uint64_t pixels =
        (uint64_t)pica_framebuffer_dim_width(*word->word) * (pica_framebuffer_dim_height_minus_1(*word->word) + 1u);
    if (buffers->bytes < pixels * BYTES_PER_PIXEL)
        buffers->bytes = pixels * BYTES_PER_PIXEL;
}

bool harness_reduce_overlaps(struct harness_case *test_case)
{
    struct buffers buffers = { .count = 0 };
    struct reduce_blocks blocks = { .test_case = test_case };
    uint32_t *address = NULL;
    harness_reduce_visit_words(test_case, see_word, &buffers);
    for (const struct harness_data *data; (data = harness_reduce_next_block(&blocks, &address)) != NULL;) {
        if (data->kind != HARNESS_DATA_LIST)
            continue;
        const uint64_t end = (uint64_t)*address + harness_data_size(data, true);
        for (uint32_t i = 0; i < buffers.count; i++)
            if (buffers.addresses[i] < end && buffers.addresses[i] + buffers.bytes > *address)
                return true;
    }
    return false;
}
