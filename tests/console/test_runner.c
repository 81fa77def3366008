/* The program for the console, in our own console: what it does when nothing goes wrong. */
#include "tests/console/player.h"

#include "harness/console/program.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct player player;

static void insert(void)
{
    player_init(&player);
}

static void eject(void)
{
    player_free(&player);
}

TestSuite(runner, .init = insert, .fini = eject);

#define ALL_OK "1:ok/0 2:ok/0 3:ok/0 3:ok/1 2:ok/1 1:ok/1"

Test(runner, runs_every_case_twice_the_second_time_in_the_given_order)
{
    player_usual(&player);
    player_play(&player);
    cr_assert_eq(player.run.ending, MOCK_EXITED, "%s", player.run.reason);
    cr_assert_str_eq(player.summary, ALL_OK);
    cr_assert_eq(player.results.tests, 1);
    cr_assert(player.results.is_over);
    cr_assert_eq(player.results.whole_bytes, player.results.bytes, "every record is whole, and nothing stands behind");
}

Test(runner, writes_pages_in_the_first_pass_and_sums_in_both)
{
    player_usual(&player);
    player_play(&player);
    cr_assert_eq(player.results.pages, 4, "three cases, one self-test");
    cr_assert_eq(player.results.first_page_word, cartridge_filling(3));
    for (int i = 0; i < 3; i++) {
        cr_assert_neq(player.results.crc[i], 0);
        cr_assert_eq(player.results.crc[i], player.results.crc[5 - i], "both passes of case %d", i + 1);
    }
}

Test(runner, runs_wherever_it_is_loaded)
{
    static const uint32_t bases[] = { 0x00100000, 0x00200000, 0x01234000 };
    player_usual(&player);
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        player_load(&player, (uint32_t)i + 1); /* another export: results begin anew */
        player.setup.base = bases[i];
        player_play(&player);
        cr_assert_str_eq(player.summary, ALL_OK, "at %08X: %s", bases[i], player.run.reason);
    }
}

Test(runner, says_what_it_ran_on)
{
    player.setup.faults.linear_address = 0x14000000;
    player.setup.faults.linear_physical = 0x22000000;
    player_usual(&player);
    player_play(&player);
    const struct console_about *about = &player.results.about;
    cr_assert_str_eq(player.summary, ALL_OK);
    cr_assert_eq(about->linear_virtual - about->linear_physical, 0x14000000u - 0x22000000u);
    cr_assert_eq(about->luma_version, 0x0D040000);
    cr_assert_eq(about->kernel_version, 0x02390000);
    cr_assert_eq(about->starts, 0);
    cr_assert_eq(about->flags, CONSOLE_ABOUT_STRICT);
    cr_assert_str_eq(about->name, "test");
}

Test(runner, reads_a_block_of_registers)
{
    cartridge_case(&player.cartridge, 0, CARTRIDGE_REGISTERS);
    player_load(&player, 1);
    player_play(&player);
    cr_assert_eq(player.results.registers[0x0FD - 0x0E0], cartridge_marker(0), "the register that its list writes");
}

Test(runner, goes_through_the_ring_of_commands_many_times)
{
    for (int i = 0; i < 12; i++)
        cartridge_case(&player.cartridge, 0, 0);
    player.setup.faults.queue_position = 13;
    player_load(&player, 1);
    player_play(&player);
    cr_assert_eq(player.results.runs, 24);
    cr_assert_gt(player.run.gpu_commands, 60, "more than fifteen slots, four times over");
    cr_assert(player.results.is_over);
}

Test(runner, started_again_after_the_end_it_leaves_everything_as_it_is)
{
    player_usual(&player);
    player_play(&player);
    const uint32_t records = player.results.records;
    player_play(&player);
    cr_assert_eq(player.run.ending, MOCK_EXITED);
    cr_assert_eq(player.results.records, records);
    cr_assert_eq(player.run.gpu_commands, 0);
}

Test(runner, another_export_of_the_same_name_begins_anew)
{
    player_usual(&player);
    player_play(&player);
    player_load(&player, 2);
    player_play(&player);
    cr_assert_str_eq(player.summary, ALL_OK);
    cr_assert_eq(player.results.abouts, 1);
    cr_assert_eq(player.results.about.id[0], 2);
    cr_assert_eq(player.results.about.starts, 0);
}

/* ----------------------------------------------------------------------------------------------------- self-tests */

