/*
 * What the screens show: the pictures of scan_out (PDC-03 to PDC-08), which are compared whenever a case has configured
 * a screen to show something (harness/run/display.h).
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

/* Bytes of the whole picture, 3 per pixel. */
size_t oracle_screen_bytes(enum oracle_screen screen);

/* Are all pictures the same that both runs have? A picture that one run lacks is not compared. */
bool oracle_screens_same(const struct oracle_run *a, const struct oracle_run *b);

/* The same comparison as a report. `compared`: pixels; `first`: enum oracle_screen. */
void oracle_screens_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report);

#endif
