#include "tests/conformance/machine.h"

#include "fast/fast.h"
#include "reference/reference.h"
#include "tests/conformance/record.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------------------- numbers */

uint32_t f32_bits(float value)
{
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

float f32_from_bits(uint32_t bits)
{
    float value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* FLT-10, backwards, by search for the exponent; zero and normal numbers only. */
static uint32_t encode(double value, uint32_t exponent_bits, uint32_t mantissa_bits)
{
    const uint32_t sign = (value < 0 ? 1u : 0u) << (exponent_bits + mantissa_bits);
    double magnitude = value < 0 ? -value : value;
    if (magnitude == 0)
        return 0;
    uint32_t exponent = (1u << (exponent_bits - 1u)) - 1u;
    for (; magnitude >= 2; exponent++)
        magnitude /= 2;
    for (; magnitude < 1; exponent--)
        magnitude *= 2;
    cr_assert(exponent >= 1u && exponent < (1u << exponent_bits) - 1u, "%g does not fit the format", value);
    const double scaled = (magnitude - 1.0) * (double)(1u << mantissa_bits);
    const uint32_t mantissa = (uint32_t)scaled;
    cr_assert((double)mantissa == scaled, "%g is not exact in the format", value);
    return sign | exponent << mantissa_bits | mantissa;
}

uint32_t float16(double value)
{
    return encode(value, 5, 10);
}

uint32_t float20(double value)
{
    return encode(value, 7, 12);
}

uint32_t float24(double value)
{
    return encode(value, 7, 16);
}

uint32_t float31(double value)
{
    return encode(value, 7, 23);
}

/* ----------------------------------------------------------------------------------------------------------- lists */

void list_word(struct list *list, uint32_t word)
{
    cr_assert(list->count < LIST_WORDS, "the list is full");
    list->words[list->count++] = word;
}

void list_write_masked(struct list *list, uint32_t id, uint32_t value, uint32_t mask)
{
    list_word(list, value);
    list_word(list, id | mask << 16);
}

void list_write(struct list *list, uint32_t id, uint32_t value)
{
    list_write_masked(list, id, value, 0xF);
}

void list_write_many(struct list *list, uint32_t id, bool consecutive, const uint32_t *words, uint32_t n)
{
    cr_assert(n >= 1u && n <= 256u);
    list_word(list, words[0]);
    list_word(list, id | 0xFu << 16 | (n - 1u) << 20 | (consecutive ? 1u : 0u) << 31);
    for (uint32_t i = 1; i < n; i++)
        list_word(list, words[i]);
    if (n % 2u == 0u)
        list_word(list, 0);
}

/* REG-20: an index register, then `n` words to its port in commands of at most 256. */
static void list_port(struct list *list, uint32_t index_id, uint32_t first, uint32_t port, const uint32_t *words,
                      uint32_t n)
{
    list_write(list, index_id, first);
    for (uint32_t done = 0; done < n;) {
        const uint32_t step = n - done < 256u ? n - done : 256u;
        list_write_many(list, port, false, words + done, step);
        done += step;
    }
}

void list_draw(struct list *list, uint32_t n)
{
    list_write(list, PICA_REG_NUMVERTICES, n);
    list_write(list, PICA_REG_DRAWARRAYS, 1);
}

void list_draw_indexed(struct list *list, uint32_t n)
{
    list_write(list, PICA_REG_NUMVERTICES, n);
    list_write(list, PICA_REG_DRAWELEMENTS, 1);
}

void list_code(struct list *list, uint32_t unit, uint32_t first, const uint32_t *words, uint32_t n)
{
    list_port(list, pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX), first,
              pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_DATA0), words, n);
    list_write(list, pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_END), 1);
}

void list_opdescs(struct list *list, uint32_t unit, uint32_t first, const uint32_t *words, uint32_t n)
{
    list_port(list, pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX), first,
              pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_DATA0), words, n);
}

void list_uniform(struct list *list, uint32_t unit, uint32_t index, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    const uint32_t words[4] = { w, z, y, x };
    list_port(list, pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX), 0x80000000u | index,
              pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_DATA0), words, 4);
}

void float24_words(uint32_t x, uint32_t y, uint32_t z, uint32_t w, uint32_t out[3])
{
    out[0] = w << 8 | z >> 16;
    out[1] = (z & 0xFFFFu) << 16 | y >> 8;
    out[2] = (y & 0xFFu) << 24 | x;
}

