/* What `fast` promises about its arguments (pica/backend.h): what it cannot do is refused, and nothing happens. */
#include "fast/fast.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    PAGES = 65 /* of the second window: more than one word of a bitmap */
};

static const struct pica_window windows[2] = { { 0x18000000u, PICA_PAGE_SIZE },
                                               { 0x20000000u, PAGES *PICA_PAGE_SIZE } };

struct fixture {
    const struct pica_backend *backend;
    void *instance;
    struct pica_state before, after;
};

static struct pica_setup good_setup(void)
{
    return (struct pica_setup){ .windows = windows,
                                .window_count = 2,
                                .limits = { 1u << 20, 1u << 20, 1u << 12, 1u << 12, 1u << 26 } };
}

static void open_fixture(struct fixture *f)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_setup setup = good_setup();
    f->backend = fast_backend();
    cr_assert_eq(f->backend->create(&options, &f->instance), PICA_OK);
    cr_assert_eq(f->backend->load(f->instance, &setup), PICA_OK);
    cr_assert_eq(f->backend->read_state(f->instance, &f->before), PICA_OK);
}

/* Neither the state nor the first byte of memory changed since. */
static void close_fixture(struct fixture *f)
{
    uint8_t byte = 0xFF;
    cr_expect_eq(f->backend->read_state(f->instance, &f->after), PICA_OK);
    cr_expect_arr_eq(&f->before, &f->after, sizeof f->before);
    cr_expect_eq(f->backend->read_memory(f->instance, windows[0].address, &byte, 1), PICA_OK);
    cr_expect_eq(byte, 0);
    f->backend->destroy(f->instance);
}

static void expect_refused(struct fixture *f, struct pica_operation operation)
{
    cr_expect_eq(f->backend->run(f->instance, &operation), PICA_BAD_ARGUMENT, "kind %d, unit %u", (int)operation.kind,
                 (unsigned)operation.unit);
}

Test(fast_backend, operations_that_do_not_exist_are_refused)
{
    static const uint8_t bytes[4] = { 1, 2, 3, 4 };
    struct fixture f;
    open_fixture(&f);
    expect_refused(&f, (struct pica_operation){ .kind = PICA_OPERATION_VERTICAL_BLANK, .unit = 2 });
    expect_refused(&f, (struct pica_operation){ .kind = PICA_OPERATION_MEMORY_FILL,
                                                .unit = UINT32_MAX,
                                                .words = { 0x18000000u >> 3, 0x18000010u >> 3, UINT32_MAX, 1 } });
    expect_refused(&f, (struct pica_operation){ .kind = (enum pica_operation_kind)(PICA_OPERATION_VERTICAL_BLANK + 1),
                                                .address = windows[0].address,
                                                .size = sizeof bytes,
                                                .data = bytes });
    close_fixture(&f);
}

Test(fast_backend, MEM_01_setups_that_break_the_interface_are_refused)
{
    static const struct pica_window bad[][2] = {
        { { 0x18000000u, 0 }, { 0x20000000u, 0x1000 } },         /* empty */
        { { 0x18000800u, 0x1000 }, { 0x20000000u, 0x1000 } },    /* not on a page */
        { { 0x18000000u, 0x1800 }, { 0x20000000u, 0x1000 } },    /* not whole pages */
        { { 0x18000000u, 0x601000 }, { 0x20000000u, 0x1000 } },  /* beyond VRAM */
        { { 0x20000000u, 0x8001000 }, { 0x18000000u, 0x1000 } }, /* beyond FCRAM */
        { { 0x30000000u, 0x1000 }, { 0x20000000u, 0x1000 } },    /* in neither */
        { { 0x20000000u, 0x2000 }, { 0x20001000u, 0x1000 } },    /* overlapping */
        { { 0x20001000u, 0x1000 }, { 0x20000000u, 0x2000 } },    /* the other way round */
    };
    struct fixture f;
    open_fixture(&f);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct pica_setup setup = good_setup();
        setup.windows = bad[i];
        cr_expect_eq(f.backend->load(f.instance, &setup), PICA_BAD_ARGUMENT, "windows %zu", i);
    }
    struct pica_setup setup = good_setup();
    setup.window_count = 0;
    cr_expect_eq(f.backend->load(f.instance, &setup), PICA_BAD_ARGUMENT);
    setup.window_count = PICA_MAX_WINDOWS + 1;
    cr_expect_eq(f.backend->load(f.instance, &setup), PICA_BAD_ARGUMENT);
    setup = good_setup();
    setup.limits.emits = 0;
    cr_expect_eq(f.backend->load(f.instance, &setup), PICA_BAD_ARGUMENT);
    setup = good_setup();
    setup.limits.pixels = 0x10000001u;
    cr_expect_eq(f.backend->load(f.instance, &setup), PICA_BAD_ARGUMENT);
    setup = good_setup();
    setup.profile = (enum pica_profile)(PICA_PROFILE_F24 + 1);
    cr_expect_eq(f.backend->load(f.instance, &setup), PICA_BAD_ARGUMENT);
    close_fixture(&f);
}

