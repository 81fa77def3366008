/*
 * The pack `splits` from export to the table by rule: with `reference` as the console's GPU everything that was run is
 * confirmed; with a choice turned, that rule alone is contradicted, and the side is named; a GPU that does what nobody
 * knows of is contradicted with the words that it left. The pack `registers` likewise: all bits kept are confirmed, the
 * documented ones or any others are said.
 */
#include "harness/case/formats.h"
#include "harness/console/packs/captures.h"
#include "harness/console/packs/decide.h"
#include "harness/console/packs/numbers.h"
#include "harness/console/packs/packs.h"
#include "harness/console/packs/registers.h"
#include "harness/console/packs/splits.h"
#include "harness/console/program.h"
#include "harness/run/backends.h"
#include "pica/regs.h"
#include "tests/console/mock.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct harness_error error;

struct trip {
    char card[300], res[310];
    struct console_export *export;
    struct harness_text file;
    struct console_splits_table table;
    struct console_registers_table *registers; /* judged instead; NULL: not */
    struct console_numbers_table *numbers;     /* noted instead; NULL: splits */
    size_t taken, asked, named;                /* named: refused cases with a reason */
};

static void hear(void *user, const char *name, const struct console_answer *answer)
{
    struct trip *const trip = user;
    cr_expect_neq(answer->taken, answer->reasons.size != 0, "%s", name);
    trip->named += answer->reasons.size != 0;
}

static void note(void *user, const struct console_imported *imported)
{
    struct trip *const trip = user;
    cr_expect(trip->numbers != NULL ? console_numbers_note(trip->numbers, imported)
                                    : console_splits_note(&trip->table, imported),
              "%s", imported->name);
}

static void ask(struct trip *trip, console_pack_adder add)
{
    struct console_asking asking = { .export = trip->export, .observer = hear, .user = trip };
    cr_assert_eq(add(&asking, &error), HARNESS_OK, "%s", error.message);
    trip->taken = asking.taken;
    trip->asked = asking.asked;
}

/* Cases whose names begin with `only`; NULL: all. */
static void begin_pack(struct trip *trip, const char *name, console_pack_adder add, const char *only)
{
    size_t size = 0;
    const uint8_t *const program = console_program(&size);
    memset(trip, 0, sizeof *trip);
    (void)snprintf(trip->card, sizeof trip->card, "%s/pack-%s-%d", PICAFUZZ_BINARY_DIR, name, (int)getpid());
    (void)snprintf(trip->res, sizeof trip->res, "%s.res", trip->card);
    (void)mkdir(trip->card, 0777);
    cr_assert_eq(console_export_create("splits", false, &trip->export, &error), HARNESS_OK, "%s", error.message);
    console_export_only(trip->export, only);
    ask(trip, add);
    cr_assert_eq(console_export_make(trip->export, program, size, &trip->file, &error), HARNESS_OK);
}

static void begin(struct trip *trip, const char *name)
{
    begin_pack(trip, name, console_splits_add, NULL);
}