void list_fixed_attribute(struct list *list, uint32_t index, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    uint32_t words[4] = { index, 0, 0, 0 };
    float24_words(x, y, z, w, words + 1);
    list_write_many(list, PICA_REG_FIXEDATTRIB_INDEX, true, words, 4);
}

/* ----------------------------------------------------------------------------------------------------------- setup */

struct pica_limits machine_default_limits(void)
{
    return (struct pica_limits){
        .commands = 0x100000, .vertices = 0x40000, .instructions = 0x4000, .emits = 0x400, .pixels = 0x10000000
    };
}

static const struct pica_window default_windows[2] = {
    { 0x18000000u, VRAM_WINDOW_SIZE },
    { 0x20000000u, FCRAM_WINDOW_SIZE },
};

struct pica_setup machine_default_setup(void)
{
    return (struct pica_setup){
        .windows = default_windows, .window_count = 2, .limits = machine_default_limits(), .profile = PICA_PROFILE_F32
    };
}

void machine_load_setup(struct machine *m, const struct pica_setup *setup)
{
    cr_assert(setup->window_count >= 1u && setup->window_count <= PICA_MAX_WINDOWS);
    m->setup = *setup;
    memmove(m->windows, setup->windows, setup->window_count * sizeof m->windows[0]);
    m->setup.windows = m->windows;
    machine_reset(m);
}

void machine_reset(struct machine *m)
{
    m->row[0] = '\0';
    record_load(m->record, &m->setup);
    const enum pica_status status = m->backend->load(m->instance, &m->setup);
    cr_assert(status == PICA_OK, "%s: load gives status %d", m->name, (int)status);
}

void machine_load_limit(struct machine *m, size_t field, uint32_t value)
{
    struct pica_limits limits = machine_default_limits();
    memcpy((uint8_t *)&limits + field, &value, sizeof value);
    machine_load_limits(m, &limits);
}

void machine_load_limits(struct machine *m, const struct pica_limits *limits)
{
    m->setup.limits = *limits;
    machine_reset(m);
}

void machine_load_work(struct machine *m, uint32_t work)
{
    m->setup.work = work;
    machine_reset(m);
}

void machine_load_profile(struct machine *m, enum pica_profile profile)
{
    m->setup.profile = profile;
    machine_reset(m);
}

void machine_case(struct machine *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(m->row, sizeof m->row, format, arguments);
    va_end(arguments);
}

void machine_row(struct machine *m, const char *format, ...)
{
    va_list arguments;
    machine_reset(m);
    va_start(arguments, format);
    (void)vsnprintf(m->row, sizeof m->row, format, arguments);
    va_end(arguments);
}

/* For tools that change one backend (ci/mutants): the environment says which one the tests are about. */
static bool is_wanted(const char *backend)
{
    const char *const only = getenv("PICAFUZZ_BACKEND");
    return only == NULL || strcmp(only, backend) == 0;
}

static void run_configuration(const char *name, const struct pica_backend *backend, bool is_reference,
                              const struct pica_options *options, const struct pica_setup *setup, machine_test test)
{
    struct machine *const m = calloc(1, sizeof *m);
    cr_assert_not_null(m);
    m->name = name;
    m->is_reference = is_reference;
    m->backend = backend;
    const enum pica_status status = backend->create(options, &m->instance);
    cr_assert(status == PICA_OK, "%s: create gives status %d", name, (int)status);
    m->record = is_reference ? record_create() : NULL;
    machine_load_setup(m, setup);
    test(m);
    record_destroy(m->record);
    backend->destroy(m->instance);
    free(m);
}

void machine_each_with(const struct pica_setup *setup, machine_test test)
{
    const struct pica_options all = { .flags = 0, .threads = 2, .instruction_sets = UINT32_MAX };
    const struct pica_options plain = { .flags = 0, .threads = 0, .instruction_sets = 0 };
    const struct pica_options small = {
        .flags = PICA_OPTION_CAPACITY, .threads = 2, .instruction_sets = UINT32_MAX, .capacity = 3
    };
    if (is_wanted("reference"))
        run_configuration("reference", ref_backend(), true, &plain, setup, test);
    if (!is_wanted("fast"))
        return;
    run_configuration("fast", fast_backend(), false, &all, setup, test);
    run_configuration("fast scalar", fast_backend(), false, &plain, setup, test);
    run_configuration("fast small", fast_backend(), false, &small, setup, test);
}

