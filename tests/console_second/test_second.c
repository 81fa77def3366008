/*
 * The second machine itself: a small program that does all as libctru does runs to its end, and each deviation from it
 * is refused, by name. What stands in the table is what a document forbids, so each line is a check that can fail.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/cli/command.h"
#include "tests/console_second/machine.h"
#include "tests/console_second/program.h"
#include "tests/sanitized.h"

enum {
    TOP = LINEAR + 0x1000,
    SCREENS = 0x4C000 /* bytes of linear memory with a screen in it */
};

/* ------------------------------------------------------------------------------- the steps of a standard program */

static void linear(struct program *p)
{
    program_set(p, 4, 3);
    program_call_with(p, 0x01, 0x10003, 0, 0, SCREENS);
}

static void service(struct program *p, const char *name, enum slot slot)
{
    uint32_t words[2] = { 0 };
    for (size_t i = 0; name[i] != '\0'; i++)
        words[i / 4] |= (uint32_t)name[i] << (8 * (i % 4));
    SEND(p, SLOT_SRV, 0x00050100, words[0], words[1], strlen(name), 0);
    program_answer(p, slot, 3);
}

static void srv(struct program *p)
{
    program_store(p, TEXT, 0x3A767273); /* "srv:" */
    program_store(p, TEXT + 4, 0);
    program_set(p, 1, TEXT);
    program_call(p, 0x2D);
    program_save(p, SLOT_SRV, 1);
    SEND(p, SLOT_SRV, 0x00010002, 0x20, 0);
}

static void close_slot(struct program *p, enum slot slot)
{
    program_load(p, 0, slot);
    program_call(p, 0x23);
}

static void lock(struct program *p)
{
    program_load(p, 0, SLOT_LOCK);
    program_set(p, 2, UINT32_MAX);
    program_set(p, 3, UINT32_MAX);
    program_call(p, 0x24);
    service(p, "APT:U", SLOT_APT);
}

static void unlock(struct program *p)
{
    close_slot(p, SLOT_APT);
    program_load(p, 0, SLOT_LOCK);
    program_call(p, 0x14);
}

static void apt_begin(struct program *p)
{
    service(p, "APT:U", SLOT_APT);
    SEND(p, SLOT_APT, 0x00010040, 0);
    program_answer(p, SLOT_LOCK, 5);
    close_slot(p, SLOT_APT);
    lock(p);
    SEND(p, SLOT_APT, 0x00020080, 0x300, 0);
    program_answer(p, SLOT_RESUME, 4);
    unlock(p);
    lock(p);
    SEND(p, SLOT_APT, 0x00030040, 0);
    unlock(p);
    lock(p);
    SEND(p, SLOT_APT, 0x00430040, 0x300);
    unlock(p);
}

static void apt_wake(struct program *p)
{
    program_load(p, 0, SLOT_RESUME);
    program_set(p, 2, UINT32_MAX);
    program_set(p, 3, UINT32_MAX);
    program_call(p, 0x24);
    lock(p);
    program_receive(p, 0, LINEAR, 0x1000);
    SEND(p, SLOT_APT, 0x000D0080, 0x300, 0x1000);
    unlock(p);
    lock(p);
    program_store(p, TEXT, 0x10);
    program_receive(p, 0, LINEAR, 4);
    SEND(p, SLOT_APT, 0x004B00C2, 7, 4, 4, 4u << 14 | 1u << 10 | 2, TEXT);
    unlock(p);
}

static void gsp_right(struct program *p)
{
    service(p, "gsp::Gpu", SLOT_GSP);
    SEND(p, SLOT_GSP, 0x00160042, 0, 0, 0xFFFF8001);
}

static void gsp_queue(struct program *p)
{
    program_set(p, 1, 0);
    program_call(p, 0x17);
    program_save(p, SLOT_EVENT, 1);
    SEND(p, SLOT_GSP, 0x00130042, 1, 0, HANDLE(SLOT_EVENT));
    program_answer(p, SLOT_PAGE, 4);
    program_load(p, 0, SLOT_PAGE);
    program_set(p, 1, SHARED);
    program_set(p, 2, 3);
    program_set(p, 3, 0x10000000);
    program_call(p, 0x1F);
    program_store_exclusive(p, SHARED, 1u << 24); /* no vertical blanks */
    program_store_exclusive(p, SHARED + 0x800, 0);
}

