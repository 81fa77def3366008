/* The program for the console when things go wrong: each fault ends as docs/formats/console-payload.md says. */
#include "tests/console/player.h"

#include <criterion/criterion.h>
#include <stdio.h>
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

TestSuite(faults, .init = insert, .fini = eject);

#define ALL_OK             "1:ok/0 2:ok/0 3:ok/0 3:ok/1 2:ok/1 1:ok/1"
#define SECOND_HANGS       "1:ok/0 2:hang/0 3:ok/0 3:ok/1 2:skipped/1 1:ok/1"
#define SECOND_NEEDS_POWER "1:ok/0 2:power/0 3:ok/0 3:ok/1 2:skipped/1 1:ok/1"

static void play_usual(void)
{
    player_usual(&player);
    player_play(&player);
}

/* ----------------------------------------------------------------------------------------------------------- hangs */

Test(faults, a_hang_is_recovered_tested_and_gone_on_behind)
{
    player.setup.faults.hang_word = cartridge_marker(2);
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_EXITED, "%s", player.run.reason);
    cr_assert_str_eq(player.summary, SECOND_HANGS);
    cr_assert_eq(player.results.tests, 2, "once at the start, once after the recovery");
    cr_assert_eq(player.results.run[4].detail, CONSOLE_SKIP_HUNG);
    cr_assert(player.results.is_over);
}

Test(faults, a_hang_is_found_after_a_second_also_among_vertical_blanks)
{
    player.setup.faults.hang_word = cartridge_marker(2);
    player.setup.faults.vblanks = true;
    play_usual();
    cr_assert_str_eq(player.summary, SECOND_HANGS);
    cr_assert_lt(player.run.nanoseconds, 8000000000u, "%llu", (unsigned long long)player.run.nanoseconds);
}

Test(faults, a_hang_that_no_reset_helps_waits_for_the_power_button_and_goes_on_behind_it)
{
    player.setup.faults.hang_word = cartridge_marker(2);
    player.setup.faults.hang_until_power_off = true;
    player.setup.faults.power_off_after_ms = 60000;
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_POWER_LOST, "%s", player.run.reason);
    cr_assert_str_eq(player.summary, "1:ok/0 2:hang/0");
    player_play(&player);
    cr_assert_eq(player.run.ending, MOCK_EXITED, "%s", player.run.reason);
    cr_assert_str_eq(player.summary, SECOND_HANGS);
    cr_assert_eq(player.results.about.starts, 1);
    cr_assert_eq(player.results.about.flags, CONSOLE_ABOUT_RESUMED | CONSOLE_ABOUT_STRICT);
}

Test(faults, a_console_that_was_switched_off_in_a_case_goes_on_behind_it)
{
    player.setup.faults.hang_word = cartridge_marker(2);
    player.setup.faults.power_off_after_ms = 500; /* before it is taken for a hang */
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_POWER_LOST, "%s", player.run.reason);
    cr_assert_str_eq(player.summary, "1:ok/0");
    player.setup.faults.power_off_after_ms = 0;
    player_play(&player);
    cr_assert_str_eq(player.summary, SECOND_NEEDS_POWER);
    cr_assert(player.results.is_over);
}

Test(faults, a_self_test_that_needs_the_power_button_is_left_out_next_time)
{
    cartridge_self_test(&player.cartridge, CONSOLE_CASE_REQUIRED, 0);
    cartridge_self_test(&player.cartridge, CONSOLE_CASE_VRAM_LIST, 0);
    cartridge_case(&player.cartridge, CONSOLE_CASE_VRAM_LIST, 0);
    cartridge_case(&player.cartridge, 0, 0);
    player_load(&player, 1);
    player.setup.faults.hang_word = cartridge_marker(1);
    player.setup.faults.power_off_after_ms = 500;
    player_play(&player);
    cr_assert_eq(player.run.ending, MOCK_POWER_LOST);
    player.setup.faults.power_off_after_ms = 0;
    player_play(&player);
    cr_assert_str_eq(player.summary, "2:skipped/0 3:ok/0 3:ok/1 2:skipped/1");
    cr_assert_eq(player.results.test[1].status, CONSOLE_RUN_POWER);
}