void machine_each(machine_test test)
{
    const struct pica_setup setup = machine_default_setup();
    machine_each_with(&setup, test);
}

/* ------------------------------------------------------------------------------------------------------ operations */

void machine_run(struct machine *m, const struct pica_operation *operation)
{
    record_operation(m->record, operation);
    const enum pica_status status = m->backend->run(m->instance, operation);
    cr_assert(status == PICA_OK, "%s: %s: operation %d gives status %d", m->name, m->row, (int)operation->kind,
              (int)status);
}

void machine_load(struct machine *m, uint32_t address, const void *bytes, size_t n)
{
    const struct pica_operation load = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = address, .size = (uint32_t)n, .data = bytes
    };
    machine_run(m, &load);
}

void machine_load_words(struct machine *m, uint32_t address, const uint32_t *words, size_t n)
{
    uint8_t *const bytes = malloc(4 * n + 1);
    cr_assert_not_null(bytes);
    for (size_t i = 0; i < 4 * n; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
    machine_load(m, address, bytes, 4 * n);
    free(bytes);
}

void machine_load_word(struct machine *m, uint32_t address, uint32_t word)
{
    machine_load_words(m, address, &word, 1);
}

void machine_cpu_write(struct machine *m, uint32_t address, uint32_t value)
{
    const struct pica_operation write = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                          .address = address,
                                          .words = { value } };
    machine_run(m, &write);
}

void machine_cpu_write_id(struct machine *m, uint32_t id, uint32_t value)
{
    machine_cpu_write(m, PICA_INTERNAL_ADDRESS + 4u * id, value);
}

void machine_fill(struct machine *m, uint32_t unit, uint32_t start, uint32_t end, uint32_t value, uint32_t control)
{
    const struct pica_operation fill = { .kind = PICA_OPERATION_MEMORY_FILL,
                                         .unit = unit,
                                         .words = { start >> 3, end >> 3, value, control } };
    machine_run(m, &fill);
}

void machine_vertical_blank(struct machine *m, uint32_t screen)
{
    const struct pica_operation blank = { .kind = PICA_OPERATION_VERTICAL_BLANK, .unit = screen };
    machine_run(m, &blank);
}

void machine_transfer(struct machine *m, const struct transfer *t)
{
    const struct pica_operation operation = { .kind = PICA_OPERATION_DISPLAY_TRANSFER,
                                              .words = { t->in >> 3, t->out >> 3, t->dim, t->indim, t->flags,
                                                         t->unknown14, t->copy_size, t->copy_in, t->copy_out } };
    machine_run(m, &operation);
}

void machine_submit_raw(struct machine *m, uint32_t address, uint32_t size)
{
    const struct pica_operation submit = { .kind = PICA_OPERATION_SUBMIT_LIST, .address = address, .size = size };
    machine_run(m, &submit);
}

void machine_submit_at(struct machine *m, struct list *list, uint32_t address)
{
    if (list->count % 2u != 0u)
        list_word(list, 0);
    if (list->count % 4u == 0u)
        list_write_masked(list, 0x22B, 0, 0);
    list_write(list, PICA_REG_FINALIZE, 0x12345678);
    machine_load_words(m, address, list->words, list->count);
    machine_submit_raw(m, address, 4u * list->count);
}

void machine_submit(struct machine *m, struct list *list)
{
    machine_submit_at(m, list, LIST_ADDRESS);
}

void machine_submit_words(struct machine *m, const uint32_t *words, uint32_t n)
{
    machine_load_words(m, LIST_ADDRESS, words, n);
    machine_submit_raw(m, LIST_ADDRESS, 4u * n);
}

void machine_list_write(struct machine *m, uint32_t id, uint32_t value)
{
    struct list list = { .count = 0 };
    list_write(&list, id, value);
    machine_submit(m, &list);
}

/* --------------------------------------------------------------------------------------------------------- results */

void machine_memory(struct machine *m, uint32_t address, void *out, size_t n)
{
    const enum pica_status status = m->backend->read_memory(m->instance, address, out, n);
    cr_assert(status == PICA_OK, "%s: read_memory gives status %d", m->name, (int)status);
}