/* The n-th command of the program (n < 15), and its interrupt. */
static void put(struct program *p, uint32_t n, const uint32_t words[8], uint32_t count)
{
    for (uint32_t i = 0; i < 8; i++)
        program_store(p, SHARED + 0x820 + 0x20 * n + 4 * i, words[i]);
    program_store_exclusive(p, SHARED + 0x800, count << 8 | n);
}

static void send_and_wait(struct program *p, uint32_t n, const uint32_t words[8])
{
    put(p, n, words, 1);
    SEND(p, SLOT_GSP, 0x000C0000);
    program_load(p, 0, SLOT_EVENT);
    program_set(p, 2, 1000000000);
    program_set(p, 3, 0);
    program_call(p, 0x24);
}

static void flush(struct program *p, uint32_t address, uint32_t bytes)
{
    SEND(p, SLOT_GSP, 0x00080082, address, bytes, 0, 0xFFFF8001);
}

static void invalidate(struct program *p, uint32_t address, uint32_t bytes)
{
    SEND(p, SLOT_GSP, 0x00090082, address, bytes, 0, 0xFFFF8001);
}

static const uint32_t FILL[] = { 0x01000102, VRAM, 0xCAFE0001, VRAM + 0x100, 0, 0, 0, 0x201 };
static const uint32_t READ_BACK[] = { 0x01000100, VRAM, TOP, 0x100, 0, 0, 0, 0 };
static const uint32_t LIST[] = { 0x01000101, TOP, 0x10, 0, 0, 0, 0, 0 };
static const uint32_t TO_TOP[] = { 0x01000103, VRAM, TOP, 8u << 16 | 8, 8u << 16 | 8, 0, 0, 0 };

static void gpu_work(struct program *p)
{
    send_and_wait(p, 0, FILL);
    program_store(p, TOP, 0x11111111);
    flush(p, TOP, 0x100);
    send_and_wait(p, 1, READ_BACK);
    invalidate(p, TOP, 0x100);
    program_expect(p, TOP, 0xCAFE0001);
    program_store(p, TOP, 0x12345678); /* FINALIZE, twice */
    program_store(p, TOP + 4, 0x000F0010);
    program_store(p, TOP + 8, 0x12345678);
    program_store(p, TOP + 12, 0x000F0010);
    flush(p, TOP, 0x10);
    send_and_wait(p, 2, LIST);
    program_expect(p, SHARED, 1u << 24 | 3u << 8); /* three interrupts */
    program_expect(p, SHARED + 0xC, 5u << 16 | 6u << 8);
}

static void file(struct program *p)
{
    service(p, "fs:USER", SLOT_FS);
    SEND(p, SLOT_FS, 0x08010002, 0x20, 0);
    program_store(p, TEXT, 0);
    SEND(p, SLOT_FS, 0x080C00C2, 9, 1, 1, 1u << 14 | 2, TEXT);
    program_answer(p, SLOT_FILE, 2); /* the archive's handle, low word; the high one is 1 */
    program_store(p, TEXT, '/' | 'a' << 16);
    program_store(p, TEXT + 4, 0);
    SEND(p, SLOT_FS, 0x080201C2, 0, HANDLE(SLOT_FILE), 1, 4, 6, 7, 0, 6u << 14 | 2, TEXT);
    program_answer(p, SLOT_FILE, 3);
    program_store(p, TEXT, 0x21646E65); /* "end!" */
    SEND(p, SLOT_FILE, 0x08030102, 0, 0, 4, 1, 4u << 4 | 8 | 2, TEXT);
}

static void file_end(struct program *p)
{
    SEND(p, SLOT_FILE, 0x08080000);
    close_slot(p, SLOT_FILE);
}

static void gsp_end(struct program *p)
{
    program_load(p, 0, SLOT_PAGE);
    program_set(p, 1, SHARED);
    program_call(p, 0x20);
    SEND(p, SLOT_GSP, 0x00140000);
    SEND(p, SLOT_GSP, 0x00170000);
    close_slot(p, SLOT_GSP);
}

static void apt_end(struct program *p)
{
    lock(p);
    SEND(p, SLOT_APT, 0x00220040, 1);
    SEND(p, SLOT_APT, 0x00270044, 0, 0, 0, 2, 0);
    unlock(p);
}

