/*
 * What a machine shows: the pictures of scan_out (PDC-03 to PDC-08), which are a part of the result wherever a case has
 * set a screen to show something (harness/run/display.h).
 */
#ifndef ORACLES_SCREENS_H
#define ORACLES_SCREENS_H

#include "oracles/run.h"

enum oracle_screen {
    ORACLE_SCREEN_TOP = 0,
    ORACLE_SCREEN_BOTTOM = 1,
    ORACLE_SCREEN_RIGHT_EYE = 2 /* the second picture of the top screen (PDC-05) */
};

/* "top screen", "bottom screen", "right eye". Static. */
const char *oracle_screen_name(enum oracle_screen screen);

/* Pixels a line; there are PICA_SCREEN_LINES lines. */
uint32_t oracle_screen_columns(enum oracle_screen screen);

/* Of the whole picture: 3 a pixel. */
size_t oracle_screen_bytes(enum oracle_screen screen);

/* Does any picture that both runs have differ? Where one has none there is nothing to compare. */
bool oracle_screens_same(const struct oracle_run *a, const struct oracle_run *b);

/* The same in words. `compared`: pixels; `first`: enum oracle_screen. */
void oracle_screens_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report);

#endif
