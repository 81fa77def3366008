/*
 * Holds the program to the list of docs/console-facts.md (CON-60): everything that it wrote outside of its own
 * memory, in runs that see first use, a hang, a recovery and a lost GPU, must stand there. The list is read from that
 * page.
 */
#include "tests/console/player.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 64
};

/* What the page allows. */
struct list {
    uint32_t first_use[MOST]; /* offsets from 0x1EF00000 */
    uint32_t first_use_count;
    uint32_t ids[2]; /* of registers that cases may write: first, last */
    uint32_t not_ids[MOST][2];
    uint32_t not_id_count;
    uint32_t vram[2]; /* first and last byte */
    char files[MOST][64];
    uint32_t file_count;
    uint32_t calls[MOST];
    uint32_t call_count;
    uint32_t messages[MOST]; /* headers */
    uint32_t message_count;
};

static struct player player;
static struct list list;
static char page[1 << 16];

/* ----------------------------------------------------------------------------------------------------- the page */

static char *find(char *from, const char *text)
{
    char *at = strstr(from, text);
    cr_assert_not_null(at, "docs/console-facts.md has no \"%s\"", text);
    return at + strlen(text);
}

/* The next hexadecimal number before `end`, but those that stand behind "= "; NULL: none. */
static char *next_number(char *from, const char *end, uint32_t *value)
{
    for (char *at = from; at < end; at++)
        if (at[0] == '0' && at[1] == 'x') {
            const bool is_value = at >= from + 2 && at[-2] == '=';
            char *behind;
            *value = (uint32_t)strtoul(at, &behind, 16);
            if (!is_value)
                return behind;
            at = behind - 1;
        }
    return NULL;
}

/* "0x232-0x23D" or one number, which is a range of itself. */
static char *next_range(char *from, const char *end, uint32_t range[2])
{
    char *at = next_number(from, end, &range[0]);
    range[1] = range[0];
    return at != NULL && at[0] == '-' && at[1] == '0' ? next_number(at, end, &range[1]) : at;
}

static void read_first_use(void)
{
    char *at = find(find(page, "**CON-52**"), "offsets from 0x1EF00000:");
    const char *end = strchr(at, '(');
    for (uint32_t value; (at = next_number(at, end, &value)) != NULL;)
        list.first_use[list.first_use_count++] = value;
}

static void read_registers(void)
{
    char *at = find(page, "| GPU registers 0x1EF01000 + 4 * id, id ");
    const char *end = strchr(at, '|');
    at = next_range(at, end, list.ids);
    while ((at = next_range(at, end, list.not_ids[list.not_id_count])) != NULL)
        list.not_id_count++;
}

/* `/3ds/picafuzz/NAME.journal` and the others, in the row of the card. A name alone lies beside the one before. */
static void read_files(void)
{
    char *at = find(page, "| SD: ");
    const char *end = strchr(at, '|');
    while ((at = strchr(at, '`')) != NULL && at < end) {
        char *close = strchr(at + 1, '`');
        const int length = (int)(close - at - 1);
        const char *directory = at[1] == '/' ? "" : "/3ds/picafuzz/";
        snprintf(list.files[list.file_count], 64, "%s%.*s", directory, length, at + 1);
        char *name = strstr(list.files[list.file_count++], "NAME");
        if (name != NULL)
            memcpy(name, "test", 4);
        at = close + 1;
    }
}

static void read_calls(void)
{
    char *at = find(find(page, "**CON-22**"), "Used: ");
    const char *end = strchr(at, '(');
    while ((at = next_number(at, end, &list.calls[list.call_count])) != NULL)
        list.call_count++;
}

/* Of the table of calls: every number of eight digits is a header. */
static void read_messages(void)
{
    char *at = find(page, "## Every call to a service");
    const char *end = strstr(at, "\n## ");
    for (uint32_t value; (at = next_number(at, end, &value)) != NULL;)
        if (at[-11] == '`' && at[-10] == '0')
            list.messages[list.message_count++] = value;
}

static void read_page(void)
{
    FILE *file = fopen(PICAFUZZ_SOURCE_DIR "/docs/console-facts.md", "rb");
    cr_assert_not_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    read_first_use();
    read_registers();
    read_files();
    read_calls();
    read_messages();
    char *at = find(page, "| VRAM ");
    next_range(at, strchr(at, '|'), list.vram);
}

/* ----------------------------------------------------------------------------------------------- what was written */

static bool may_write_register(uint32_t physical)
{
    const uint32_t offset = physical - 0x10400000, id = (offset - 0x1000) / 4;
    for (uint32_t i = 0; i < list.first_use_count; i++)
        if (list.first_use[i] == offset)
            return true;
    for (uint32_t i = 0; i < list.not_id_count; i++)
        if (id >= list.not_ids[i][0] && id <= list.not_ids[i][1])
            return false;
    return offset >= 0x1000 && id >= list.ids[0] && id <= list.ids[1];
}

static bool may_write_memory(uint32_t address, uint32_t size)
{
    const struct console_about *about = &player.results.about;
    return console_range_in(address, size, list.vram[0], list.vram[1] - list.vram[0] + 1) ||
           console_range_in(address, size, about->linear_physical, CARTRIDGE_LINEAR);
}

static bool may_open(const char *path)
{
    for (uint32_t i = 0; i < list.file_count; i++)
        if (strcmp(list.files[i], path) == 0)
            return true;
    return false;
}

static bool stands_in(const uint32_t *values, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        if (values[i] == value)
            return true;
    return false;
}