Test(fast_backend, pages_are_reported_of_windows_that_exist_as_far_as_there_is_room)
{
    const uint8_t byte = 0;
    const struct pica_operation first = { .address = windows[1].address, .size = 1, .data = &byte };
    const struct pica_operation last = { .address = windows[1].address + (PAGES - 1u) * PICA_PAGE_SIZE + 1u,
                                         .size = 1,
                                         .data = &byte };
    uint64_t bitmap[3] = { UINT64_MAX, UINT64_MAX, UINT64_MAX };
    const uint8_t *bytes = NULL;
    struct fixture f;
    open_fixture(&f);
    cr_expect_eq(f.backend->run(f.instance, &first), PICA_OK);
    cr_expect_eq(f.backend->run(f.instance, &last), PICA_OK);
    cr_expect_eq(f.backend->touched_pages(f.instance, 1, PICA_PAGES_READ, bitmap, 2), PICA_NOT_SUPPORTED);
    cr_expect_eq(f.backend->touched_pages(f.instance, 2, PICA_PAGES_WRITTEN, bitmap, 2), PICA_BAD_ARGUMENT);
    cr_expect_eq(f.backend->view_memory(f.instance, 2, &bytes), PICA_BAD_ARGUMENT);
    cr_expect_null(bytes);
    cr_expect_eq(bitmap[0], UINT64_MAX);
    cr_expect_eq(f.backend->touched_pages(f.instance, 1, PICA_PAGES_WRITTEN, bitmap, 1), PICA_OK);
    cr_expect_eq(bitmap[0], 1);
    cr_expect_eq(bitmap[1], UINT64_MAX, "there was room for one word");
    cr_expect_eq(f.backend->touched_pages(f.instance, 1, PICA_PAGES_WRITTEN, bitmap, 2), PICA_OK);
    cr_expect_eq(bitmap[0], 1);
    cr_expect_eq(bitmap[1], 1);
    cr_expect_eq(bitmap[2], UINT64_MAX);
    close_fixture(&f);
}

static void no_step(void *user, const struct pica_trace_step *step)
{
    (void)step;
    *(uint32_t *)user += 1;
}

Test(fast_backend, PDC_01_pictures_and_traces_of_what_does_not_exist_are_refused)
{
    static uint8_t rgb[3 * PICA_TOP_COLUMNS * PICA_SCREEN_LINES];
    const struct pica_trace_request request = { .subject = (enum pica_trace_subject)(PICA_TRACE_VERTICES + 1) };
    uint32_t steps = 0;
    struct fixture f;
    open_fixture(&f);
    memset(rgb, 0x5A, sizeof rgb);
    cr_expect_eq(f.backend->scan_out(f.instance, 2, 0, rgb, sizeof rgb), PICA_BAD_ARGUMENT);
    cr_expect_eq(f.backend->scan_out(f.instance, 0, 0, rgb, sizeof rgb - 1), PICA_BAD_ARGUMENT);
    cr_expect_eq(f.backend->scan_out(f.instance, 1, 0, rgb, sizeof rgb), PICA_BAD_ARGUMENT);
    cr_expect_eq(rgb[0], 0x5A);
    cr_expect_eq(f.backend->trace(f.instance, &request, no_step, &steps), PICA_BAD_ARGUMENT);
    cr_expect_eq(steps, 0);
    close_fixture(&f);
}