static void leave(struct program *p)
{
    program_call(p, 0x03);
}

enum step {
    STEP_LINEAR,
    STEP_SRV,
    STEP_APT,
    STEP_WAKE,
    STEP_RIGHT,
    STEP_QUEUE,
    STEP_WORK,
    STEP_FILE,
    STEP_FILE_END,
    STEP_GSP_END,
    STEP_APT_END,
    STEP_LEAVE,
    STEPS
};

static void (*const STANDARD[STEPS])(struct program *) = { linear,   srv,  apt_begin, apt_wake, gsp_right, gsp_queue,
                                                           gpu_work, file, file_end,  gsp_end,  apt_end,   leave };

/* --------------------------------------------------------------------------------------------------------- running */

static struct program program;

static enum second_end run(const struct program *p, const struct second_options *more, char *message, char *card)
{
    char path[512], name[600];
    fresh_directory(path, sizeof path, "console_second");
    snprintf(name, sizeof name, "%s/program.3dsx", path);
    cr_assert_eq(program_write(p, name), 0);
    struct second_options options = *more;
    options.program = name;
    options.card = path;
    struct second_machine *const machine = second_create(&options);
    cr_assert(machine != NULL);
    const enum second_end end = second_run(machine);
    strcpy(message, second_message(machine));
    strcat(message, second_remarks(machine));
    second_destroy(machine);
    if (card != NULL)
        strcpy(card, path);
    return end;
}

static void write_standard(struct program *p)
{
    program_begin(p);
    for (int i = 0; i < STEPS; i++)
        STANDARD[i](p);
}

Test(second_machine, a_standard_program_ends_tidily_and_without_a_remark)
{
    char message[6000], card[512], name[600], text[8] = "";
    write_standard(&program);
    const enum second_end end = run(&program, &(struct second_options){ 0 }, message, card);
    cr_assert_eq(end, SECOND_TIDY, "%s", message);
    cr_assert_str_empty(message);
    snprintf(name, sizeof name, "%s/a", card);
    FILE *const left = fopen(name, "rb");
    cr_assert(left != NULL && fread(text, 1, sizeof text, left) == 4);
    fclose(left);
    cr_assert_str_eq(text, "end!");
}

Test(second_machine, CON_05_code_runs_at_another_base_with_its_words_relocated)
{
    char message[6000];
    for (uint32_t base = 0x00100000; base <= 0x04300000; base += 0x04200000) {
        program_begin(&program);
        for (int i = 0; i < 3; i++) /* a page of code and a bit, whatever they do */
            while (program.words < 500u * (uint32_t)(i + 1))
                program_word(&program, 0xE1A00000);
        const uint32_t rodata = base + 0x2000, data = base + 0x3000;
        program_expect(&program, rodata, rodata);
        program_expect(&program, rodata + 4, 0x600D600D);
        program_expect(&program, data, 0x11223344);
        program_expect(&program, data + 4, 0xB5B5B5B5); /* bss: whatever there was */
        leave(&program);
        const enum second_end end = run(&program, &(struct second_options){ .base = base }, message, NULL);
        cr_assert_eq(end, SECOND_TIDY, "%s", message);
    }
}

Test(second_machine, CON_46_what_was_not_invalidated_is_old)
{
    char message[6000];
    program_begin(&program);
    for (int i = 0; i < STEP_WORK; i++)
        STANDARD[i](&program);
    send_and_wait(&program, 0, FILL);
    program_store(&program, TOP, 0x11111111);
    flush(&program, TOP, 0x100);
    send_and_wait(&program, 1, READ_BACK);
    program_expect(&program, TOP, 0x11111111);
    invalidate(&program, TOP, 0x100);
    program_expect(&program, TOP, 0xCAFE0001);
    for (int i = STEP_GSP_END; i < STEPS; i++)
        STANDARD[i](&program);
    cr_assert_eq(run(&program, &(struct second_options){ 0 }, message, NULL), SECOND_TIDY, "%s", message);
}

