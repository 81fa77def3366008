/* One test of the program: a card, a payload made by hand, our console, and what came of it. */
#ifndef TESTS_CONSOLE_PLAYER_H
#define TESTS_CONSOLE_PLAYER_H

#include "tests/console/card.h"
#include "tests/console/cartridge.h"
#include "tests/console/mock.h"

struct player {
    struct card card;
    struct cartridge cartridge;
    struct mock_setup setup; /* `program` is the player's; faults are the test's to set */
    uint8_t *program;
    struct mock_result run;      /* the last */
    struct card_results results; /* as they stand after it */
    char summary[4096];          /* card_summary */
};

/* An empty card, a payload without cases, no faults. */
void player_init(struct player *player);
void player_free(struct player *player);

/* A required self-test, and three cases. */
void player_usual(struct player *player);

/* Makes the .3dsx; play runs it, once or again. A mistake of the program fails the test. */
void player_load(struct player *player, uint32_t id);
void player_play(struct player *player);
void player_play_whatever(struct player *player); /* mistakes are the test's business */

/* How many messages with this header it sent; word 1 being `word`, unless that is UINT32_MAX. */
uint32_t player_calls(const struct player *player, uint32_t header, uint32_t word);

#endif
