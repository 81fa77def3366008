/*
 * A host that refuses memory or threads, at every point where it may. The linker's --wrap brings the requests of our
 * own objects here (CMakeLists.txt), whatever the sanitizer; those of libraries are untouched.
 */
#include "fast/fast.h"
#include "harness/grammar/gen.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    THREADS = 4,
    REQUESTS_MIN = 40, /* that one instance makes, threads included */
    REQUESTS_MAX = 1000,
    CASES = 150,
    DRAWS_MIN = 100
};

/* ------------------------------------------------------------------------------------------------------- the host */

static struct {
    bool watched; /* by the call that is tested; else every request is granted and nothing is counted */
    uint32_t requests;
    uint32_t refused_from, refused_to; /* request numbers, from 0; the second is not refused any more */
    uint32_t granted, given_back;      /* blocks of memory */
} host;

static void host_watch(uint32_t refused_from, uint32_t refused_to)
{
    memset(&host, 0, sizeof host);
    host.watched = true;
    host.refused_from = refused_from;
    host.refused_to = refused_to;
}

static void host_relax(void)
{
    host.watched = false;
}

static bool host_refuses(void)
{
    if (!host.watched)
        return false;
    const uint32_t number = host.requests++;
    return number >= host.refused_from && number < host.refused_to;
}

static void *noted(void *memory)
{
    if (host.watched && memory != NULL)
        host.granted++;
    return memory;
}

/* The names that the linker makes. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *memory);
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __real_mprotect(void *address, size_t size, int protection);
int __real_munmap(void *address, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_mprotect(void *address, size_t size, int protection);
int __wrap_munmap(void *address, size_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

void *__wrap_malloc(size_t size)
{
    return host_refuses() ? NULL : noted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return host_refuses() ? NULL : noted(__real_calloc(count, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return host_refuses() ? NULL : noted(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *memory)
{
    if (host.watched && memory != NULL)
        host.given_back++;
    __real_free(memory);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if (host_refuses())
        return MAP_FAILED;
    void *const memory = __real_mmap(address, size, protection, flags, file, offset);
    return memory == MAP_FAILED ? memory : noted(memory);
}

int __wrap_mprotect(void *address, size_t size, int protection)
{
    return host_refuses() ? -1 : __real_mprotect(address, size, protection);
}

int __wrap_munmap(void *address, size_t size)
{
    if (host.watched)
        host.given_back++;
    return __real_munmap(address, size);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    return host_refuses() ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

/* --------------------------------------------------------------------------------------------------------- create */

/* One attempt while requests [from, to) are refused. Returns whether all of them were granted. */
static bool create_succeeds(uint32_t from, uint32_t to)
{
    const struct pica_options options = { .threads = THREADS, .instruction_sets = UINT32_MAX };
    void *instance = &host;
    host_watch(from, to);
    const enum pica_status status = fast_backend()->create(&options, &instance);
    if (status == PICA_OK) {
        fast_backend()->destroy(instance);
    } else {
        cr_expect_eq(status, PICA_NO_MEMORY, "request %u", (unsigned)from);
        cr_expect_null(instance, "request %u", (unsigned)from);
    }
    host_relax();
    cr_expect_eq(host.granted, host.given_back, "request %u: %u blocks taken, %u given back", (unsigned)from,
                 (unsigned)host.granted, (unsigned)host.given_back);
    cr_expect_eq(status == PICA_OK, host.requests <= from, "request %u: status %d", (unsigned)from, (int)status);
    return status == PICA_OK;
}

Test(fast_create, with_too_little_memory_nothing_is_created_and_nothing_is_lost)
{
    uint32_t refused = 0;
    while (refused < REQUESTS_MAX && !create_succeeds(refused, UINT32_MAX))
        refused++;
    cr_expect_geq(refused, REQUESTS_MIN);
    cr_expect_lt(refused, REQUESTS_MAX);
}