Test(second_machine, a_file_that_is_cut_anywhere_is_refused)
{
    char path[512], whole[600], cut[600], message[6000];
    fresh_directory(path, sizeof path, "console_second");
    program_begin(&program);
    leave(&program);
    snprintf(whole, sizeof whole, "%s/whole.3dsx", path);
    cr_assert_eq(program_write(&program, whole), 0);
    struct stat status;
    cr_assert_eq(stat(whole, &status), 0);
    char bytes[512];
    FILE *const in = fopen(whole, "rb");
    cr_assert(in != NULL && fread(bytes, 1, sizeof bytes, in) == (size_t)status.st_size);
    fclose(in);
    snprintf(cut, sizeof cut, "%s/cut.3dsx", path);
    for (size_t size = 1; size <= (size_t)status.st_size; size += TEST_PART) {
        FILE *const out = fopen(cut, "wb");
        cr_assert(out != NULL && fwrite(bytes, 1, size, out) == size);
        fclose(out);
        const struct second_options options = { .program = cut, .card = path };
        struct second_machine *const machine = second_create(&options);
        const enum second_end end = second_run(machine);
        snprintf(message, sizeof message, "%zu of %zu bytes: %s", size, (size_t)status.st_size,
                 second_message(machine));
        second_destroy(machine);
        cr_assert_eq(end, size == (size_t)status.st_size ? SECOND_TIDY : SECOND_REFUSED, "%s", message);
    }
}

/* -------------------------------------------------------------------------------------- everything that is refused */

static void foreign_call(struct program *p)
{
    program_call(p, 0x08);
}

static void closed_handle(struct program *p)
{
    close_slot(p, SLOT_EVENT);
    close_slot(p, SLOT_EVENT);
}

static void lasting_event(struct program *p)
{
    program_set(p, 1, 1);
    program_call(p, 0x17);
    program_save(p, SLOT_EVENT, 1);
    SEND(p, SLOT_GSP, 0x00130042, 1, 0, HANDLE(SLOT_EVENT));
}

static void early_right(struct program *p)
{
    gsp_right(p);
}

static void unlocked_applet(struct program *p)
{
    service(p, "APT:U", SLOT_APT);
    SEND(p, SLOT_APT, 0x00430040, 0x300);
}

static void two_applets(struct program *p)
{
    service(p, "APT:U", SLOT_APT);
    service(p, "APT:U", SLOT_APT);
}

static void vram_store(struct program *p)
{
    program_store(p, VRAM, 1);
}

static void flush_of_vram(struct program *p)
{
    flush(p, VRAM, 0x20);
}

static void flush_beyond(struct program *p)
{
    flush(p, LINEAR + SCREENS - 0x10, 0x20);
}

static void dirty_edge(struct program *p)
{
    program_store(p, TOP, 1);
    invalidate(p, TOP + 4, 0x20);
}

static void unflushed_list(struct program *p)
{
    program_store(p, TOP, 0x12345678);
    put(p, 0, LIST, 1);
    SEND(p, SLOT_GSP, 0x000C0000);
}

static void short_list(struct program *p)
{
    put(p, 0, (const uint32_t[]){ 0x01000101, TOP, 0x18, 0, 0, 0, 0, 0 }, 1);
    SEND(p, SLOT_GSP, 0x000C0000);
}

static void late_trigger(struct program *p)
{
    put(p, 0, FILL, 1);
    put(p, 1, FILL, 2);
    program_store_exclusive(p, SHARED + 0x800, 2u << 8);
    SEND(p, SLOT_GSP, 0x000C0000);
}

static void plain_header(struct program *p)
{
    program_store(p, SHARED + 0x800, 1u << 8);
}

static void foreign_client(struct program *p)
{
    program_store(p, SHARED + 0x40, 0);
}

static void other_word(struct program *p)
{
    put(p, 0, (const uint32_t[]){ 2, VRAM, 0, VRAM + 0x100, 0, 0, 0, 0x201 }, 1);
    SEND(p, SLOT_GSP, 0x000C0000);
}

static void fill_of_linear(struct program *p)
{
    put(p, 0, (const uint32_t[]){ 0x01000102, TOP, 0, TOP + 0x100, 0, 0, 0, 0x201 }, 1);
    SEND(p, SLOT_GSP, 0x000C0000);
}

static void dma_outside(struct program *p)
{
    put(p, 0, (const uint32_t[]){ 0x01000100, VRAM + 0x5FFFF0, TOP, 0x100, 0, 0, 0, 0 }, 1);
    SEND(p, SLOT_GSP, 0x000C0000);
}

