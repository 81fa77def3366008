/* What a campaign with --peel learns from its findings, in FINDINGS/peel. Private to harness/campaign. */
#ifndef HARNESS_CAMPAIGN_PEELING_H
#define HARNESS_CAMPAIGN_PEELING_H

#include "harness/campaign/campaign_parts.h"
#include "harness/triage/filing.h"

/* Reads what earlier campaigns learnt. Without --peel it does nothing. */
enum harness_status campaign_peel_begin(struct campaign *campaign);

/* Did the target say that it showed nothing in a fresh process? */
bool campaign_is_unstable(const struct campaign_failure *failure);

/* Frees a finding of the causes that are known by now: the target may not have known all of them. *freed: of some. */
enum harness_status campaign_peel_free(struct campaign *campaign, struct harness_case *test_case, bool *freed);

/* A finding was filed so; `test_case` is the reduced one, `found` what it was. From now on its cause is avoided. */
enum harness_status campaign_peel_learn(struct campaign *campaign, const struct campaign_failure *failure,
                                        const struct harness_filing *filing, const struct harness_filed *filed,
                                        const struct harness_case *test_case, struct harness_case *found);

/* Adds what targets counted to what is known of each cause, and writes it down. */
enum harness_status campaign_peel_end(struct campaign *campaign);

#endif
