/*
 * A case as one C file that replays it on any GPU: first arrays, of the initial state, of contents and of lists, a
 * comment to each command; then a function that hands them out in order.
 */
#include "harness/case/formats.h"

#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_BYTES = 1 << 23, /* of all contents: more would take compilers too long */
    WORDS_IN_A_LINE = 8,
    GAP = 8 /* elements at reset in a row that do not yet end an array of a part */
};

struct source {
    const struct harness_case *test_case;
    struct harness_text *out;
    struct harness_text command; /* the text of the current command */
    const struct harness_list *list;
    const uint32_t *words; /* of the list */
    uint64_t at;           /* the next of them to be written */
};

/* -------------------------------------------------------------------------------------------------------- comments */

/* Two characters that mean something to a compiler inside a comment; question marks begin trigraphs. */
static bool is_dangerous(char a, char b)
{
    return (a == '*' && b == '/') || (a == '/' && b == '*') || (a == '?' && b == '?');
}

/* Text of a case may hold anything: here it can neither end the comment nor begin another. */
static void add_comment_text(struct harness_text *out, const char *text, size_t size, const char *indent)
{
    char last = ' ';
    for (size_t i = 0; i < size; i++) {
        const char letter = text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~') ? text[i] : '?';
        if (letter == '\n')
            harness_text_format(out, "\n%s *%s", indent, i + 1 < size && text[i + 1] != '\n' ? " " : "");
        else
            harness_text_format(out, "%s%c", is_dangerous(last, letter) ? " " : "", letter);
        last = letter;
    }
}

/* One line or several; line ends at the end do not count. */
static void add_comment(struct harness_text *out, const char *text, const char *indent)
{
    size_t size = strlen(text);
    while (size != 0 && text[size - 1] == '\n')
        size--;
    harness_text_format(out, "%s/* ", indent);
    add_comment_text(out, text, size, indent);
    harness_text_add(out, memchr(text, '\n', size) != NULL ? "\n" : " */\n");
    if (memchr(text, '\n', size) != NULL)
        harness_text_format(out, "%s */\n", indent);
}

/* ---------------------------------------------------------------------------------------------------------- arrays */

static void add_words(struct harness_text *out, const uint32_t *words, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        harness_text_format(out, "%s0x%08X,%s", i % WORDS_IN_A_LINE == 0 ? "    " : " ", (unsigned)words[i],
                            i % WORDS_IN_A_LINE == WORDS_IN_A_LINE - 1 || i == count - 1 ? "\n" : "");
}

/* Called by harness_pcase_write_commands after each command: adds its text as a comment, then its words. */
static void add_command(void *user, uint32_t index)
{
    struct source *const source = user;
    const uint32_t count = harness_command_words(&source->list->commands[index]);
    add_comment(source->out, harness_text_string(&source->command), "    ");
    add_words(source->out, source->words + source->at, count);
    source->at += count;
    harness_text_clear(&source->command);
}

static void add_list(struct source *source, const struct harness_list *list, const uint32_t *words, uint64_t count)
{
    source->list = list;
    source->words = words;
    source->at = 0;
    harness_pcase_write_commands(list, 0, &source->command, add_command, source);
    if (source->at < count)
        harness_text_add(source->out, "    /* up to 16 bytes, or no whole command */\n");
    add_words(source->out, words + source->at, count - source->at);
}

/* The words of contents, the last one filled up with zeros. NULL without memory. */
static uint32_t *words_of(const struct harness_data *data, bool padded, uint32_t *size)
{
    *size = (uint32_t)harness_data_size(data, padded);
    const size_t count = ((size_t)*size + 3) / 4;
    uint8_t *const bytes = calloc(count + 1, 4);
    uint32_t *const words = calloc(count + 1, sizeof *words);
    if (bytes != NULL && words != NULL)
        harness_data_write(data, padded, bytes);
    for (size_t i = 0; i < 4 * count && bytes != NULL && words != NULL; i++)
        words[i / 4] |= (uint32_t)bytes[i] << i % 4 * 8;
    free(bytes);
    return words;
}

/* Words of the array: 1 where all are the same. */
static uint32_t array_length(const uint32_t *words, uint32_t size)
{
    const uint32_t count = (size + 3) / 4;
    if (size % 4 != 0)
        return count;
    for (uint32_t i = 1; i < count; i++)
        if (words[i] != words[0])
            return count;
    return 1;
}

