/* What the parts of the text reader share. Parsers return false after writing a message. */
#ifndef HARNESS_PCASE_READ_H
#define HARNESS_PCASE_READ_H

#include "harness/case/lexer.h"
#include "harness/case/pcase_names.h"
#include "harness/case/text.h"

struct harness_reader {
    struct harness_lexer lexer;
    struct harness_case *test_case;
    struct harness_register_index registers;
    struct harness_text scratch; /* bytes or words being collected */
    struct harness_text uses;    /* an array of struct use (pcase_read_list.c), for the current list */
    uint64_t data_left;          /* bytes of HARNESS_MAX_DATA */
    bool no_memory;
};

/* Sets no_memory, returns false. */
bool harness_reader_no_memory(struct harness_reader *reader);

/* Takes `size` bytes from what is left of HARNESS_MAX_DATA. */
bool harness_reader_take(struct harness_reader *reader, uint64_t size);

/* "= number" or "{ field = value, ... }" */
bool harness_read_value(struct harness_reader *reader, enum pica_layout layout, uint32_t *word);

/* "{ commands }", whose encoding counts as contents. */
bool harness_read_list(struct harness_reader *reader, struct harness_data *data);

/* "bytes { }", "table ... { }", "fill 0x0 size 0x100", "list { }", ... */
bool harness_read_data(struct harness_reader *reader, struct harness_data *data);

/* "NAME { }" or "reset", after the word "state". */
bool harness_read_state(struct harness_reader *reader);

#endif
