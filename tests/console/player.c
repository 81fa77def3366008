#include "tests/console/player.h"

#include "reference/reference.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

void player_init(struct player *player)
{
    memset(player, 0, sizeof *player);
    card_insert(&player->card);
    cartridge_init(&player->cartridge);
    player->setup.gpu = ref_backend();
    player->setup.card = player->card.directory;
    player->setup.program_path = "sdmc:/3ds/test.3dsx";
}

void player_free(struct player *player)
{
    mock_release(&player->run);
    free(player->program);
    card_remove(&player->card);
}

void player_usual(struct player *player)
{
    cartridge_self_test(&player->cartridge, CONSOLE_CASE_REQUIRED, 0);
    for (int i = 0; i < 3; i++)
        cartridge_case(&player->cartridge, 0, 0);
    player_load(player, 1);
}

void player_load(struct player *player, uint32_t id)
{
    free(player->program);
    player->program = cartridge_finish(&player->cartridge, id, &player->setup.program_size);
    cr_assert_not_null(player->program, "the program takes no payload");
    player->setup.program = player->program;
}

void player_play_whatever(struct player *player)
{
    mock_release(&player->run);
    cr_assert_eq(mock_run(&player->setup, &player->run), PICA_OK);
    card_results(&player->card, &player->results);
    card_summary(&player->results, player->summary, sizeof player->summary);
}

void player_play(struct player *player)
{
    player_play_whatever(player);
    cr_assert_eq(player->run.mistakes, 0, "%s", mock_first_mistake(&player->run));
}

uint32_t player_calls(const struct player *player, uint32_t header, uint32_t word)
{
    uint32_t count = 0;
    for (size_t i = 0; i < player->run.effect_count; i++) {
        const struct mock_effect *effect = &player->run.effects[i];
        count += effect->kind == MOCK_CALLS_SERVICE && effect->address == header &&
                 (word == UINT32_MAX || effect->value == word);
    }
    return count;
}
