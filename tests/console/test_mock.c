/*
 * Our console itself: what it forgives, and what it does not. The programs are a few instructions each, put together
 * word by word, so that these tests need no cross compiler.
 */
#include "tests/console/mock.h"

#include "reference/reference.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS = 512,
    HEADER_WORDS = 8 + 6,
    TLS = 0x1FF82000,
    MESSAGE = TLS + 0x80,
    SCRATCH = TLS + 0x800
};

/* A .3dsx of one code segment, and the words of it that are addresses. */
struct little_program {
    uint32_t code[WORDS];
    uint32_t count;
    uint32_t relocated; /* index of the one word that holds an offset; 0: none */
};

static struct little_program program;
static struct mock_result run;

static void emit(uint32_t word)
{
    program.code[program.count++] = word;
}

/* ldr rN, [pc]; b over; the value */
static void set(uint32_t name, uint32_t value)
{
    emit(0xE59F0000 | name << 12);
    emit(0xEA000000);
    emit(value);
}

static void call(uint32_t number)
{
    emit(0xEF000000 | number);
}

static void store(uint32_t address, uint32_t value)
{
    set(0, address);
    set(1, value);
    emit(0xE5801000); /* str r1, [r0] */
}

/* Keeps the handle that a call gave in r1. */
static void keep_handle(uint32_t address)
{
    set(0, address);
    emit(0xE5801000);
}

static void send(uint32_t handle_at, const uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        store(MESSAGE + 4 * i, words[i]);
    set(0, handle_at);
    emit(0xE5900000); /* ldr r0, [r0] */
    call(0x32);
}

#define SEND(handle, ...) send(handle, (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static uint32_t *make_file(size_t *size)
{
    uint32_t *file = calloc(HEADER_WORDS + WORDS + 2, 4);
    uint32_t *end = file + HEADER_WORDS + program.count;
    cr_assert_not_null(file);
    file[0] = 0x58534433;
    file[1] = 32 | 8 << 16;
    file[4] = 4 * program.count;
    memcpy(file + HEADER_WORDS, program.code, 4 * program.count);
    if (program.relocated != 0) {
        file[8] = 1;
        *end++ = program.relocated | 1 << 16;
    }
    *size = (size_t)(end - file) * 4;
    return file;
}

static struct mock_weaknesses weak; /* of the console that plays */

static void play_at(uint32_t base)
{
    size_t size;
    uint32_t *file = make_file(&size);
    const struct mock_setup setup = { .gpu = ref_backend(),
                                      .program = (const uint8_t *)file,
                                      .program_size = size,
                                      .base = base,
                                      .card = "/tmp",
                                      .weak = weak };
    mock_release(&run);
    cr_assert_eq(mock_run(&setup, &run), PICA_OK);
    free(file);
}

static void release(void)
{
    mock_release(&run);
}

TestSuite(mock, .fini = release);

/* ------------------------------------------------------------------------------------------------------- programs */

Test(mock, relocates_addresses_to_any_base)
{
    set(0, 0); /* the address of the text */
    program.relocated = 2;
    set(1, 4);
    call(0x3D);
    call(0x03);
    program.code[2] = 4 * program.count; /* an offset */
    emit(0x216C6C61);                    /* "all!" */
    static const uint32_t bases[] = { 0x00100000, 0x00345000 };
    for (int i = 0; i < 2; i++) {
        play_at(bases[i]);
        cr_assert_eq(run.ending, MOCK_EXITED, "%s", run.reason);
        cr_assert_str_eq(run.effects[1].text, "all!", "the second effect is what the first call said");
    }
}

Test(mock, loads_no_file_that_is_cut_anywhere)
{
    program.relocated = 1;
    for (int i = 0; i < 4; i++)
        call(0x03);
    program.code[1] = 0;
    size_t size;
    uint32_t *file = make_file(&size);
    for (size_t cut = 0; cut < size; cut++) {
        const struct mock_setup setup = {
            .gpu = ref_backend(), .program = (const uint8_t *)file, .program_size = cut, .card = "/tmp"
        };
        cr_assert_eq(mock_run(&setup, &run), PICA_OK);
        cr_assert_eq(run.ending, MOCK_NOT_STARTED, "cut at %zu", cut);
        mock_release(&run);
    }
    free(file);
}

Test(mock, loads_no_relocation_that_points_nowhere)
{
    call(0x03);
    emit(0x00700000);
    program.relocated = 1;
    play_at(0);
    cr_assert_eq(run.ending, MOCK_NOT_STARTED);
}

/* --------------------------------------------------------------------------------------------------------- memory */

static void expect_fault_at(uint32_t address)
{
    program.count = 0;
    store(address, 1);
    call(0x03);
    play_at(0);
    cr_assert_eq(run.ending, MOCK_FAULTED, "%08X: %s", address, run.reason);
    cr_assert_eq(run.mistakes, 1);
}

Test(mock, has_no_writable_vram_code_configuration_or_registers)
{
    expect_fault_at(0x1F000000);
    expect_fault_at(0x00100000);
    expect_fault_at(0x1FF80000);
    expect_fault_at(0x1EF00400);
    expect_fault_at(0x30000000); /* nobody allocated it */
}

Test(mock, ends_a_program_that_never_calls_the_system)
{
    emit(0xEAFFFFFE); /* b . */
    play_at(0);
    cr_assert_eq(run.ending, MOCK_ENDLESS);
}

Test(mock, knows_no_other_system_calls)
{
    call(0x59); /* SetGpuProt */
    call(0x03);
    play_at(0);
    cr_assert_eq(run.ending, MOCK_FAULTED);
}