static void list_outside(struct program *p)
{
    /* A draw from the vertex array at 0x18600000: one attribute, one vertex. */
    static const uint32_t WORDS[] = { 0x18600000 >> 3, 0x000F0200, 0x0000000B, 0x000F0201, 0, 0x000F0203,
                                      0x10040000,      0x000F0205, 1,          0x000F0228, 1, 0x000F022E,
                                      0x12345678,      0x000F0010, 0x12345678, 0x000F0010 };
    for (uint32_t i = 0; i < sizeof WORDS / 4; i++)
        program_store(p, TOP + 4 * i, WORDS[i]);
    flush(p, TOP, sizeof WORDS);
    send_and_wait(p, 0, (const uint32_t[]){ 0x01000101, TOP, sizeof WORDS, 0, 0, 0, 0, 0 });
}

static void lcd_register(struct program *p)
{
    program_store(p, TEXT, 0);
    SEND(p, SLOT_GSP, 0x00010082, 0x400468, 4, 4u << 14 | 2, TEXT);
}

static void register_that_hangs(struct program *p)
{
    program_receive(p, 0, TEXT, 0x20);
    SEND(p, SLOT_GSP, 0x00040080, 0x401000 + 4 * 0x68, 0x20);
}

static void one_description(struct program *p)
{
    static const uint32_t TOP_SCREEN[] = { 0x100, 0, TOP, TOP, 480, 0x142, 0, 0 };
    for (uint32_t i = 0; i < 8; i++)
        program_store(p, SHARED + 0x200 + 4 * i, TOP_SCREEN[i]);
    program_call_with(p, 0x0A, 20000000, 0, 0, 0);
    send_and_wait(p, 0, TO_TOP);
}

static void long_lines(struct program *p)
{
    static const uint32_t TOP_SCREEN[] = { 0x100, 0, TOP, TOP, 512, 0x142, 0, 0 };
    for (uint32_t i = 0; i < 8; i++)
        program_store(p, SHARED + 0x200 + 4 * i, TOP_SCREEN[i]);
    program_call_with(p, 0x0A, 20000000, 0, 0, 0);
}

static void lit_to_the_end(struct program *p)
{
    SEND(p, SLOT_GSP, 0x000B0040, 0);
    gsp_end(p);
    apt_end(p);
}

static void kept_right(struct program *p)
{
    apt_end(p);
}

static void ascii_path(struct program *p)
{
    program_store(p, TEXT, '/' | 'a' << 8);
    SEND(p, SLOT_FS, 0x080201C2, 0, 0x5D0C0001, 1, 3, 3, 7, 0, 3u << 14 | 2, TEXT);
}

static void way_up(struct program *p)
{
    program_store(p, TEXT, '/' | '.' << 16);
    program_store(p, TEXT + 4, '.');
    SEND(p, SLOT_FS, 0x080201C2, 0, 0x5D0C0001, 1, 4, 8, 7, 0, 8u << 14 | 2, TEXT);
}

static void behind_the_end(struct program *p)
{
    SEND(p, SLOT_FILE, 0x08030102, 8, 0, 4, 1, 4u << 4 | 8 | 2, TEXT);
}

static void wrong_size(struct program *p)
{
    SEND(p, SLOT_FILE, 0x08030102, 4, 0, 4, 1, 8u << 4 | 8 | 2, TEXT);
}

static void unknown_command(struct program *p)
{
    SEND(p, SLOT_GSP, 0x00200000);
}