Test(runner, a_failed_required_self_test_ends_it)
{
    cartridge_self_test(&player.cartridge, CONSOLE_CASE_REQUIRED, CARTRIDGE_WRONG_CRC);
    cartridge_case(&player.cartridge, 0, 0);
    player_load(&player, 1);
    player_play(&player);
    cr_assert_eq(player.run.ending, MOCK_EXITED);
    cr_assert_eq(player.results.tests, 6, "each way");
    for (uint32_t i = 0; i < player.results.tests; i++)
        cr_assert_eq(player.results.test[i].status, CONSOLE_RUN_DIFFERS);
    cr_assert_eq(player.results.runs, 0);
}

Test(runner, a_forgotten_flush_shows)
{
    cartridge_self_test(&player.cartridge, 0, CARTRIDGE_NO_FLUSH); /* the GPU reads a list that is not there yet */
    cartridge_case(&player.cartridge, 0, 0);
    player_load(&player, 1);
    player_play(&player);
    cr_assert_neq(player.results.test[0].status, CONSOLE_RUN_OK);
    cr_assert_str_eq(player.summary, "1:ok/0 1:ok/1");
}

Test(runner, lists_in_vram_are_skipped_if_their_self_test_failed)
{
    cartridge_self_test(&player.cartridge, CONSOLE_CASE_REQUIRED, 0);
    cartridge_self_test(&player.cartridge, CONSOLE_CASE_VRAM_LIST, CARTRIDGE_WRONG_CRC);
    cartridge_case(&player.cartridge, CONSOLE_CASE_VRAM_LIST, 0);
    cartridge_case(&player.cartridge, 0, 0);
    player_load(&player, 1);
    player_play(&player);
    cr_assert_str_eq(player.summary, "2:skipped/0 3:ok/0 3:ok/1 2:skipped/1");
    cr_assert_eq(player.results.run[0].detail, CONSOLE_SKIP_VRAM_LIST);
}

/* ------------------------------------------------------------------------------------ as every program does it */

static uint32_t count_effects(enum mock_effect_kind kind, uint32_t address, const char *text)
{
    uint32_t count = 0;
    for (size_t i = 0; i < player.run.effect_count; i++) {
        const struct mock_effect *effect = &player.run.effects[i];
        count += effect->kind == kind && (address == UINT32_MAX || effect->address == address) &&
                 (text == NULL || strcmp(effect->text, text) == 0);
    }
    return count;
}

Test(runner, takes_one_block_of_linear_memory)
{
    player_usual(&player);
    player_play(&player);
    cr_assert_eq(count_effects(MOCK_CALLS_SYSTEM, 0x01, NULL), 1);
}

Test(runner, describes_both_buffers_of_both_screens)
{
    player_usual(&player);
    player_play(&player);
    const uint32_t screen = player.results.about.linear_virtual + CARTRIDGE_LINEAR;
    cr_assert_eq(count_effects(MOCK_SHOWS_SCREEN, screen, "0"), 4, "two screens, two eyes");
    cr_assert_eq(count_effects(MOCK_SHOWS_SCREEN, screen, "1"), 4);
    cr_assert_eq(player_calls(&player, 0x000B0040, 0), 1, "lit");
    cr_assert_eq(player_calls(&player, 0x000B0040, 1), 1, "and dark before its memory goes");
}

/* 320 columns, 16 of them the margin, 12 each letter. */
Test(runner, has_no_text_that_the_lower_screen_cuts)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ -./0123456789";
    uint32_t found = 0;
    player_usual(&player);
    for (size_t at = 0; at < player.setup.program_size;) {
        const char *text = (const char *)player.program + at;
        const size_t left = player.setup.program_size - at;
        size_t length = 0;
        while (length < left && text[length] != 0 && strchr(letters, text[length]) != NULL)
            length++;
        if (length >= 8 && length < left && text[length] == 0) {
            cr_assert_leq(length, 25, "%s", text);
            found++;
        }
        at += length + 1;
    }
    cr_assert_geq(found, 10, "texts of the program");
}

Test(runner, leaves_to_the_launcher_that_started_it)
{
    player_usual(&player);
    player_play(&player);
    cr_assert_eq(player_calls(&player, 0x00320084, UINT32_MAX), 1);
    cr_assert_eq(player_calls(&player, 0x00270044, UINT32_MAX), 0);
}