Test(faults, a_self_test_that_hangs_is_recovered_from_too)
{
    cartridge_self_test(&player.cartridge, CONSOLE_CASE_REQUIRED, 0);
    cartridge_self_test(&player.cartridge, CONSOLE_CASE_VRAM_LIST, 0);
    cartridge_case(&player.cartridge, 0, 0);
    player_load(&player, 1);
    player.setup.faults.hang_word = cartridge_marker(1);
    player_play(&player);
    cr_assert_str_eq(player.summary, "2:ok/0 2:ok/1");
    cr_assert_eq(player.results.test[1].status, CONSOLE_RUN_HANG);
}

/* An emulator dies in a case: whoever starts it again gets all others. */
Test(faults, an_emulator_that_dies_goes_on_behind_that_case)
{
    player.setup.weak.one_slot = true;
    player.setup.faults.hang_word = cartridge_marker(2);
    player.setup.faults.power_off_after_ms = 500;
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_POWER_LOST);
    player.setup.faults.power_off_after_ms = 0;
    player_play(&player);
    cr_assert_str_eq(player.summary, SECOND_NEEDS_POWER);
}

/* Its interrupts come no more: nobody waits for a power button that it has not. */
Test(faults, an_emulator_that_does_not_come_back_is_left)
{
    player.setup.weak.one_slot = true;
    player.setup.faults.hang_word = cartridge_marker(2);
    player.setup.faults.hang_until_power_off = true;
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_EXITED, "%s", player.run.reason);
    cr_assert_str_eq(player.summary, "1:ok/0 2:hang/0");
    player_play(&player);
    cr_assert_str_eq(player.summary, SECOND_HANGS);
}

Test(faults, a_lost_interrupt_costs_one_run)
{
    player.setup.faults.lose_interrupt = 9; /* four for each run: the first of the second case */
    play_usual();
    cr_assert_str_eq(player.summary, SECOND_HANGS);
    cr_assert(player.results.is_over);
}

/* ---------------------------------------------------------------------------------------------- right, time, queues */

Test(faults, who_lost_the_gpu_to_the_home_menu_was_interrupted_and_did_not_hang)
{
    player.setup.faults.withdraw_right = 9;
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_EXITED, "%s", player.run.reason);
    cr_assert_str_eq(player.summary, "1:ok/0 2:interrupted/0 3:ok/0 3:ok/1 2:ok/1 1:ok/1");
}

Test(faults, a_fast_tick_counter_makes_no_hang)
{
    player.setup.faults.clock_multiple = 3;
    player.setup.faults.gpu_microseconds = 900000;
    play_usual();
    cr_assert_str_eq(player.summary, ALL_OK);
}

Test(faults, a_gpu_slower_than_a_second_hangs)
{
    player.setup.faults.gpu_microseconds = 1300000;
    player.setup.faults.power_off_after_ms = 600000;
    play_usual();
    cr_assert_eq(player.results.runs, 0);
    cr_assert_eq(player.results.test[0].status, CONSOLE_RUN_HANG);
}

Test(faults, vertical_blanks_between_interrupts_do_not_matter)
{
    player.setup.faults.vblanks = true;
    player.setup.faults.gpu_microseconds = 40000;
    play_usual();
    cr_assert_str_eq(player.summary, ALL_OK);
}

Test(faults, any_client_of_gsp_will_do)
{
    player.setup.faults.client_index = 3;
    player.setup.faults.queue_position = 11;
    play_usual();
    cr_assert_str_eq(player.summary, ALL_OK);
    cr_assert_eq(player.results.about.client_index, 3);
}

Test(faults, the_first_user_initialises_the_gpu)
{
    player.setup.faults.first_user = true;
    play_usual();
    cr_assert_str_eq(player.summary, ALL_OK);
    cr_assert_eq(player.results.about.flags, CONSOLE_ABOUT_FIRST_USER | CONSOLE_ABOUT_STRICT);
}

