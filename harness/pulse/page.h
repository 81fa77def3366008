/* The page of a campaign: static, of one file, reads itself again every ten seconds. */
#ifndef HARNESS_PULSE_PAGE_H
#define HARNESS_PULSE_PAGE_H

#include "harness/case/text.h"
#include "harness/pulse/history.h"
#include "harness/pulse/totals.h"

void harness_pulse_page(const struct harness_pulse_totals *totals, const struct harness_pulse_history *history,
                        struct harness_text *out);

#endif