/* "static const uint32_t list_3[] = { ... };" */
static enum harness_status add_contents(struct source *source, const struct harness_data *data, bool padded,
                                        const char *name, uint32_t number, const char *comment)
{
    uint32_t size = 0;
    uint32_t *const words = words_of(data, padded, &size);
    if (words == NULL)
        return HARNESS_NO_MEMORY;
    if (size != 0) {
        harness_text_add(source->out, "\n");
        if (comment != NULL)
            add_comment(source->out, comment, "");
        harness_text_format(source->out, "static const uint32_t picafuzz_%s_%u[] = {\n", name, (unsigned)number);
        if (data->kind == HARNESS_DATA_LIST)
            add_list(source, &data->list, words, (size + 3) / 4);
        else
            add_words(source->out, words, array_length(words, size));
        harness_text_add(source->out, "};\n");
    }
    free(words);
    return HARNESS_OK;
}

static bool has_data(const struct harness_operation *operation)
{
    return operation->kind == HARNESS_LOAD || operation->kind == HARNESS_RUN;
}

static enum harness_status add_all_contents(struct source *source)
{
    const struct harness_case *const test_case = source->test_case;
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; i < test_case->chunk_count && status == HARNESS_OK; i++)
        status = add_contents(source, &test_case->chunks[i].data, false, "memory", i, test_case->chunks[i].comment);
    for (uint32_t i = 0; i < test_case->operation_count && status == HARNESS_OK; i++) {
        const struct harness_operation *const operation = &test_case->operations[i];
        const bool runs = operation->kind == HARNESS_RUN;
        if (has_data(operation))
            status = add_contents(source, &operation->data, runs, runs ? "list" : "load", i, operation->comment);
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- state */

/* The end of the array that begins at `first`, an element that is not at reset. */
static uint32_t end_of_run(const struct pica_state *state, uint32_t part, uint32_t first)
{
    uint32_t end = first + 1;
    for (;;) {
        const uint32_t next = harness_part_next(state, part, end);
        if (next == harness_parts[part].count || next > end + GAP)
            return end;
        end = next + 1;
    }
}

/* "VIEWPORT_WIDTH { half_size = 200.0 }" */
static void add_register(struct source *source, uint32_t id, uint32_t value)
{
    harness_text_format(&source->command, "0x%03X %s", (unsigned)id, pica_reg_info(id)->name);
    harness_pcase_write_value(id, value, &source->command);
    add_comment(source->out, harness_text_string(&source->command), "    ");
    add_words(source->out, &value, 1);
    harness_text_clear(&source->command);
}

static void add_run(struct source *source, const struct pica_state *state, uint32_t part, uint32_t first, uint32_t end)
{
    harness_text_format(source->out, "\n/* %s, from %u on */\nstatic const uint32_t picafuzz_state_%u_%u[] = {\n",
                        harness_parts[part].name, (unsigned)first, (unsigned)part, (unsigned)first);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t value = harness_part_get(state, part, i);
        if (part == PICA_STATE_REGISTERS)
            add_register(source, i, value);
        else
            harness_text_format(source->out, "%s0x%08X,%s", (i - first) % WORDS_IN_A_LINE == 0 ? "    " : " ",
                                (unsigned)value,
                                (i - first) % WORDS_IN_A_LINE == WORDS_IN_A_LINE - 1 || i == end - 1 ? "\n" : "");
    }
    harness_text_add(source->out, "};\n");
}

/* The arrays of the initial state, or the calls that hand them out. */
static void add_state(struct source *source, const struct pica_state *state, bool calls)
{
    for (uint32_t part = 0; part < harness_part_count; part++) {
        uint32_t end = 0;
        for (uint32_t first = harness_part_next(state, part, 0); first < harness_parts[part].count;
             first = harness_part_next(state, part, end)) {
            end = end_of_run(state, part, first);
            if (!calls)
                add_run(source, state, part, first, end);
            else
                harness_text_format(source->out,
                                    "    hooks->set_state(hooks->user, \"%s\", %u, picafuzz_state_%u_%u, %u);\n",
                                    harness_parts[part].name, (unsigned)first, (unsigned)part, (unsigned)first,
                                    (unsigned)(end - first));
        }
    }
}

/* ------------------------------------------------------------------------------------------------------- the calls */

static enum harness_status call_put(struct source *source, const struct harness_data *data, bool padded,
                                    uint32_t address, const char *name, uint32_t number)
{
    uint32_t size = 0;
    uint32_t *const words = words_of(data, padded, &size);
    if (words == NULL)
        return HARNESS_NO_MEMORY;
    const uint32_t count = data->kind == HARNESS_DATA_LIST ? (size + 3) / 4 : array_length(words, size);
    free(words);
    if (size != 0)
        harness_text_format(source->out, "    picafuzz_put(hooks, 0x%08X, picafuzz_%s_%u, %u, %u);\n",
                            (unsigned)address, name, (unsigned)number, (unsigned)count, (unsigned)size);
    return HARNESS_OK;
}