Test(runner, leaves_to_the_home_menu_where_no_launcher_wants_it_back)
{
    for (uint32_t i = 0; i < 2; i++) {
        player.setup.faults.no_chain_load = i == 0;
        player.setup.faults.no_home_menu = i == 1;
        player_usual(&player);
        player_play(&player);
        cr_assert_eq(player.run.ending, MOCK_EXITED);
        cr_assert_eq(player_calls(&player, 0x00320084, UINT32_MAX), 0);
        cr_assert_eq(player_calls(&player, 0x00270044, UINT32_MAX), 1);
    }
}

/* ------------------------------------------------------------------------ would our console notice a worse program? */

/* The usual program, but each message that begins with `header` begins with `instead`. */
static void play_with_another_message(uint32_t header, uint32_t instead)
{
    uint32_t replaced = 0;
    player_usual(&player);
    for (size_t at = 0; at + 4 <= player.setup.program_size; at += 4)
        if (memcmp(player.program + at, &header, 4) == 0) {
            memcpy(player.program + at, &instead, 4);
            replaced++;
        }
    cr_assert_eq(replaced, 1, "%08X is one word of the program", header);
    cr_assert_eq(mock_run(&player.setup, &player.run), PICA_OK);
    card_results(&player.card, &player.results);
}

Test(runner, without_invalidating_it_would_read_old_bytes)
{
    play_with_another_message(0x00090082, 0x00080082); /* FlushDataCache instead */
    cr_assert_eq(player.results.test[0].status, CONSOLE_RUN_UNREAD, "what it was filled with before");
    cr_assert_eq(player.results.runs, 0);
}

Test(runner, without_flushing_the_gpu_would_read_old_bytes)
{
    play_with_another_message(0x00080082, 0x00090082); /* InvalidateDataCache instead */
    cr_assert_neq(player.results.test[0].status, CONSOLE_RUN_OK);
    cr_assert_eq(player.results.runs, 0);
}

Test(runner, without_the_wake_up_it_would_wait_for_the_gpu_for_ever)
{
    play_with_another_message(0x00430040, 0x00430041); /* NotifyToWait, which nobody understands now */
    cr_assert_gt(player.run.mistakes, 0);
    cr_assert_eq(player.results.runs, 0);
}

Test(runner, with_gsps_page_mapped_an_exit_is_a_mistake)
{
    play_with_another_message(0xEF000020, 0xEF000019); /* ClearEvent instead of UnmapMemoryBlock */
    cr_assert_gt(player.run.mistakes, 0);
}

Test(runner, without_a_word_to_apt_an_exit_is_a_mistake)
{
    play_with_another_message(0x00320084, 0x00320085);
    cr_assert_gt(player.run.mistakes, 0);
}

/* ---------------------------------------------------------------------------------------------- what it never does */

Test(runner, refuses_registers_of_the_screens)
{
    cartridge_case(&player.cartridge, 0, CARTRIDGE_WRITES_LCD);
    cartridge_case(&player.cartridge, 0, 0);
    player_load(&player, 1);
    player_play(&player);
    cr_assert_str_eq(player.summary, "0:refused/0 1:ok/0 1:ok/1 0:refused/1");
    cr_assert_eq(player.results.run[0].detail, player.results.run[0].command);
    for (size_t i = 0; i < player.run.effect_count; i++)
        cr_assert_neq(player.run.effects[i].kind, MOCK_WRITES_REGISTER);
}

Test(runner, refuses_fills_beyond_the_end_of_vram)
{
    cartridge_case(&player.cartridge, 0, CARTRIDGE_FILLS_OUTSIDE);
    player_load(&player, 1);
    player_play(&player);
    cr_assert_str_eq(player.summary, "0:refused/0 0:refused/1");
    cr_assert_eq(player.run.gpu_commands, 2, "the DMA of the first contents, twice");
}

Test(runner, a_broken_payload_is_not_even_begun)
{
    const uint8_t *payload;
    size_t size;
    player_usual(&player);
    cr_assert_eq(console_program_payload("test", player.program, player.setup.program_size, &payload, &size, NULL), 0);
    player.program[(size_t)(payload - player.program) + size / 2] ^= 1;
    cr_assert_eq(mock_run(&player.setup, &player.run), PICA_OK);
    cr_assert_eq(player.run.card_writes, 0);
    cr_assert_eq(player.run.gpu_commands, 0);
}