/* What lies on the card becomes recorded results. */
static void import(struct trip *trip)
{
    char path[400];
    const uint8_t *payload = NULL, *const file = (const uint8_t *)trip->file.data;
    uint8_t *bytes = NULL;
    size_t size = 0, payload_size = 0;
    struct console_view view;
    struct console_results results;
    (void)snprintf(path, sizeof path, "%s/3ds/picafuzz/splits.results", trip->card);
    cr_assert_eq(harness_file_read(path, &bytes, &size, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(console_program_payload("file", file, trip->file.size, &payload, &payload_size, &error), HARNESS_OK);
    cr_assert_eq(console_view_open("file", payload, payload_size, &view, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(console_results_parse(path, bytes, size, &view, &results, &error), HARNESS_OK, "%s", error.message);
    const struct console_import how = { .view = &view,
                                        .results = &results,
                                        .count = 1,
                                        .path = trip->res,
                                        .program = "a test",
                                        .date = "2026-11-23T00:00:00Z",
                                        .observer = note,
                                        .user = trip };
    if (trip->registers != NULL)
        cr_assert_eq(console_registers_judge(&view, &results, 1, trip->registers, &error), HARNESS_OK);
    else
        cr_assert_eq(console_import_write(&how, &error), HARNESS_OK, "%s", error.message);
    console_results_free(&results);
    free(bytes);
}

static void run_console(struct trip *trip, const struct pica_backend *gpu)
{
    struct mock_result run;
    const struct mock_setup setup = { .gpu = gpu,
                                      .profile = trip->numbers != NULL ? PICA_PROFILE_F24 : PICA_PROFILE_F32,
                                      .program = (const uint8_t *)trip->file.data,
                                      .program_size = trip->file.size,
                                      .card = trip->card };
    cr_assert_eq(mock_run(&setup, &run), PICA_OK);
    cr_assert_eq(run.ending, MOCK_EXITED, "%s", run.reason);
    cr_expect_eq(run.mistakes, 0, "%s", mock_first_mistake(&run));
    mock_release(&run);
    import(trip);
}

static void travel(struct trip *trip, const struct pica_backend *gpu)
{
    run_console(trip, gpu);
    cr_assert_eq(console_splits_judge(&trip->table, trip->res, &error), HARNESS_OK, "%s", error.message);
}

static void end(struct trip *trip)
{
    static const char *const names[] = { "/3ds/picafuzz/splits.results", "/3ds/picafuzz/splits.journal",
                                         "/3ds/picafuzz", "/3ds", "" };
    char path[400];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(path, sizeof path, "%s%s", trip->card, names[i]);
        (void)remove(path);
    }
    (void)remove(trip->res);
    console_export_destroy(trip->export);
    harness_text_free(&trip->file);
}

static size_t count(const struct trip *trip, enum console_verdict verdict)
{
    size_t found = 0;
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        found += trip->table.rows[i].verdict == verdict;
    for (uint32_t i = 0; i < console_asked_count(); i++)
        found += trip->table.asked[i].verdict == verdict;
    return found;
}

/* Cases of the pack, exported or not. */
static size_t all_rows(void)
{
    return (size_t)PICA_CHOICES + console_asked_count();
}

static const struct console_split_row *row_of(const struct trip *trip, const char *name)
{
    return &trip->table.rows[pica_choice_by_name(name)->choice];
}

/* The same results, but for what is said of three of its cases. */
static void expect_other_outcomes(struct trip *trip)
{
    const struct console_imported unstable = { .name = "zero-area", .outcome = CONSOLE_OUTCOME_UNSTABLE };
    const struct console_imported hang = { .name = "fill-rule", .outcome = CONSOLE_OUTCOME_HANG };
    const struct console_imported lost = { .name = "litp", .outcome = CONSOLE_OUTCOME_NOT_HELD };
    note(trip, &unstable);
    note(trip, &hang);
    note(trip, &lost);
    cr_assert_eq(console_splits_judge(&trip->table, trip->res, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(row_of(trip, "zero-area")->verdict, CONSOLE_UNSTABLE);
    cr_expect_eq(row_of(trip, "fill-rule")->verdict, CONSOLE_HUNG);
    cr_expect_eq(row_of(trip, "litp")->verdict, CONSOLE_NOT_COVERED);
}

Test(packs, splits_on_reference_are_confirmed_but_for_two_results_and_hangs, .timeout = 120)
{
    struct trip trip;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    begin(&trip, "same");
    cr_expect_eq(trip.asked, all_rows());
    cr_expect_eq(trip.taken + trip.named, trip.asked, "each refused case has a reason");
    cr_expect_geq(trip.taken, 40, "%zu may be exported", trip.taken);
    travel(&trip, reference);
    cr_expect_eq(count(&trip, CONSOLE_CONFIRMED), trip.taken);
    cr_expect_eq(count(&trip, CONSOLE_NOT_COVERED), all_rows() - trip.taken);
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        cr_expect(trip.table.rows[i].remark[0] != '\0', "%s: nothing is said", pica_choice_info(i)->name);
    for (uint32_t i = 0; i < console_asked_count(); i++)
        cr_expect(trip.table.asked[i].remark[0] != '\0', "%s: nothing is said", console_asked_texts[i].name);
    expect_other_outcomes(&trip);
    end(&trip);
}

static const struct pica_backend *turned_gpu;

static enum pica_status create_turned(const struct pica_options *options, void **out)
{
    return harness_backend_create(turned_gpu, options, out);
}

Test(packs, a_turned_choice_is_contradicted_and_its_side_named, .timeout = 120)
{
    struct trip trip;
    struct harness_backend turned;
    cr_assert_eq(harness_backend_open("reference+zero-area=drawn", &turned, &error), HARNESS_OK, "%s", error.message);
    turned_gpu = turned.backend;
    struct pica_backend gpu = *turned.backend;
    gpu.create = create_turned;
    begin(&trip, "turned");
    travel(&trip, &gpu);
    cr_expect_eq(row_of(&trip, "zero-area")->verdict, CONSOLE_CONTRADICTED);
    cr_expect_not_null(strstr(row_of(&trip, "zero-area")->remark, "drawn"), "%s", row_of(&trip, "zero-area")->remark);
    cr_expect_eq(count(&trip, CONSOLE_CONTRADICTED), 1);
    cr_expect_eq(count(&trip, CONSOLE_CONFIRMED), trip.taken - 1);
    harness_backend_close(&turned);
    end(&trip);
}

/* `reference`, but a transfer that flips writes 0x80 bytes further on. */
static enum pica_status run_wrongly(void *instance, const struct pica_operation *operation)
{
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_operation wrong = *operation;
    if (operation->kind == PICA_OPERATION_DISPLAY_TRANSFER && (operation->words[4] & 1u) != 0)
        wrong.words[1] += 0x80 / 8;
    return reference->run(instance, &wrong);
}

Test(packs, what_no_side_does_is_contradicted_with_the_words_that_were_left, .timeout = 120)
{
    struct trip trip;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_backend wrong = *reference;
    wrong.run = run_wrongly;
    begin(&trip, "wrong");
    travel(&trip, &wrong);
    const struct console_split_row *const row = row_of(&trip, "flip-offset");
    cr_expect_eq(row->verdict, CONSOLE_CONTRADICTED);
    cr_expect_str_eq(row->remark, "no known side; it left 0x18001000 = 0x00000000, 0x18001100 = 0x00000000");
    cr_expect_eq(count(&trip, CONSOLE_CONFIRMED), trip.taken - 1);
    end(&trip);
}

static bool has_case(uint32_t number)
{
    for (uint32_t i = 0; i < console_asked_count(); i++)
        if (console_asked_number(i) == number)
            return true;
    return false;
}

Test(packs, each_open_question_has_choices_or_cases_or_says_why_not)
{
    const struct console_question *question = NULL;
    uint32_t questions = 0;
    for (; (question = console_question(questions)) != NULL; questions++) {
        char names[200];
        char *rest = NULL;
        cr_expect_eq(question->number, questions + 1);
        cr_expect(question->choices[0] != '\0' || question->open[0] != '\0' || has_case(question->number),
                  "%u: nothing is said", (unsigned)question->number);
        (void)snprintf(names, sizeof names, "%s", question->choices);
        for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest))
            cr_expect_not_null(pica_choice_by_name(name), "%u: %s", (unsigned)question->number, name);
    }
    cr_expect_eq(questions, 50);
    for (uint32_t i = 0; i < console_asked_count(); i++)
        cr_expect_leq(console_asked_number(i), 50, "%s", console_asked_texts[i].name);
}

/* ---------------------------------------------------------------------------------------------------------- decide */

Test(packs, decide_asks_what_decides_most_rules_first)
{
    static const char *const named[] = {
#define FIRST(KIND, name, rules) name,
#define ALSO(KIND, name, rules)  name,
#include "harness/console/packs/decide.def"
    };
    static struct console_decide list[CONSOLE_DECIDE_ROOM];
    const uint32_t count = console_decide_list(list);
    for (size_t n = 0; n < sizeof named / sizeof named[0]; n++) {
        uint32_t found = 0;
        for (uint32_t i = 0; i < count; i++)
            found += strcmp(list[i].name, named[n]) == 0;
        cr_expect_eq(found, 1, "%s: %u times", named[n], (unsigned)found);
    }
    for (uint32_t i = 1; i < count; i++) {
        cr_expect(list[i - 1].is_first || !list[i].is_first, "%s", list[i].name);
        cr_expect(list[i - 1].is_first != list[i].is_first || list[i - 1].count >= list[i].count, "%s", list[i].name);
    }
}

static uint32_t largest_target;

static void see_target(void *user, const struct pica_draw *draw)
{
    const uint32_t dim = draw->registers[PICA_REG_FRAMEBUFFER_DIM];
    const uint32_t pixels = pica_framebuffer_dim_width(dim) * (pica_framebuffer_dim_height_minus_1(dim) + 1);
    (void)user;
    largest_target = pixels > largest_target ? pixels : largest_target;
}

/* The GPU as it is, but each draw is looked at. */
static enum pica_status create_watched(const struct pica_options *options, void **out)
{
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    const enum pica_status status = reference->create(options, out);
    return status == PICA_OK ? reference->observe_draws(*out, see_target, NULL) : status;
}

/* What evidence suggests and does not settle: no gate may keep a console from answering it. */
static void expect_first_are_answered(struct trip *trip)
{
    static struct console_decide list[CONSOLE_DECIDE_ROOM];
    const uint32_t count = console_decide_list(list);
    for (uint32_t i = 0; i < count && list[i].is_first; i++)
        cr_expect_eq(console_decide_row(&trip->table, &list[i])->verdict, CONSOLE_CONFIRMED, "%s", list[i].name);
}

Test(packs, decide_on_reference_is_confirmed_and_small, .timeout = 120)
{
    struct trip trip;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_backend gpu = *reference;
    gpu.create = create_watched;
    largest_target = 0;
    begin_pack(&trip, "decide", console_decide_add, NULL);
    cr_expect_eq(trip.taken + trip.named, trip.asked, "each refused case has a reason");
    cr_expect(trip.taken >= 100 && trip.taken <= CONSOLE_DECIDE_MOST, "%zu may be exported", trip.taken);
    travel(&trip, &gpu);
    size_t confirmed = count(&trip, CONSOLE_CONFIRMED);
    for (uint32_t i = 0; console_seed_texts[i].name != NULL; i++) {
        cr_expect_eq(trip.table.seeds[i].verdict, CONSOLE_CONFIRMED, "%s: %s", console_seed_texts[i].name,
                     trip.table.seeds[i].remark);
        confirmed++;
    }
    cr_expect_eq(confirmed, trip.taken);
    expect_first_are_answered(&trip);
    cr_expect(largest_target != 0 && largest_target <= CONSOLE_DECIDE_PIXELS, "%u", (unsigned)largest_target);
    end(&trip);
}

/* A seed is compared with what `reference` leaves that takes the sides that were found: only what no side explains
 * differs. Here a factor of blending does. */
Test(packs, decide_compares_seeds_under_the_sides_that_were_found, .timeout = 120)
{
    struct trip trip;
    struct harness_backend turned;
    cr_assert_eq(harness_backend_open("reference+add-signed=127", &turned, &error), HARNESS_OK, "%s", error.message);
    turned_gpu = turned.backend;
    struct pica_backend gpu = *turned.backend;
    gpu.create = create_turned;
    begin_pack(&trip, "decide-turned", console_decide_add, NULL);
    travel(&trip, &gpu);
    cr_expect_eq(row_of(&trip, "add-signed")->verdict, CONSOLE_CONTRADICTED);
    cr_expect_eq(row_of(&trip, "add-signed")->side, 1);
    const struct console_split_row *const modes = &trip.table.seeds[console_seed_by_name("combiner/modes")];
    cr_expect_eq(modes->verdict, CONSOLE_CONFIRMED, "%s", modes->remark);
    cr_expect_eq(count(&trip, CONSOLE_CONTRADICTED), 1);
    harness_backend_close(&turned);
    end(&trip);
}

/* ------------------------------------------------------------------------------------------------------- registers */

static void travel_registers(const char *name, const struct pica_backend *gpu, struct console_registers_table *out)
{
    struct trip trip;
    begin_pack(&trip, name, console_registers_add, NULL);
    cr_expect_eq(trip.taken, 44);
    cr_expect_eq(trip.asked, 44);
    trip.registers = out;
    run_console(&trip, gpu);
    cr_expect_eq(out->cases, 44);
    end(&trip);
}

static size_t count_registers(const struct console_registers_table *table, enum console_verdict verdict)
{
    size_t found = 0;
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        found += table->rows[id].verdict == verdict;
    return found;
}

static size_t registers_asked(void)
{
    size_t found = 0;
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        found += console_register_left_out(id) == NULL;
    return found;
}

Test(packs, registers_of_reference_keep_all_bits, .timeout = 60)
{
    struct console_registers_table table;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    travel_registers("registers", reference, &table);
    cr_expect_geq(registers_asked(), 400);
    cr_expect_eq(count_registers(&table, CONSOLE_CONFIRMED), registers_asked());
    cr_expect_eq(count_registers(&table, CONSOLE_NOT_COVERED), PICA_REG_TOTAL - registers_asked());
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        cr_expect(table.rows[id].remark[0] != '\0', "%03X: nothing is said", (unsigned)id);
    console_registers_free(&table);
}

/* Two registers of a console: one keeps the bits of its fields, one reads bit 31 as 1. */
static enum pica_status read_fewer_bits(void *instance, struct pica_state *out)
{
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    const enum pica_status status = reference->read_state(instance, out);
    out->registers[PICA_REG_SCISSORTEST_POS] &= 0x03FF03FF;
    out->registers[PICA_REG_BLEND_COLOR] |= 0x80000000;
    return status;
}

Test(packs, registers_that_keep_fewer_bits_are_contradicted_with_the_bits_they_keep, .timeout = 60)
{
    struct console_registers_table table;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_backend fewer = *reference;
    fewer.read_state = read_fewer_bits;
    travel_registers("fewer", &fewer, &table);
    const struct console_register_row *const documented = &table.rows[PICA_REG_SCISSORTEST_POS];
    const struct console_register_row *const other = &table.rows[PICA_REG_BLEND_COLOR];
    cr_expect_eq(count_registers(&table, CONSOLE_CONTRADICTED), 2);
    cr_expect_eq(documented->kept, 0x03FF03FF);
    cr_expect_str_eq(documented->remark, "the documented bits are stored, the others are 0");
    cr_expect_eq(other->kept, 0x7FFFFFFF);
    cr_expect_eq(other->ones, 0x80000000);
    cr_expect_str_eq(other->remark, "neither all bits nor the documented ones");
    console_registers_free(&table);
}

/* --------------------------------------------------------------------------------------------------------- numbers */

static void travel_numbers(const char *name, const char *only, const struct pica_backend *gpu,
                           struct console_numbers_table *out)
{
    struct trip trip;
    memset(out, 0, sizeof *out);
    begin_pack(&trip, name, console_numbers_add, only);
    cr_assert_neq(trip.taken, 0);
    cr_expect_eq(trip.taken, trip.asked);
    trip.numbers = out;
    run_console(&trip, gpu);
    cr_assert_eq(console_numbers_judge(out, trip.res, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    end(&trip);
}

static const struct console_numbers_row *number_row(const struct console_numbers_table *table, const char *name)
{
    for (size_t i = 0; i < CONSOLE_NUMBERS; i++)
        if (strcmp(table->rows[i].name, name) == 0)
            return &table->rows[i];
    cr_assert_fail("no operation %s", name);
    return NULL;
}

static size_t count_numbers(const struct console_numbers_table *table, enum console_verdict verdict)
{
    size_t found = 0;
    for (size_t i = 0; i < CONSOLE_NUMBERS; i++)
        found += table->rows[i].verdict == verdict;
    return found;
}

/* All operations whose name begins so are confirmed, and there are `count` of them. */
static void expect_confirmed(const char *only, size_t count)
{
    struct console_numbers_table table;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    travel_numbers(only, only, reference, &table);
    cr_expect_eq(count_numbers(&table, CONSOLE_CONFIRMED), count, "%s", only);
    cr_expect_eq(count_numbers(&table, CONSOLE_NOT_COVERED), CONSOLE_NUMBERS - count, "%s", only);
    for (size_t i = 0; i < CONSOLE_NUMBERS; i++)
        cr_expect_eq(table.rows[i].inputs != 0, table.rows[i].verdict == CONSOLE_CONFIRMED);
}

Test(packs, numbers_of_reference_are_confirmed, .timeout = 60)
{
    expect_confirmed("blend-mi", 2);
    expect_confirmed("combine-add-s", 1);
    expect_confirmed("combine-dot3-alpha-01", 1);
    expect_confirmed("fetch", 1);
    expect_confirmed("ex2-32", 1);
    expect_confirmed("mad-64", 1);
}

/* Which float24 numbers the picture of MOV shows, each once: those of its first case of the numbers from 1 on. */
static uint32_t seen_numbers[16384];
static bool is_copied_right;

static enum pica_status look_at_copies(void *instance, const struct pica_operation *operation)
{
    static uint32_t words[16384];
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    const enum pica_status status = reference->run(instance, operation);
    memset(seen_numbers, 0, sizeof seen_numbers);
    if (operation->kind != PICA_OPERATION_SUBMIT_LIST ||
        reference->read_memory(instance, 0x18000000, (uint8_t *)words, sizeof words) != PICA_OK)
        return status;
    bool all = true;
    for (size_t i = 0; i < 16384; i++)
        if (words[i] >= 0x3F0000FF && words[i] <= 0x3F3FFFFF && (words[i] & 0xFF) == 0xFF)
            seen_numbers[words[i] >> 8 & 0x3FFF]++;
    for (size_t i = 0; i < 16384; i++)
        all = all && seen_numbers[i] == 1;
    is_copied_right = is_copied_right || all;
    return status;
}

Test(packs, all_bits_of_numbers_are_read_back, .timeout = 60)
{
    struct console_numbers_table table;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_backend watched = *reference;
    watched.run = look_at_copies;
    is_copied_right = false;
    travel_numbers("copies", "mov-12", &watched, &table);
    cr_expect(is_copied_right, "0x3F0000 to 0x3F3FFF, each once");
    cr_expect(console_numbers_can_read(&table));
    cr_expect_eq(number_row(&table, "mov")->inputs, 16384);
}

Test(packs, zeros_infinities_and_subnormals_are_asked_for, .timeout = 60)
{
    struct console_numbers_table table;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    travel_numbers("extremes", "rsq-32", reference, &table);
    cr_expect_geq(number_row(&table, "rsq")->inputs, 40);
    travel_numbers("extremes", "add-64", reference, &table);
    cr_expect_geq(number_row(&table, "add")->inputs, 40 * 40);
}

Test(packs, operations_whose_cases_did_not_come_back_say_so, .timeout = 60)
{
    struct trip trip;
    struct console_numbers_table table;
    const struct console_imported told[] = {
        { .name = "rcp-00", .outcome = CONSOLE_OUTCOME_HANG },
        { .name = "rsq-07", .outcome = CONSOLE_OUTCOME_UNSTABLE },
        { .name = "rsq-08", .outcome = CONSOLE_OUTCOME_HANG },
        { .name = "mad-64", .outcome = CONSOLE_OUTCOME_NOT_HELD },
    };
    const struct console_imported others[] = { { .name = "rcp" }, { .name = "rcp-33" }, { .name = "zero-area" } };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    memset(&table, 0, sizeof table);
    begin_pack(&trip, "lost", console_numbers_add, "blend-add");
    trip.numbers = &table;
    run_console(&trip, reference);
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
        cr_expect(console_numbers_note(&table, &told[i]), "%s", told[i].name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        cr_expect_not(console_numbers_note(&table, &others[i]), "%s is none of this pack", others[i].name);
    cr_assert_eq(console_numbers_judge(&table, trip.res, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(number_row(&table, "blend-add")->verdict, CONSOLE_CONFIRMED);
    cr_expect_eq(number_row(&table, "rcp")->verdict, CONSOLE_HUNG);
    cr_expect_eq(number_row(&table, "rsq")->verdict, CONSOLE_UNSTABLE);
    cr_expect_eq(number_row(&table, "mad")->verdict, CONSOLE_NOT_COVERED);
    cr_expect_eq(number_row(&table, "mad")->outcomes[CONSOLE_OUTCOME_NOT_HELD], 1);
    end(&trip);
}

/* Changes a result of four bytes or fewer if it is `right`. */
static void spoil(void *instance, uint32_t address, const void *right, const void *wrong, uint32_t size)
{
    uint8_t bytes[4];
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    const struct pica_operation load = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = address, .data = wrong, .size = size
    };
    if (reference->read_memory(instance, address, bytes, size) == PICA_OK && memcmp(bytes, right, size) == 0)
        cr_assert_eq(reference->run(instance, &load), PICA_OK);
}

/* `reference`, but a word of blend/equations is spoilt: (190, 80, 20, 0), source minus destination. */
static enum pica_status spoil_a_word(void *instance, const struct pica_operation *operation)
{
    static const uint8_t right[4] = { 0x00, 0x14, 0x50, 0xBE }, wrong[4] = { 0x00, 0x14, 0x50, 0xBF };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    const enum pica_status status = reference->run(instance, operation);
    if (operation->kind == PICA_OPERATION_SUBMIT_LIST)
        spoil(instance, 0x18000014, right, wrong, 4);
    return status;
}

Test(packs, decide_says_which_word_of_a_seed_differs, .timeout = 60)
{
    struct trip trip;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_backend gpu = *reference;
    gpu.run = spoil_a_word;
    begin_pack(&trip, "decide-seed", console_decide_add, "blend/equations");
    cr_expect_eq(trip.taken, 1);
    travel(&trip, &gpu);
    const struct console_split_row *const row = &trip.table.seeds[console_seed_by_name("blend/equations")];
    cr_expect_eq(row->verdict, CONSOLE_CONTRADICTED);
    cr_expect_str_eq(row->left, "0x18000014 = 0xBF501400");
    cr_expect_not_null(strstr(row->remark, "1 of "), "%s", row->remark);
    end(&trip);
}

/* `reference`, but 17 * 34 / 255 is 3, not 2. */
static enum pica_status multiply_wrongly(void *instance, const struct pica_operation *operation)
{
    static const uint8_t right = 2, wrong = 3;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    const enum pica_status status = reference->run(instance, operation);
    if (operation->kind == PICA_OPERATION_SUBMIT_LIST)
        spoil(instance, 0x18000000 + 256 * 17 + 34, &right, &wrong, 1);
    return status;
}

Test(packs, a_wrong_product_is_shown_with_what_was_computed, .timeout = 60)
{
    struct console_numbers_table table;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_backend wrong = *reference;
    wrong.run = multiply_wrongly;
    travel_numbers("product", "blend-mu", &wrong, &table);
    const struct console_numbers_row *const row = number_row(&table, "blend-multiply");
    cr_expect_eq(row->verdict, CONSOLE_CONTRADICTED);
    cr_assert_eq(row->wrong, 1);
    cr_expect_eq(row->shown[0].operands[0], 17);
    cr_expect_eq(row->shown[0].operands[1], 34);
    cr_expect_eq(row->shown[0].expected, 2);
    cr_expect_eq(row->shown[0].computed, 3);
}

/* `reference`, but 1 / 3 is cut off a bit early, and nothing is drawn for 1 / -3: draws 12 and 13 of the last case of
 * rcp, squares 4 and 5 of the second row from below. Of each the lowest pixel on the left: that is pixel 42 of a tile,
 * and tiles 13 * 16 + 8 and + 10 of the picture. */
static enum pica_status divide_wrongly(void *instance, const struct pica_operation *operation)
{
    static const uint32_t third = 0x18000000 + 4 * (216 * 64 + 42), minus_third = 0x18000000 + 4 * (218 * 64 + 42);
    static const uint8_t right[4] = { 0xFF, 0x55, 0x55, 0x3D }, wrong[4] = { 0xFF, 0x53, 0x55, 0x3D };
    static const uint8_t drawn[4] = { 0xFF, 0x55, 0x55, 0xBD }, nothing[4] = { 0 };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    const enum pica_status status = reference->run(instance, operation);
    if (operation->kind == PICA_OPERATION_SUBMIT_LIST) {
        spoil(instance, third, right, wrong, 4);
        spoil(instance, minus_third, drawn, nothing, 4);
    }
    return status;
}

Test(packs, a_wrong_reciprocal_is_shown_bit_by_bit, .timeout = 60)
{
    struct console_numbers_table table;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_backend wrong = *reference;
    wrong.run = divide_wrongly;
    travel_numbers("reciprocal", "rcp-32", &wrong, &table);
    const struct console_numbers_row *const row = number_row(&table, "rcp");
    cr_expect_eq(row->verdict, CONSOLE_CONTRADICTED);
    cr_expect_eq(row->compared, 1);
    cr_assert_eq(row->wrong, 2);
    cr_expect_eq(row->shown[0].operands[0], 0x408000);
    cr_expect_eq(row->shown[0].expected, 0x3D5555);
    cr_expect_eq(row->shown[0].computed, 0x3D5553);
    cr_expect_eq(row->shown[1].operands[0], 0xC08000);
    cr_expect_eq(row->shown[1].expected, 0xBD5555);
    cr_expect_eq(row->shown[1].computed, CONSOLE_NUMBER_NOTHING);
    cr_expect_eq(row->below, 1);
    cr_expect_eq(row->above, 0);
    cr_expect_eq(row->furthest, 2);
    cr_expect_str_eq(row->fits, "");
}

/* `reference`, but 1 * -62 is a bit more: draw 2 of the last case of mul, its pixel 17 is the second of the second row
 * from below. That is pixel 41 of tile 15 * 16 + 4. */
static enum pica_status multiply_floats_wrongly(void *instance, const struct pica_operation *operation)
{
    static const uint8_t right[4] = { 0xFF, 0x00, 0xF0, 0xC4 }, wrong[4] = { 0xFF, 0x01, 0xF0, 0xC4 };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    const enum pica_status status = reference->run(instance, operation);
    if (operation->kind == PICA_OPERATION_SUBMIT_LIST)
        spoil(instance, 0x18000000 + 4 * (244 * 64 + 41), right, wrong, 4);
    return status;
}

Test(packs, a_wrong_product_of_floats_is_shown_with_both_operands, .timeout = 60)
{
    struct console_numbers_table table;
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_backend wrong = *reference;
    wrong.run = multiply_floats_wrongly;
    travel_numbers("product-of-floats", "mul-64", &wrong, &table);
    const struct console_numbers_row *const row = number_row(&table, "mul");
    cr_assert_eq(row->wrong, 1);
    cr_expect_eq(row->shown[0].operands[0], 0x3F0000);
    cr_expect_eq(row->shown[0].operands[1], 0xC4F000);
    cr_expect_eq(row->shown[0].expected, 0xC4F000);
    cr_expect_eq(row->shown[0].computed, 0xC4F001);
    cr_expect_eq(row->above, 1);
}

/* Their memory is all over FCRAM, attributes at an offset from its begin, faces of a cube in halves of addresses. */
Test(captures, all_are_moved_to_where_an_emulator_runs_them, .timeout = 120)
{
    struct trip trip = { .taken = 0 };
    cr_assert_eq(console_export_create("captures", true, &trip.export, &error), HARNESS_OK, "%s", error.message);
    console_export_together(trip.export);
    ask(&trip, console_captures_add);
    cr_expect_eq(trip.asked, 28);
    cr_expect_eq(trip.taken, 28);
    console_export_destroy(trip.export);
}