Test(faults, a_command_that_gsp_refuses_fails_its_case_and_is_no_hang)
{
    cartridge_case(&player.cartridge, 0, CARTRIDGE_ODD_LIST);
    cartridge_case(&player.cartridge, 0, 0);
    player_load(&player, 1);
    player_play_whatever(&player);
    cr_assert_str_eq(player.summary, "0:failed/0 1:ok/0 1:ok/1 0:failed/1");
    cr_assert_eq(player.results.run[0].detail, 0xE0E02A01, "gsp's result");
    cr_assert_eq(card_journal_count(&player.card, CONSOLE_JOURNAL_STAGE, CONSOLE_STAGE_RECOVER), 0);
    cr_assert_eq(player.run.mistakes, 2, "%s", mock_first_mistake(&player.run));
}

Test(faults, a_console_out_of_whose_vram_no_dma_comes_is_read_by_texture_copies)
{
    player.setup.faults.no_vram_dma = true;
    play_usual();
    cr_assert_str_eq(player.summary, ALL_OK);
    cr_assert_eq(player.results.choice.way, CONSOLE_READ_COPY);
    cr_assert_eq(player.results.test[0].status, CONSOLE_RUN_UNREAD);
}

Test(faults, gsps_page_may_lie_elsewhere)
{
    player.setup.faults.page_taken = true;
    play_usual();
    cr_assert_str_eq(player.summary, ALL_OK);
}

/* ---------------------------------------------------------------------------------------------------------- system */

Test(faults, parameters_before_the_wake_up_are_for_others)
{
    player.setup.faults.other_parameters = 3;
    play_usual();
    cr_assert_str_eq(player.summary, ALL_OK);
    cr_assert_eq(player_calls(&player, 0x000D0080, UINT32_MAX), 4);
}

Test(faults, sleep_and_home_are_refused_and_the_run_goes_on)
{
    static const struct {
        uint32_t notification, header, word;
    } answers[] = { { 1, 0x004B00C2, 7 }, { 2, 0x004B00C2, 7 }, { 3, 0x003E0080, 0x300 }, { 5, 0x003F0040, 0x300 } };
    for (uint32_t i = 0; i < 4; i++) {
        cartridge_init(&player.cartridge);
        player_usual(&player);
        player_load(&player, 10 + i);
        player.setup.faults.notification = answers[i].notification;
        player.setup.faults.notify_after_ms = 200;
        player_play(&player);
        cr_assert_str_eq(player.summary, ALL_OK);
        cr_assert_eq(player_calls(&player, 0x000B0040, 0x300), 1, "asked what it is");
        cr_assert_eq(player_calls(&player, answers[i].header, answers[i].word), i < 2 ? 2 : 1, "%u", i);
    }
}

Test(faults, told_to_leave_it_leaves_and_goes_on_next_time)
{
    player.setup.faults.gpu_microseconds = 20000;
    player.setup.faults.notification = 11;
    player.setup.faults.notify_after_ms = 300;
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_EXITED, "%s", player.run.reason);
    cr_assert(player.results.runs > 0 && player.results.runs < 6, "%u", player.results.runs);
    cr_assert_not(player.results.is_over);
    player.setup.faults.notify_after_ms = 0;
    player_play(&player);
    cr_assert_str_eq(player.summary, ALL_OK);
    cr_assert(player.results.is_over);
}

Test(faults, without_memory_it_leaves_as_any_program)
{
    player.setup.faults.linear_bytes = 0x10000;
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_EXITED, "%s", player.run.reason);
    cr_assert_eq(player_calls(&player, 0x00320084, UINT32_MAX), 1, "by APT");
    cr_assert_eq(card_journal_count(&player.card, CONSOLE_JOURNAL_STAGE, CONSOLE_STAGE_MEMORY), 1);
}

Test(faults, without_files_it_leaves_as_any_program)
{
    player.setup.card = "/nonexistent";
    player_usual(&player);
    player_play(&player);
    cr_assert_eq(player.run.ending, MOCK_EXITED, "%s", player.run.reason);
    cr_assert_eq(player_calls(&player, 0x00320084, UINT32_MAX), 1, "by APT");
    player.setup.card = player.card.directory;
}