Test(fast_create, one_request_that_is_refused_is_one_too_many)
{
    uint32_t refused = 0;
    while (refused < REQUESTS_MAX && !create_succeeds(refused, refused + 1))
        refused++;
    cr_expect_geq(refused, REQUESTS_MIN);
    cr_expect_lt(refused, REQUESTS_MAX);
}

Test(fast_create, options_that_it_does_not_know_are_not_supported)
{
    const struct pica_options options = { .flags = PICA_OPTION_TRACK_READS };
    void *instance = &host;
    cr_expect_eq(fast_backend()->create(&options, &instance), PICA_NOT_SUPPORTED);
    cr_expect_null(instance);
    fast_backend()->destroy(NULL);
}

/* ---------------------------------------------------------------------------------- an instance without more memory */

struct fixture {
    const struct pica_backend *backend;
    void *instance;
    struct harness_case *test_case;
    struct harness_program *program;
    struct pica_state before, after;
    uint32_t draws;
};

static void count_draw(void *user, const struct pica_draw *draw)
{
    (void)draw;
    *(uint32_t *)user += 1;
}

static struct fixture *open_fixture(void)
{
    const struct pica_options options = { .threads = THREADS, .instruction_sets = UINT32_MAX };
    struct fixture *const f = calloc(1, sizeof *f);
    cr_assert_not_null(f);
    f->backend = fast_backend();
    f->test_case = harness_case_create();
    f->program = harness_program_create();
    cr_assert(f->test_case != NULL && f->program != NULL);
    cr_assert_eq(f->backend->create(&options, &f->instance), PICA_OK);
    cr_assert_eq(f->backend->observe_draws(f->instance, count_draw, &f->draws), PICA_OK);
    return f;
}

static void close_fixture(struct fixture *f)
{
    f->backend->destroy(f->instance);
    harness_program_destroy(f->program);
    harness_case_destroy(f->test_case);
    free(f);
}

/* Case number `seed`, loaded and run. */
static void run_case(struct fixture *f, uint64_t seed)
{
    struct harness_error error = { "" };
    harness_generate(f->test_case, seed, NULL);
    cr_assert_eq(harness_case_setup(f->test_case, f->program, &error), HARNESS_OK, "%s", error.message);
    host_watch(0, UINT32_MAX);
    cr_expect_eq(f->backend->load(f->instance, &f->program->setup), PICA_OK);
    for (uint32_t i = 0; i < f->program->count; i++)
        cr_expect_eq(f->backend->run(f->instance, &f->program->operations[i]), PICA_OK);
    cr_expect_eq(f->backend->read_state(f->instance, &f->before), PICA_OK);
    host_relax();
}

Test(fast_create, all_memory_is_taken_when_an_instance_is_created, .timeout = 120)
{
    struct fixture *const f = open_fixture();
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        run_case(f, seed);
        cr_expect_eq(host.requests, 0, "case %u asked for more", (unsigned)seed);
    }
    cr_expect_geq(f->draws, DRAWS_MIN);
    close_fixture(f);
}

Test(fast_create, a_snapshot_without_memory_fails_and_the_instance_goes_on)
{
    struct fixture *const f = open_fixture();
    void *snapshot = f;
    run_case(f, 1);
    host_watch(0, UINT32_MAX);
    cr_expect_eq(f->backend->save(f->instance, &snapshot), PICA_NO_MEMORY);
    host_relax();
    cr_expect_null(snapshot);
    cr_expect_eq(host.requests, 1);
    cr_expect_eq(f->backend->read_state(f->instance, &f->after), PICA_OK);
    cr_expect_arr_eq(&f->before, &f->after, sizeof f->before);
    cr_assert_eq(f->backend->save(f->instance, &snapshot), PICA_OK);
    run_case(f, 1);
    cr_expect_eq(f->backend->restore(f->instance, snapshot), PICA_OK);
    cr_expect_eq(f->backend->read_state(f->instance, &f->after), PICA_OK);
    cr_expect_arr_eq(&f->before, &f->after, sizeof f->before);
    f->backend->discard(f->instance, snapshot);
    close_fixture(f);
}