/* "    { const uint32_t words[] = { ... }; hooks->fill(hooks->user, 0, words); }" */
static void call_words(struct source *source, const struct harness_operation *operation)
{
    const bool fills = operation->kind == HARNESS_FILL;
    const uint32_t count = fills ? 4 : 9;
    harness_text_add(source->out, "    {\n        static const uint32_t words[] = { ");
    for (uint32_t i = 0; i < count; i++)
        harness_text_format(source->out, "0x%X%s", (unsigned)operation->words[i], i + 1 < count ? ", " : " };\n");
    if (fills)
        harness_text_format(source->out, "        hooks->fill(hooks->user, %u, words);\n    }\n",
                            (unsigned)operation->unit);
    else
        harness_text_add(source->out, "        hooks->transfer(hooks->user, words);\n    }\n");
}

static void call_submit(struct source *source, uint32_t address, uint32_t size)
{
    harness_text_format(source->out, "    hooks->submit_list(hooks->user, 0x%08X, %u);\n", (unsigned)address,
                        (unsigned)size);
}

static enum harness_status call_operation(struct source *source, uint32_t number)
{
    const struct harness_operation *const operation = &source->test_case->operations[number];
    const bool runs = operation->kind == HARNESS_RUN;
    enum harness_status status = HARNESS_OK;
    if (operation->comment != NULL && !has_data(operation))
        add_comment(source->out, operation->comment, "    ");
    if (has_data(operation))
        status = call_put(source, &operation->data, runs, operation->address, runs ? "list" : "load", number);
    switch (operation->kind) {
    case HARNESS_LOAD: break;
    case HARNESS_RUN:
        call_submit(source, operation->address, (uint32_t)harness_data_size(&operation->data, true));
        break;
    case HARNESS_SUBMIT: call_submit(source, operation->address, operation->size); break;
    case HARNESS_WRITE:
        harness_text_format(source->out, "    hooks->write_register(hooks->user, 0x%08X, 0x%08X);\n",
                            (unsigned)operation->address, (unsigned)operation->words[0]);
        break;
    case HARNESS_FILL:
    case HARNESS_TRANSFER: call_words(source, operation); break;
    case HARNESS_VBLANK:
        harness_text_format(source->out, "    hooks->vertical_blank(hooks->user, %u);\n", (unsigned)operation->unit);
        break;
    case HARNESS_NOTE: add_comment(source->out, operation->text, "    "); break;
    }
    return status;
}

static enum harness_status add_replay(struct source *source, const struct pica_state *state)
{
    const struct harness_case *const test_case = source->test_case;
    enum harness_status status = HARNESS_OK;
    harness_text_add(source->out, "\nvoid picafuzz_replay(const struct picafuzz_hooks *hooks);\n"
                                  "void picafuzz_replay(const struct picafuzz_hooks *hooks)\n{\n"
                                  "    static const uint32_t zero[] = { 0 };\n");
    if (state != NULL)
        add_state(source, state, true);
    for (uint32_t i = 0; i < test_case->window_count; i++)
        harness_text_format(source->out, "    picafuzz_put(hooks, 0x%08X, zero, 1, %u);\n",
                            (unsigned)test_case->windows[i].address, (unsigned)test_case->windows[i].size);
    for (uint32_t i = 0; i < test_case->chunk_count && status == HARNESS_OK; i++)
        status = call_put(source, &test_case->chunks[i].data, false, test_case->chunks[i].address, "memory", i);
    for (uint32_t i = 0; i < test_case->operation_count && status == HARNESS_OK; i++)
        status = call_operation(source, i);
    harness_text_add(source->out, "}\n");
    return status;
}

/* -------------------------------------------------------------------------------------------------------- the file */