Test(mock, calls_destroy_the_registers_that_they_may_destroy)
{
    set(12, 0x12345678);
    set(0, 1000);
    set(1, 0);
    call(0x0A);
    set(0, SCRATCH);
    emit(0xE580C000); /* str r12, [r0] */
    set(0, SCRATCH);
    set(1, 4);
    call(0x3D);
    call(0x03);
    play_at(0);
    cr_assert_eq(run.ending, MOCK_EXITED);
    for (size_t i = 0; i < run.effect_count; i++)
        cr_assert_neq(memcmp(run.effects[i].text, "\x78\x56\x34\x12", 4), 0, "r12 survived a call");
}

/* ------------------------------------------------------------------------------------------------------- services */

static void connect_srv(void)
{
    store(SCRATCH + 0x100, 0x3A767273); /* "srv:" */
    store(SCRATCH + 0x104, 0);
    set(1, SCRATCH + 0x100);
    call(0x2D);
    keep_handle(SCRATCH);
}

/* The session of gsp::Gpu goes to SCRATCH + 4. */
static void open_gsp(void)
{
    SEND(SCRATCH, 0x00050100, 0x3A707367, 0x7570473A, 8, 0);
    set(0, MESSAGE + 12);
    emit(0xE5901000); /* ldr r1, [r0] */
    keep_handle(SCRATCH + 4);
}

Test(mock, gives_no_service_to_who_did_not_register)
{
    connect_srv();
    open_gsp();
    call(0x03);
    play_at(0);
    cr_assert_eq(run.ending, MOCK_EXITED, "%s", run.reason);
    cr_assert_eq(run.mistakes, 1, "%s", mock_first_mistake(&run));
}

Test(mock, who_asks_for_the_gpu_before_the_wake_up_waits_for_ever)
{
    connect_srv();
    SEND(SCRATCH, 0x00010002, 0x20);
    open_gsp();
    SEND(SCRATCH + 4, 0x00160042, 0, 0, 0xFFFF8001);
    call(0x03);
    play_at(0);
    cr_assert_eq(run.mistakes, 0, "%s", mock_first_mistake(&run));
    cr_assert_eq(run.ending, MOCK_STUCK);
}

Test(mock, registers_cannot_be_written_without_the_right)
{
    connect_srv();
    SEND(SCRATCH, 0x00010002, 0x20);
    open_gsp();
    SEND(SCRATCH + 4, 0x00010082, 0x401080, 4, 4 << 14 | 2, SCRATCH);
    call(0x03);
    play_at(0);
    for (size_t i = 0; i < run.effect_count; i++)
        cr_assert_neq(run.effects[i].kind, MOCK_WRITES_REGISTER);
    cr_assert_eq(run.ending, MOCK_EXITED, "%s", run.reason);
}

Test(mock, unknown_messages_are_mistakes)
{
    connect_srv();
    SEND(SCRATCH, 0x00990000, 0);
    call(0x03);
    play_at(0);
    cr_assert_eq(run.mistakes, 1);
}

Test(mock, waits_take_time_and_ticks_count_it)
{
    set(0, 5000000);
    set(1, 0);
    call(0x0A); /* 5 ms */
    call(0x03);
    play_at(0);
    cr_assert_geq(run.nanoseconds, 5000000);
    cr_assert_lt(run.nanoseconds, 6000000);
}

/* ----------------------------------------------------------------------------------------------------- weaknesses */

/* ControlMemory: a page of linear memory; its address is left in r1. */
static void allocate(void)
{
    set(0, 0x10003);
    set(1, 0);
    set(2, 0);
    set(3, 0x1000);
    set(4, 3);
    call(0x01);
}

/* The result of a call is said as text: four letters of it at SCRATCH. */
static void say_result(void)
{
    emit(0xE1A02000); /* mov r2, r0 */
    set(0, SCRATCH + 0x200);
    emit(0xE5802000); /* str r2, [r0] */
    set(0, SCRATCH + 0x200);
    set(1, 4);
    call(0x3D);
}

static int32_t said(void)
{
    int32_t result = 0;
    for (size_t i = 0; i < run.effect_count; i++)
        if (run.effects[i].kind == MOCK_CALLS_SYSTEM && run.effects[i].address == 0x3D)
            memcpy(&result, run.effects[i].text, 4);
    return result;
}

Test(mock, a_second_block_of_linear_memory_is_nowhere_in_a_machine_that_has_one)
{
    for (uint32_t i = 0; i < 2; i++) {
        weak.one_block = i == 1;
        program.count = 0;
        allocate();
        allocate();
        emit(0xE5810000); /* str r0, [r1] */
        call(0x03);
        play_at(0);
        cr_assert_eq(run.ending, i == 0 ? MOCK_EXITED : MOCK_FAULTED, "%s", run.reason);
    }
}

Test(mock, a_machine_for_standard_programs_refuses_what_they_never_call)
{
    for (uint32_t i = 0; i < 2; i++) {
        weak.only_standard = i == 1;
        program.count = 0;
        set(1, 0xFFFF8001);
        set(2, 20);
        call(0x2B); /* GetProcessInfo */
        say_result();
        call(0x03);
        play_at(0);
        cr_assert_eq(run.ending, MOCK_EXITED, "%s", run.reason);
        cr_assert_eq(run.mistakes, 0);
        cr_assert_eq(said() < 0, i == 1, "%X", (unsigned)said());
    }
}

Test(mock, a_machine_for_standard_programs_gives_one_block_of_linear_memory)
{
    weak.only_standard = true;
    allocate();
    allocate();
    say_result();
    call(0x03);
    play_at(0);
    cr_assert_lt(said(), 0);
}