uint32_t machine_word(struct machine *m, uint32_t address)
{
    uint8_t bytes[4] = { 0 };
    machine_memory(m, address, bytes, sizeof bytes);
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint32_t machine_byte(struct machine *m, uint32_t address)
{
    uint8_t byte = 0;
    machine_memory(m, address, &byte, 1);
    return byte;
}

const struct pica_state *machine_state(struct machine *m)
{
    const enum pica_status status = m->backend->read_state(m->instance, &m->state);
    cr_assert(status == PICA_OK, "%s: read_state gives status %d", m->name, (int)status);
    return &m->state;
}

uint32_t machine_register(struct machine *m, uint32_t id)
{
    return machine_state(m)->registers[id];
}

uint32_t machine_external(struct machine *m, uint32_t offset)
{
    return machine_state(m)->external[offset / 4u];
}

uint32_t machine_interrupts(struct machine *m, uint32_t index)
{
    return machine_state(m)->interrupts[index];
}

struct pica_events machine_events(struct machine *m)
{
    struct pica_events events = { { 0 } };
    const enum pica_status status = m->backend->read_events(m->instance, &events);
    cr_assert(status == PICA_OK, "%s: read_events gives status %d", m->name, (int)status);
    return events;
}

bool machine_event(struct machine *m, enum pica_event event)
{
    const struct pica_events events = machine_events(m);
    return pica_events_has(&events, event);
}

/* ---------------------------------------------------------------------------------------------------- expectations */

bool machine_equal(struct machine *m, const char *rule, const char *what, uint32_t got, uint32_t expected)
{
    if (got == expected)
        return true;
    (void)snprintf(m->message, sizeof m->message, "[%s] %s: %s: %s is 0x%08X, expected 0x%08X", m->name, rule, m->row,
                   what, (unsigned)got, (unsigned)expected);
    return false;
}

bool machine_holds(struct machine *m, const char *rule, const char *what, bool holds)
{
    if (!holds)
        (void)snprintf(m->message, sizeof m->message, "[%s] %s: %s: not true: %s", m->name, rule, m->row, what);
    return holds;
}

bool machine_bytes_equal(struct machine *m, const char *rule, uint32_t address, const uint8_t *expected, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t got = machine_byte(m, address + (uint32_t)i);
        if (got != expected[i]) {
            (void)snprintf(m->message, sizeof m->message, "[%s] %s: %s: byte at 0x%08X (+%u) is %02X, expected %02X",
                           m->name, rule, m->row, (unsigned)(address + (uint32_t)i), (unsigned)i, (unsigned)got,
                           (unsigned)expected[i]);
            return false;
        }
    }
    return true;
}

bool machine_vector_equal(struct machine *m, const char *rule, const char *what, const struct pica_vector *got,
                          uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    const uint32_t *const b = got->bits;
    if (b[0] == x && b[1] == y && b[2] == z && b[3] == w)
        return true;
    (void)snprintf(m->message, sizeof m->message,
                   "[%s] %s: %s: %s is (%08X %08X %08X %08X), expected (%08X %08X %08X %08X)", m->name, rule, m->row,
                   what, (unsigned)b[0], (unsigned)b[1], (unsigned)b[2], (unsigned)b[3], (unsigned)x, (unsigned)y,
                   (unsigned)z, (unsigned)w);
    return false;
}

bool machine_event_is(struct machine *m, const char *rule, enum pica_event event, bool expected)
{
    const struct pica_event_info *const info = pica_event_info(event);
    if (info->event_class == PICA_EVENT_CLASS_R && !m->is_reference)
        return true;
    if (machine_event(m, event) == expected)
        return true;
    (void)snprintf(m->message, sizeof m->message, "[%s] %s: %s: UB: %s %s", m->name, rule, m->row, info->name,
                   expected ? "is missing" : "must not be recorded");
    return false;
}

bool machine_has_only_events(struct machine *m, const char *rule, const enum pica_event *events, size_t n)
{
    const struct pica_events got = machine_events(m);
    struct pica_events expected = { { 0 } };
    for (size_t i = 0; i < n; i++)
        pica_events_add(&expected, events[i]);
    for (uint32_t e = 0; e < PICA_EVENT_TOTAL; e++) {
        const struct pica_event_info *const info = pica_event_info((enum pica_event)e);
        const bool has = pica_events_has(&got, info->event);
        const bool wanted = pica_events_has(&expected, info->event);
        if (has == wanted || (info->event_class == PICA_EVENT_CLASS_R && !m->is_reference))
            continue;
        (void)snprintf(m->message, sizeof m->message, "[%s] %s: %s: UB: %s %s", m->name, rule, m->row, info->name,
                       has ? "must not be recorded" : "is missing");
        return false;
    }
    return true;
}