static const char hooks_text[] =
    "#include <stdint.h>\n"
    "\n"
    "#ifndef PICAFUZZ_HOOKS\n"
    "#define PICAFUZZ_HOOKS\n"
    "/* What your emulator does for each of these; `user` is handed to all. Addresses are physical. */\n"
    "struct picafuzz_hooks {\n"
    "    void *user;\n"
    "\n"
    "    /* Before all others: `count` elements of a part of the GPU's state, a word each, floats as the bits of a\n"
    "     * binary32. Parts and their elements: docs/formats/registers.md of picafuzz. All others are as after reset. "
    "*/\n"
    "    void (*set_state)(void *user, const char *part, uint32_t first, const uint32_t *words, uint32_t count);\n"
    "\n"
    "    /* Guest memory as the CPU writes it: what your GPU keeps of it is out of date. */\n"
    "    void (*write_memory)(void *user, uint32_t address, const uint8_t *bytes, uint32_t size);\n"
    "\n"
    "    /* The CPU writes to a register: 0x10400000-0x10401FFF, or a fill colour of a screen. */\n"
    "    void (*write_register)(void *user, uint32_t address, uint32_t value);\n"
    "\n"
    "    /* The GPU runs a list. As registers: 0x104018E0 = size >> 3, 0x104018E8 = address >> 3, 0x104018F0 = 1. */\n"
    "    void (*submit_list)(void *user, uint32_t address, uint32_t size);\n"
    "\n"
    "    /* Fill unit 0 (0x10400010) or 1 (0x10400020) gets these words, and is started by the last one if its bit 0\n"
    "     * is set. */\n"
    "    void (*fill)(void *user, unsigned unit, const uint32_t words[4]);\n"
    "\n"
    "    /* The words for 0x10400C00 C04 C08 C0C C10 C14 C20 C24 C28; then C18 = 1 starts the transfer, or copy. */\n"
    "    void (*transfer)(void *user, const uint32_t words[9]);\n"
    "\n"
    "    /* A vertical blank of the top (0) or bottom (1) screen. */\n"
    "    void (*vertical_blank)(void *user, unsigned screen);\n"
    "};\n"
    "\n"
    "/* `size` bytes: little-endian words, over and over. */\n"
    "static void picafuzz_put(const struct picafuzz_hooks *hooks, uint32_t address, const uint32_t *words,\n"
    "                         uint32_t count, uint32_t size)\n"
    "{\n"
    "    uint8_t bytes[4096];\n"
    "    uint32_t done = 0, i, piece;\n"
    "    for (; done < size; done += piece) {\n"
    "        piece = size - done < sizeof bytes ? size - done : (uint32_t)sizeof bytes;\n"
    "        for (i = 0; i < piece; i++)\n"
    "            bytes[i] = (uint8_t)(words[(done + i) / 4 % count] >> (done + i) % 4 * 8);\n"
    "        hooks->write_memory(hooks->user, address + done, bytes, piece);\n"
    "    }\n"
    "}\n"
    "#endif\n";

static void add_head(struct source *source, const char *name)
{
    const char *const slash = strrchr(name, '/');
    struct harness_text head = { 0 };
    harness_text_format(&head,
                        "%s, by `picafuzz show --c`: what the GPU is told, and the memory that it reads, as C99 and\n"
                        "C++11. Include this file in a test of your emulator, give each hook a function, and call\n"
                        "picafuzz_replay. It needs nothing else.\n",
                        slash == NULL ? name : slash + 1);
    if (source->test_case->comment != NULL)
        harness_text_format(&head, "\n%s\n", source->test_case->comment);
    add_comment(source->out, harness_text_string(&head), "");
    harness_text_add(source->out, hooks_text);
    harness_text_free(&head);
}

static enum harness_status check_size(const struct harness_case *test_case, const char *name,
                                      struct harness_error *error)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        bytes += harness_data_size(&test_case->chunks[i].data, false);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        if (has_data(&test_case->operations[i]))
            bytes += harness_data_size(&test_case->operations[i].data, true);
    if (bytes > MOST_BYTES)
        return harness_fail(error, HARNESS_TOO_LARGE,
                            "%.200s: expected at most %u bytes of memory contents for C, found %llu: reduce it first",
                            name, (unsigned)MOST_BYTES, (unsigned long long)bytes);
    return HARNESS_OK;
}

enum harness_status harness_c_write(const struct harness_case *test_case, const char *name, struct harness_text *out,
                                    struct harness_error *error)
{
    struct source source = { .test_case = test_case, .out = out };
    struct harness_program *const program = harness_program_create();
    enum harness_status status = check_size(test_case, name, error);
    if (status == HARNESS_OK)
        status = program == NULL ? harness_fail_memory(error) : harness_case_setup(test_case, program, error);
    if (status == HARNESS_OK) {
        const struct pica_state *const state = program->setup.initial_state;
        add_head(&source, name);
        if (state != NULL)
            add_state(&source, state, false);
        status = add_all_contents(&source);
        if (status == HARNESS_OK)
            status = add_replay(&source, state);
        if (status != HARNESS_OK || out->failed || source.command.failed)
            status = harness_fail_memory(error);
        harness_text_free(&source.command);
    }
    harness_program_destroy(program);
    return status;
}
