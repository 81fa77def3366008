/* CAP-13: gives an imported case the windows that it needs. */
#include "harness/case/formats.h"
#include "harness/case/pixel_size.h"
#include "pica/extregs.h"
#include "pica/memory.h"

#include <stdlib.h>

enum {
    VRAM_PAGES = 0x00600000 / PICA_PAGE_SIZE,
    FCRAM_PAGES = 0x08000000 / PICA_PAGE_SIZE,
    PAGES = VRAM_PAGES + FCRAM_PAGES
};

/* One byte a page: VRAM, then FCRAM. */
struct pages {
    bool used[PAGES];
    bool outside;
};

void harness_import_wide_windows(struct harness_case *test_case)
{
    test_case->window_count = 2;
    test_case->windows[0] = (struct pica_window){ PICA_VRAM_ADDRESS, PICA_VRAM_SIZE };
    test_case->windows[1] = (struct pica_window){ PICA_FCRAM_ADDRESS, PICA_FCRAM_SIZE };
}

/* Marks the pages of [start, end) that lie in a region; returns how many bytes of the range do. */
static uint64_t mark_region(struct pages *pages, uint64_t start, uint64_t end, uint32_t region, uint32_t first,
                            uint32_t count)
{
    const uint64_t region_end = region + (uint64_t)count * PICA_PAGE_SIZE;
    const uint64_t low = start > region ? start : region;
    const uint64_t high = end < region_end ? end : region_end;
    if (low >= high)
        return 0;
    for (uint64_t page = (low - region) / PICA_PAGE_SIZE; page <= (high - 1 - region) / PICA_PAGE_SIZE; page++)
        pages->used[first + page] = true;
    return high - low;
}

static void mark(struct pages *pages, uint64_t start, uint64_t size)
{
    const uint64_t end = start + size;
    const uint64_t inside = mark_region(pages, start, end, PICA_VRAM_ADDRESS, 0, VRAM_PAGES) +
                            mark_region(pages, start, end, PICA_FCRAM_ADDRESS, VRAM_PAGES, FCRAM_PAGES);
    pages->outside = pages->outside || inside != size;
}

/* -------------------------------------------------------------------------------------------------------- engines */

/* PSC-02, PSC-06, PSC-08 */
static void mark_fill(struct pages *pages, const uint32_t *words)
{
    const uint64_t start = (uint64_t)pica_fill_address_address(words[0]) << 4;
    const uint64_t end = (uint64_t)pica_fill_address_address(words[1]) << 4;
    if (end > start)
        mark(pages, start, end - start);
}

/* TXC-03 to TXC-05: everything from the first to the last block, gaps included. */
static void mark_copy_side(struct pages *pages, uint64_t address, uint64_t total, uint32_t line_word)
{
    const uint64_t length = (uint64_t)pica_copy_line_length(line_word) << 4;
    const uint64_t gap = (uint64_t)pica_copy_line_gap(line_word) << 4;
    if (total == 0 || (gap != 0 && length == 0))
        return;
    mark(pages, address, total + (gap == 0 ? 0 : (total - 1) / length * gap));
}

static uint64_t whole_tiles(uint64_t rows)
{
    return (rows + 7) / 8 * 8;
}

/* PPF-04 to PPF-06, PPF-14: whole rows of whole tiles on both sides. */
static void mark_display(struct pages *pages, uint64_t in, uint64_t out, const uint32_t *words)
{
    const uint32_t flags = words[4];
    const uint64_t width = pica_xfer_dim_width(words[2]) & ~7u;
    const uint64_t height = pica_xfer_dim_height(words[2]) & ~7u;
    const uint64_t in_width = pica_xfer_indim_width(words[3]) & ~7u;
    const bool crop = pica_xfer_flags_crop(flags) != 0;
    const uint64_t pitch = crop ? in_width : width;
    const uint32_t scale = pica_xfer_flags_scale(flags);
    const uint64_t out_width = scale == 1 || scale == 2 ? width / 2 : width;
    const uint64_t out_height = scale == 2 ? height / 2 : height;
    const uint32_t out_bytes = harness_transfer_bytes(pica_xfer_flags_out_format(flags));
    if (width == 0 || height == 0 || pitch == 0 || scale == 3 || width * height > 0x400000)
        return;
    mark(pages, in, whole_tiles(height) * pitch * harness_transfer_bytes(pica_xfer_flags_in_format(flags)));
    uint64_t moved = out;
    if (crop && pica_xfer_flags_flip(flags) != 0)
        moved = (uint32_t)(out + (in_width - width) * (height - 1) * out_bytes);
    mark(pages, moved, whole_tiles(out_height) * out_width * out_bytes);
}

static void mark_transfer(struct pages *pages, const uint32_t *words)
{
    const uint64_t in = (uint64_t)pica_xfer_address_address(words[0]) << 4;
    const uint64_t out = (uint64_t)pica_xfer_address_address(words[1]) << 4;
    if (pica_xfer_flags_copy(words[4]) == 0) {
        mark_display(pages, in, out, words);
        return;
    }
    const uint64_t total = (uint64_t)pica_copy_size_size(words[6]) << 4;
    if (total > 0x02000000)
        return; /* TXC-07 */
    mark_copy_side(pages, in, total, words[7]);
    mark_copy_side(pages, out, total, words[8]);
}

