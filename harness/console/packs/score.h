/*
 * The pack `score`: the cases of the frozen pack (harness/vectors) that pass the gates, and those of the pack `splits`
 * that are not among them. What it leaves is scored, and shows the sides of the known choices.
 */
#ifndef HARNESS_CONSOLE_PACKS_SCORE_H
#define HARNESS_CONSOLE_PACKS_SCORE_H

#include "harness/console/packs/splits.h"

enum harness_status console_score_add(struct console_asking *asking, struct harness_error *error);

#endif