/* ------------------------------------------------------------------------------------------------------------ card */

Test(faults, without_room_on_the_card_nothing_is_run)
{
    player.cartridge.results_most = 1 << 20;
    player.setup.faults.card_bytes = 1 << 19;
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_EXITED);
    cr_assert_eq(player.results.runs, 0);
    cr_assert_eq(player.run.gpu_commands, 0);
}

Test(faults, a_card_that_fills_up_ends_it_with_whole_records)
{
    player.cartridge.results_most = 0; /* the export promised too much */
    player.setup.faults.card_bytes = 12000;
    play_usual();
    cr_assert_eq(player.run.ending, MOCK_EXITED, "%s", player.run.reason);
    cr_assert(!player.results.is_over);
    cr_assert_gt(player.results.records, 0);
    cr_assert_eq(player.results.whole_bytes, player.results.bytes);
}

Test(faults, a_card_that_is_removed_at_any_write_ends_it)
{
    play_usual();
    const uint32_t writes = player.run.card_writes;
    cr_assert_gt(writes, 20);
    for (uint32_t i = 1; i <= writes; i += 3) {
        player_load(&player, 100 + i);
        player.setup.faults.remove_card = i;
        player_play(&player);
        cr_assert_eq(player.run.ending, MOCK_EXITED, "removed at write %u: %s", i, player.run.reason);
    }
}

/* Every case has one result for each pass, and none is lost but the one in which the power went. */
static void expect_all_but_one(uint32_t write)
{
    uint32_t ok = 0;
    cr_assert_eq(player.run.ending, MOCK_EXITED, "write %u: %s", write, player.run.reason);
    cr_assert(player.results.is_over, "write %u: %s", write, player.summary);
    cr_assert_eq(player.results.runs, 6, "write %u: %s", write, player.summary);
    for (int i = 0; i < 6; i++)
        ok += player.results.run[i].status == CONSOLE_RUN_OK;
    cr_assert_geq(ok, 4, "write %u: %s", write, player.summary);
    cr_assert_eq(player.results.whole_bytes, player.results.bytes, "write %u", write);
}

Test(faults, the_power_may_go_at_any_write)
{
    play_usual();
    const uint32_t writes = player.run.card_writes;
    static const uint32_t arrive[] = { 0, 17, 100000 };
    for (uint32_t i = 1; i <= writes; i++) {
        player_load(&player, 1000 + i);
        player.setup.faults.cut_power = i;
        player.setup.faults.cut_bytes = arrive[i % 3];
        player_play(&player);
        cr_assert_eq(player.run.ending, MOCK_POWER_LOST, "write %u: %s", i, player.run.reason);
        player.setup.faults.cut_power = 0;
        player_play(&player);
        expect_all_but_one(i);
    }
}

/* ------------------------------------------------------------------------------------------- what others left there */

static void overwrite(const char *name, size_t from, const void *bytes, size_t size)
{
    char path[128];
    snprintf(path, sizeof path, "%s/3ds/picafuzz/%s", player.card.directory, name);
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file);
    fseek(file, (long)from, SEEK_SET);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

Test(faults, a_journal_of_garbage_is_begun_anew)
{
    static const uint8_t garbage[100] = { 0x50, 0x43, 0x43, 0x4A, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF };
    play_usual();
    overwrite("test.journal", 0, garbage, sizeof garbage);
    player_play(&player);
    cr_assert_str_eq(player.summary, ALL_OK);
    cr_assert_eq(player.results.abouts, 1);
}

Test(faults, results_that_were_damaged_meanwhile_are_gone_on_with_where_they_are_whole)
{
    player.setup.faults.hang_word = cartridge_marker(2);
    player.setup.faults.power_off_after_ms = 500;
    play_usual();
    const uint32_t zero = 0;
    overwrite("test.results", player.results.whole_bytes - sizeof(struct console_run_result) - 20, &zero, 4);
    player.setup.faults.power_off_after_ms = 0;
    player_play(&player);
    cr_assert(player.results.is_over, "%s", player.summary);
    cr_assert_eq(player.results.whole_bytes, player.results.bytes);
}
