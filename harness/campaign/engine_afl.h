/* What the two files about AFL++ share. Private to harness/campaign. */
#ifndef HARNESS_CAMPAIGN_ENGINE_AFL_H
#define HARNESS_CAMPAIGN_ENGINE_AFL_H

#include "harness/campaign/campaign_parts.h"

enum {
    AFL_PATH_SIZE = 2048
};

void campaign_afl_join(char out[AFL_PATH_SIZE], const char *directory, const char *name);

/* CORPUS-afl */
void campaign_afl_state_directory(const struct campaign *campaign, char out[AFL_PATH_SIZE]);

/* Called for each entry of a directory (but for names with a leading dot), in order, until it fails. */
typedef enum harness_status (*campaign_afl_visitor)(struct campaign *campaign, const char *directory, const char *name,
                                                    void *user);

/* A missing directory counts as empty. */
enum harness_status campaign_afl_visit(struct campaign *campaign, const char *path, campaign_afl_visitor visitor,
                                       void *user);

/* 32 digits: the same input is one file, whichever instance found it. */
void campaign_afl_name_by_content(const uint8_t *bytes, size_t size, char *out, size_t out_size);

/* The same of all that have a directory there. */
enum harness_status campaign_afl_export_all(struct campaign *campaign, bool and_remove);

#endif