static const struct {
    const char *name;
    enum step instead_of; /* the standard program up to this step, then: */
    void (*deviation)(struct program *p);
    enum second_end end;
    const char *message; /* a part of it */
} DEVIATIONS[] = {
    { "a system call that none makes", STEP_SRV, foreign_call, SECOND_REFUSED, "system call: 0x08" },
    { "a second linear block", STEP_SRV, linear, SECOND_REFUSED, "a second block of linear memory" },
    { "a handle closed twice", STEP_WORK, closed_handle, SECOND_REFUSED, "CloseHandle: handle" },
    { "APT without its lock", STEP_WAKE, unlocked_applet, SECOND_REFUSED, "APT:U, NotifyToWait: the lock is not held" },
    { "two sessions of APT", STEP_WAKE, two_applets, SECOND_REFUSED, "a second session of APT" },
    { "the right before the wake-up", STEP_WAKE, early_right, SECOND_REFUSED, "AcquireRight: before APT's wake-up" },
    { "an event that stays", STEP_QUEUE, lasting_event, SECOND_REFUSED, "word 3: the event is sticky" },
    { "a store to VRAM (CON-12)", STEP_WORK, vram_store, SECOND_CRASHED, "writes 4 bytes at 0x1F000000" },
    { "a flush of VRAM", STEP_WORK, flush_of_vram, SECOND_REFUSED, "0x1F000000, 0x20 bytes: not linear" },
    { "a flush beyond the block", STEP_WORK, flush_beyond, SECOND_REFUSED, "FlushDataCache: words 1, 2" },
    { "an invalidated line that is dirty", STEP_WORK, dirty_edge, SECOND_REFUSED, "did not flush" },
    { "a list that was not flushed", STEP_WORK, unflushed_list, SECOND_REFUSED, "GX command list: word 1" },
    { "a list of 24 bytes (CON-42)", STEP_WORK, short_list, SECOND_REFUSED, "word 2, bytes: 0x18" },
    { "a late trigger (CON-33)", STEP_WORK, late_trigger, SECOND_REFUSED, "2 commands are in the queue" },
    { "a header without STREX", STEP_WORK, plain_header, SECOND_REFUSED, "command queue is stored without STREX" },
    { "another client's queue", STEP_WORK, foreign_client, SECOND_REFUSED, "at 0x40, which is another client's" },
    { "another word 0", STEP_WORK, other_word, SECOND_REFUSED, "word 0: 0x00000002" },
    { "a fill of linear memory", STEP_WORK, fill_of_linear, SECOND_REFUSED, "is no part of VRAM" },
    { "DMA beyond VRAM", STEP_WORK, dma_outside, SECOND_REFUSED, "GX DMA: word 1" },
    { "a draw from nowhere (CON-13)", STEP_WORK, list_outside, SECOND_REFUSED, "the GPU reaches memory outside" },
    { "a register of the LCD (CON-54)", STEP_WORK, lcd_register, SECOND_REFUSED, "register at offset 0x400468" },
    { "reading 0x06C (CON-31)", STEP_WORK, register_that_hangs, SECOND_REFUSED, "0x06C, which hangs" },
    { "one frame buffer of two", STEP_WORK, one_description, SECOND_REFUSED, "description 1 of screen 0 is empty" },
    { "long lines of a screen", STEP_WORK, long_lines, SECOND_REFUSED, "word 3, stride: 512, wanted 480" },
    { "a command of gsp that none sends", STEP_WORK, unknown_command, SECOND_REFUSED, "header 0x00200000" },
    { "an ASCII path", STEP_FILE_END, ascii_path, SECOND_REFUSED, "OpenFile: word 4: 0x00000003, wanted 0x00000004" },
    { "a path out of the card", STEP_FILE_END, way_up, SECOND_REFUSED, "the path is /.." },
    { "a gap in a file", STEP_FILE_END, behind_the_end, SECOND_REFUSED, "behind the end at 0x4" },
    { "a descriptor of another size", STEP_FILE_END, wrong_size, SECOND_REFUSED, "word 5, mapped buffer" },
    { "a file left open", STEP_FILE_END, leave, SECOND_REFUSED, "ExitProcess: the file a file is still open" },
    { "screens lit at the end", STEP_GSP_END, lit_to_the_end, SECOND_REFUSED, "no SetLcdForceBlack 1" },
    { "the right kept", STEP_GSP_END, kept_right, SECOND_REFUSED, "the interrupt queue was not given back" },
    { "no leave of APT", STEP_APT_END, leave, SECOND_REFUSED, "without CloseApplication" },
};

Test(second_machine, each_deviation_from_a_standard_program_ends_it_and_is_named)
{
    for (size_t i = 0; i < sizeof DEVIATIONS / sizeof *DEVIATIONS; i++) {
        char message[6000];
        program_begin(&program);
        for (int step = 0; step < (int)DEVIATIONS[i].instead_of; step++)
            STANDARD[step](&program);
        DEVIATIONS[i].deviation(&program);
        leave(&program);
        const enum second_end end = run(&program, &(struct second_options){ 0 }, message, NULL);
        cr_expect_eq(end, DEVIATIONS[i].end, "%s: %s", DEVIATIONS[i].name, message);
        cr_expect(strstr(message, DEVIATIONS[i].message) != NULL, "%s: %s", DEVIATIONS[i].name, message);
    }
}