static void mark_operation(struct pages *pages, const struct harness_operation *operation)
{
    switch (operation->kind) {
    case HARNESS_LOAD: mark(pages, operation->address, harness_data_size(&operation->data, false)); return;
    case HARNESS_RUN: mark(pages, operation->address, harness_data_size(&operation->data, true)); return;
    case HARNESS_SUBMIT: mark(pages, operation->address, operation->size); return;
    case HARNESS_FILL: mark_fill(pages, operation->words); return;
    case HARNESS_TRANSFER: mark_transfer(pages, operation->words); return;
    case HARNESS_WRITE: /* may start an engine: the pages that it touched are known from the run */
    case HARNESS_VBLANK:
    case HARNESS_NOTE: return;
    }
}

/* ----------------------------------------------------------------------------------------------------------- result */

static bool bit(const uint64_t *bitmap, size_t words, uint64_t page)
{
    return bitmap != NULL && page / 64 < words && (bitmap[page / 64] >> (page % 64) & 1u) != 0;
}

static void mark_touched(struct pages *pages, const struct pica_window *window, const struct harness_touched *touched)
{
    for (uint64_t page = 0; page < window->size / PICA_PAGE_SIZE; page++)
        if (bit(touched->read, touched->words, page) || bit(touched->written, touched->words, page))
            mark(pages, window->address + page * PICA_PAGE_SIZE, PICA_PAGE_SIZE);
}

struct range {
    uint32_t first; /* page, in the numbering of struct pages */
    uint32_t count;
};

static uint32_t collect(const struct pages *pages, struct range *ranges)
{
    uint32_t count = 0;
    for (uint32_t page = 0; page < PAGES; page++) {
        const bool starts = page == 0 || page == VRAM_PAGES || !pages->used[page - 1];
        if (!pages->used[page])
            continue;
        if (starts)
            ranges[count++] = (struct range){ page, 0 };
        ranges[count - 1].count++;
    }
    return count;
}

/* A gap between two neighbours of one region. */
struct gap {
    uint32_t pages;
    uint32_t before; /* index of the range in front of it */
};

static int compare_gaps(const void *a, const void *b)
{
    const struct gap *const x = a;
    const struct gap *const y = b;
    if (x->pages != y->pages)
        return x->pages < y->pages ? -1 : 1;
    return x->before < y->before ? -1 : x->before > y->before ? 1 : 0;
}

/* Joins neighbours across the smallest gaps, the lower ones first, until PICA_MAX_WINDOWS ranges are left. Joining
 * leaves the other gaps as they are. Returns the new count, 0 without memory. */
static uint32_t join(struct range *ranges, uint32_t count)
{
    struct gap *const gaps = calloc(count, sizeof *gaps);
    uint32_t gap_count = 0;
    if (gaps == NULL)
        return 0;
    for (uint32_t i = 0; i + 1 < count; i++)
        if ((ranges[i].first < VRAM_PAGES) == (ranges[i + 1].first < VRAM_PAGES))
            gaps[gap_count++] = (struct gap){ ranges[i + 1].first - ranges[i].first - ranges[i].count, i };
    qsort(gaps, gap_count, sizeof *gaps, compare_gaps);
    const uint32_t joined = count - PICA_MAX_WINDOWS;
    for (uint32_t i = 0; i < joined; i++)
        ranges[gaps[i].before].count += gaps[i].pages; /* up to its neighbour */
    free(gaps);
    uint32_t kept = 0;
    for (uint32_t i = 1; i < count; i++) {
        const bool touches = ranges[kept].first + ranges[kept].count == ranges[i].first;
        const bool same_region = (ranges[kept].first < VRAM_PAGES) == (ranges[i].first < VRAM_PAGES);
        if (touches && same_region)
            ranges[kept].count += ranges[i].count;
        else
            ranges[++kept] = ranges[i];
    }
    return kept + 1;
}

/* False without memory. */
static bool set_windows(struct harness_case *test_case, const struct pages *pages, struct range *ranges)
{
    uint32_t count = collect(pages, ranges);
    if (count > PICA_MAX_WINDOWS) {
        count = join(ranges, count);
        if (count == 0)
            return false;
    }
    test_case->window_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_vram = ranges[i].first < VRAM_PAGES;
        const uint32_t page = is_vram ? ranges[i].first : ranges[i].first - VRAM_PAGES;
        (void)harness_case_add_window(test_case,
                                      (is_vram ? PICA_VRAM_ADDRESS : PICA_FCRAM_ADDRESS) + page * PICA_PAGE_SIZE,
                                      ranges[i].count * PICA_PAGE_SIZE);
    }
    if (count == 0)
        (void)harness_case_add_window(test_case, PICA_VRAM_ADDRESS, PICA_PAGE_SIZE);
    return true;
}

enum harness_status harness_import_windows(struct harness_case *test_case, const struct harness_touched *touched,
                                           struct harness_text *warnings, struct harness_error *error)
{
    struct pages *const pages = calloc(1, sizeof *pages);
    struct range *const ranges = calloc(PAGES, sizeof *ranges);
    enum harness_status status = HARNESS_OK;
    if (pages == NULL || ranges == NULL) {
        status = harness_fail_memory(error);
        goto done;
    }
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        mark(pages, test_case->chunks[i].address, harness_data_size(&test_case->chunks[i].data, false));
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        mark_operation(pages, &test_case->operations[i]);
    for (uint32_t i = 0; i < test_case->window_count && touched != NULL; i++)
        mark_touched(pages, &test_case->windows[i], &touched[i]);
    if (pages->outside && warnings != NULL)
        harness_text_add(warnings, "some addresses lie in neither VRAM nor FCRAM; they are left out\n");
    if (!set_windows(test_case, pages, ranges))
        status = harness_fail_memory(error);
done:
    free(pages);
    free(ranges);
    return status;
}
