/* A case played by an emulator whose GPU is `fast`, with all of VRAM and FCRAM. */
#ifndef TESTS_CAPTURE_PLAYER_H
#define TESTS_CAPTURE_PLAYER_H

#include "harness/case/case.h"
#include "pica/backend.h"

#include <stdbool.h>

/* Bytes that the player gives the capture. */
struct player {
    void *gpu;              /* an instance of fast */
    uint32_t missing;       /* address of a page that the callback refuses; 1: none */
    bool has_more;          /* the callback gives zeros outside VRAM and FCRAM, too */
    uint32_t asked;         /* calls of the callback */
    uint32_t asked_wrongly; /* calls that go beyond a page */
    char why[256];
};

void player_init(struct player *player);
void player_free(struct player *player);

/* Plays the case up to its last operation that is no load, and captures it into the file `path`. False if the capture
 * was refused: player->why. */
bool player_capture(struct player *player, const struct harness_case *test_case, const char *path);

/* Plays the capture at `path` on a new instance, which the caller destroys. */
void *player_replay(const char *path);

/* Fails the test if the two differ in the state or in a page that the replay touched, or if the replay lacks one that
 * differs from what CPU loads alone leave. */
void player_expect_same(const struct player *player, const struct harness_case *test_case, void *replay,
                        const char *name);

#endif