static bool is_allowed(const struct mock_effect *effect)
{
    switch (effect->kind) {
    case MOCK_WRITES_REGISTER: return may_write_register(effect->address);
    case MOCK_WRITES_MEMORY: return may_write_memory(effect->address, effect->size);
    case MOCK_OPENS_FILE:
    case MOCK_WRITES_FILE: return may_open(effect->text);
    case MOCK_CALLS_SYSTEM: return stands_in(list.calls, list.call_count, effect->address);
    case MOCK_CALLS_SERVICE: return stands_in(list.messages, list.message_count, effect->address);
    case MOCK_SHOWS_SCREEN: return effect->address == player.results.about.linear_virtual + CARTRIDGE_LINEAR;
    case MOCK_RUNS_ENGINE: return true; /* what it writes stands for itself */
    case MOCK_MISTAKE: break;
    }
    return false;
}

static void expect_allowed(void)
{
    uint32_t counts[MOCK_MISTAKE + 1] = { 0 };
    for (size_t i = 0; i < player.run.effect_count; i++) {
        const struct mock_effect *effect = &player.run.effects[i];
        counts[effect->kind]++;
        cr_assert(is_allowed(effect), "effect %zu: kind %d, %08X, %X bytes, %s", i, (int)effect->kind, effect->address,
                  effect->size, effect->text);
    }
    for (int kind = 0; kind < MOCK_MISTAKE; kind++)
        cr_assert_gt(counts[kind], 0, "the run did nothing of kind %d: the test looks at nothing", kind);
}

static void insert(void)
{
    read_page();
    player_init(&player);
}

static void eject(void)
{
    player_free(&player);
}

TestSuite(written, .init = insert, .fini = eject);

Test(written, the_page_is_read)
{
    cr_assert_eq(list.first_use_count, 11);
    cr_assert_eq(list.ids[0], 0x040);
    cr_assert_eq(list.ids[1], 0x2FF);
    cr_assert_eq(list.not_id_count, 3);
    cr_assert_eq(list.vram[1], 0x185FFFFF);
    cr_assert_eq(list.file_count, 4);
    cr_assert_eq(list.call_count, 16);
    cr_assert_eq(list.message_count, 38);
}

Test(written, the_list_has_no_room_for_screens_interrupts_and_other_memory)
{
    cr_assert_not(may_write_register(0x10400400));
    cr_assert_not(may_write_register(0x10401000 + 4 * 0x022));
    cr_assert_not(may_write_register(0x10401000 + 4 * 0x23C));
    cr_assert_not(may_write_register(0x10202204));
    cr_assert_not(may_write_memory(0x18600000, 4));
    cr_assert_not(may_write_memory(0x185FFFFE, 4));
    cr_assert_not(may_open("/boot.firm"));
}

Test(written, a_whole_run_with_first_use_and_a_hang_writes_what_is_on_the_list)
{
    player.setup.faults.first_user = true;
    player.setup.faults.hang_word = cartridge_marker(2);
    player_usual(&player);
    player_play(&player);
    cr_assert(player.results.is_over);
    expect_allowed();
}

Test(written, a_run_in_which_the_gpu_is_lost_and_the_card_fills_up_does_so_too)
{
    player.setup.faults.first_user = true;
    player.setup.faults.withdraw_right = 9;
    player.setup.faults.card_bytes = 16000;
    player.cartridge.results_most = 0;
    player_usual(&player);
    player_play(&player);
    cr_assert(!player.results.is_over);
    expect_allowed();
}

/* -------------------------------------------------------------------------------------------- whatever it is given */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Changes some words of the commands: flips a bit, or takes another word of the payload. */
static void break_commands(uint32_t seed)
{
    struct cartridge *cartridge = &player.cartridge;
    const uint32_t first = sizeof(struct console_payload) / 4, words = cartridge->count - first;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t *word = &cartridge->words[first + next_random(&seed) % words];
        if (next_random(&seed) % 2 == 0)
            *word ^= 1u << next_random(&seed) % 32;
        else
            *word = cartridge->words[first + next_random(&seed) % words];
    }
}

/* The export proves its cases; the program does not trust that. Mistakes of other kinds than writing do not count
 * here. */
Test(written, broken_payloads_write_nothing_else_either)
{
    uint32_t refused = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        cartridge_init(&player.cartridge);
        cartridge_case(&player.cartridge, 0, CARTRIDGE_REGISTERS);
        cartridge_case(&player.cartridge, 0, CARTRIDGE_WRITES_LCD);
        break_commands(seed);
        player_load(&player, seed);
        mock_release(&player.run);
        player.setup.faults.power_off_after_ms = 60000;
        cr_assert_eq(mock_run(&player.setup, &player.run), PICA_OK);
        card_results(&player.card, &player.results);
        cr_assert(player.run.ending == MOCK_EXITED || player.run.ending == MOCK_POWER_LOST, "seed %u: %s", seed,
                  player.run.reason);
        for (size_t i = 0; i < player.run.effect_count; i++)
            cr_assert(player.run.effects[i].kind == MOCK_MISTAKE || is_allowed(&player.run.effects[i]),
                      "seed %u: kind %d, %08X", seed, (int)player.run.effects[i].kind, player.run.effects[i].address);
        for (uint32_t i = 0; i < player.results.runs; i++)
            refused += player.results.run[i].status == CONSOLE_RUN_REFUSED;
    }
    cr_assert_gt(refused, 120, "half of the cases write to the screens' registers: refused each time, and more");
}
