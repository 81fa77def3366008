/* Reads docs/spec as text, to compare the tables of pica/ with what the specification prints. */
#ifndef TESTS_PICA_SPEC_TEXT_H
#define TESTS_PICA_SPEC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SPEC_NAME_SIZE = 64,
    SPEC_MAX_NAMES = 1024
};

/* An event as one file of the specification mentions it. */
struct spec_event {
    char name[SPEC_NAME_SIZE];
    char class_letter; /* 'M' or 'R' where an event table gives it, ' ' for a mention in the text */
    const char *file;
};

struct spec_events {
    struct spec_event items[SPEC_MAX_NAMES];
    size_t count;
};

/* Every `UB: name` of the text and every name of the event tables, file by file. False if a file cannot be read. */
bool spec_read_events(struct spec_events *out);

/* Ids of rules, where they are defined. */
struct spec_rules {
    char ids[SPEC_MAX_NAMES][16];
    size_t count;
};

bool spec_read_rules(struct spec_rules *out);

#endif
