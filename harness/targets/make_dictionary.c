/*
 * Writes the dictionary and the options file of a fuzz target, in the syntax that libFuzzer (-dict=) and afl-fuzz (-x)
 * share, from the tables of pica/:
 *     words   what stands in guest memory and registers: the header words of commands, words with one field set to one
 *             of its named values, opcodes, floats, addresses
 *     cases   the same, and heads of plain writes in full and of triggers in short, and records (docs/formats/pcb.md)
 *     names   how people write it: registers, fields, values, mnemonics
 * then the lines of another dictionary, if one is given.
 * Usage: make_dictionary DICTIONARY OPTIONS cases|words|names MOST_BYTES [MORE]
 */
#include "harness/case/formats.h"
#include "harness/case/pcb.h"
#include "harness/grammar/values.h"
#include "harness/run/pair.h"
#include "pica/extregs.h"
#include "pica/opcodes.h"
#include "pica/regs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ENTRIES = 16384, /* libFuzzer takes no more */
    NAME_SIZE = 96
};

/* A dictionary that is being written, without duplicates, from which an engine gains nothing. */
struct dictionary {
    struct harness_text text;
    uint64_t seen[MOST_ENTRIES]; /* size << 32 | value, or the hash of a name */
    size_t count;
    bool has_heads; /* the 2-byte heads of .pcb */
};

/* Remembers the key. False if it is there already, or the dictionary is full. */
static bool is_new(struct dictionary *dictionary, uint64_t key)
{
    for (size_t i = 0; i < dictionary->count; i++)
        if (dictionary->seen[i] == key)
            return false;
    if (dictionary->count == MOST_ENTRIES)
        return false;
    dictionary->seen[dictionary->count++] = key;
    return true;
}

/* Writes a name with letters, digits and _ only: AFL++ accepts nothing else in names of entries. */
static void add_name(struct harness_text *text, const char *name)
{
    char clean[NAME_SIZE];
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < sizeof clean; length++)
        clean[length] = isalnum((unsigned char)name[length]) ? name[length] : '_';
    clean[length] = '\0';
    harness_text_add(text, clean);
}

/* Adds an entry of `size` little-endian bytes of the value. */
static void add(struct dictionary *dictionary, const char *kind, const char *name, uint32_t value, uint32_t size)
{
    struct harness_text *const text = &dictionary->text;
    if ((size == 2 && !dictionary->has_heads) || !is_new(dictionary, (uint64_t)size << 32 | value))
        return;
    harness_text_format(text, "%s_", kind);
    add_name(text, name);
    harness_text_add(text, "=\"");
    for (uint32_t i = 0; i < size; i++)
        harness_text_format(text, "\\x%02X", value >> (8 * i) & 0xFFu);
    harness_text_add(text, "\"\n");
}

/* ------------------------------------------------------------------------------------------------------ the tables */

/* Adds the head of a plain write in .pcb, and the header word of the same command in guest memory (CMD-02). For a
 * trigger also the short head, which needs nothing after it. */
static void add_registers(struct dictionary *dictionary)
{
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        if (info->layout == PICA_LAYOUT_NONE && info->reg_class != PICA_REG_CLASS_TRIGGER)
            continue;
        add(dictionary, "write", info->name, id, 2);
        add(dictionary, "header", info->name, 0x000F0000u | id, 4);
        if (info->reg_class == PICA_REG_CLASS_TRIGGER)
            add(dictionary, "trigger", info->name, PCB_SHORT_WRITE | id, 2);
    }
    for (uint32_t i = 1; i < PCB_WRITES; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%08X", (unsigned)harness_pcb_write_address(i));
        add(dictionary, "cpu_write", name, PCB_RECORD | (uint32_t)PCB_WRITE << 8 | i, 2);
    }
}

static void add_records(struct dictionary *dictionary)
{
    static const struct {
        const char *name;
        enum pcb_kind kind;
    } records[] = {
        { "window", PCB_WINDOW }, { "limit", PCB_LIMIT }, { "profile", PCB_PROFILE },   { "state", PCB_STATE },
        { "bytes", PCB_BYTES },   { "table", PCB_TABLE }, { "pattern", PCB_PATTERN },   { "list", PCB_LIST },
        { "run", PCB_RUN },       { "tail", PCB_TAIL },   { "submit", PCB_SUBMIT },     { "cpu_write", PCB_WRITE },
        { "fill", PCB_FILL },     { "note", PCB_NOTE },   { "transfer", PCB_TRANSFER }, { "vblank", PCB_VBLANK },
    };
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
        for (uint32_t argument = 0; argument < 2; argument++) {
            char name[24];
            (void)snprintf(name, sizeof name, "%s%u", records[i].name, (unsigned)argument);
            add(dictionary, "record", name, PCB_RECORD | (uint32_t)records[i].kind << 8 | argument, 2);
        }
}

static void add_field(struct dictionary *dictionary, const struct pica_field_info *field)
{
    size_t count = 0;
    const struct pica_enum_value *const values = pica_enum_values(field->enumeration, &count);
    for (size_t i = 0; i < count; i++)
        add(dictionary, "value", values[i].name, pica_field_set(field, 0, values[i].value), 4);
    if (field->type == PICA_FIELD_FLAG)
        add(dictionary, "flag", field->name, pica_field_set(field, 0, 1), 4);
}

static void add_fields(struct dictionary *dictionary)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_fields(&count);
    for (size_t i = 0; i < count; i++)
        add_field(dictionary, &fields[i]);
}

static void add_opcodes(struct dictionary *dictionary)
{
    for (uint32_t opcode = 0; opcode < PICA_OPCODE_TOTAL; opcode++)
        add(dictionary, "opcode", pica_opcode_info(opcode)->mnemonic, pica_shader_instruction_set_opcode(0, opcode), 4);
}

/* Values at which rounding, comparison and conversion change, in binary32 and float24 (FLT-10). */
static void add_floats(struct dictionary *dictionary)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } floats[] = {
        { "zero", 0x00000000 },      { "minus_zero", 0x80000000 }, { "one", 0x3F800000 },
        { "minus_one", 0xBF800000 }, { "half", 0x3F000000 },       { "two", 0x40000000 },
        { "quarter", 0x3E800000 },   { "below_one", 0x3F7FFFFF },  { "above_one", 0x3F800001 },
        { "infinity", 0x7F800000 },  { "minus_inf", 0xFF800000 },  { "nan", 0x7FC00000 },
        { "subnormal", 0x00000001 }, { "least", 0x00800000 },      { "greatest", 0x7F7FFFFF },
        { "bytes", 0x437F0000 },     { "thousand", 0x447A0000 },   { "two_to_23", 0x4B000000 },
        { "tiny", 0x2EDBE6FF },      { "pi", 0x40490FDB },
    };
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        float value;
        memcpy(&value, &floats[i].bits, sizeof value);
        add(dictionary, "float32", floats[i].name, floats[i].bits, 4);
        add(dictionary, "float24", floats[i].name, harness_small_float(7, 16, value), 3);
    }
}

static void add_addresses(struct dictionary *dictionary)
{
    static const uint32_t addresses[] = { 0x18000000, 0x18300000, 0x185FFFF0, 0x18600000,
                                          0x20000000, 0x27FFFFF0, 0x28000000, 0x1EF00000 };
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%08X", (unsigned)addresses[i]);
        add(dictionary, "address", name, addresses[i], 4);
        add(dictionary, "address_by_8", name, addresses[i] >> 3, 4); /* in units of 8 bytes, as in most registers */
    }
}

/* ------------------------------------------------------------------------------------------------------- the names */

/* FNV-1a, so that a name serves as a key. */
static uint64_t hash(const char *name)
{
    uint64_t value = 0xCBF29CE484222325u;
    for (; *name != '\0'; name++)
        value = (value ^ (unsigned char)*name) * 0x100000001B3u;
    return value;
}

/* Adds a name as text. `name` has printable characters only, and no quote or backslash. */
static void add_text(struct dictionary *dictionary, const char *kind, const char *name)
{
    if (name == NULL || name[0] == '\0' || !is_new(dictionary, hash(name)))
        return;
    harness_text_format(&dictionary->text, "%s_", kind);
    add_name(&dictionary->text, name);
    harness_text_format(&dictionary->text, "=\"%s\"\n", name);
}

static void add_field_names(struct dictionary *dictionary)
{
    size_t count = 0, values = 0;
    const struct pica_field_info *const fields = pica_fields(&count);
    for (size_t i = 0; i < count; i++) {
        const struct pica_enum_value *const value = pica_enum_values(fields[i].enumeration, &values);
        add_text(dictionary, "layout", pica_layout_info(fields[i].layout)->name);
        add_text(dictionary, "field", fields[i].name);
        for (size_t k = 0; k < values; k++)
            add_text(dictionary, "value", value[k].name);
    }
}

static void add_names(struct dictionary *dictionary)
{
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        if (pica_reg_info(id)->layout != PICA_LAYOUT_NONE)
            add_text(dictionary, "register", pica_reg_info(id)->name);
    add_field_names(dictionary);
    for (uint32_t opcode = 0; opcode < PICA_OPCODE_TOTAL; opcode++)
        add_text(dictionary, "opcode", pica_opcode_info(opcode)->mnemonic);
    for (uint32_t i = 0; i < harness_part_count; i++)
        add_text(dictionary, "part", harness_parts[i].name);
}

/* ------------------------------------------------------------------------------------------------------- the files */

static bool save(const char *path, const struct harness_text *text)
{
    struct harness_error error = { "out of memory" };
    if (!text->failed && harness_file_write(path, text->data, text->size, &error) == HARNESS_OK)
        return true;
    fprintf(stderr, "make_dictionary: %s\n", error.message);
    return false;
}

static void add_words(struct dictionary *dictionary)
{
    add_records(dictionary);
    add_registers(dictionary);
    add_fields(dictionary);
    add_opcodes(dictionary);
    add_floats(dictionary);
    add_addresses(dictionary);
}

/* Appends the lines of the file `more`, if that is not NULL. */
static bool add_more(struct dictionary *dictionary, const char *more)
{
    struct harness_error error = { "" };
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (more == NULL)
        return true;
    if (harness_file_read(more, &bytes, &size, &error) != HARNESS_OK) {
        fprintf(stderr, "make_dictionary: %s\n", error.message);
        return false;
    }
    harness_text_bytes(&dictionary->text, bytes, size);
    free(bytes);
    return true;
}

static bool save_dictionary(const char *path, const char *kind, const char *more)
{
    static struct dictionary dictionary;
    dictionary.has_heads = strcmp(kind, "cases") == 0;
    harness_text_add(&dictionary.text, "# Made by make_dictionary from the tables of pica/: do not edit.\n");
    if (strcmp(kind, "names") == 0)
        add_names(&dictionary);
    else
        add_words(&dictionary);
    const bool saved = add_more(&dictionary, more) && save(path, &dictionary.text);
    harness_text_free(&dictionary.text);
    return saved;
}

/* Writes the options file that ClusterFuzz and OSS-Fuzz read. Without it libFuzzer's limit would be 4096 bytes. Its
 * entropic schedule is switched off: it recounts all features of all inputs, which with thousands of features an input
 * takes most of the time. */
static bool save_options(const char *path, const char *dictionary, unsigned most_bytes)
{
    const char *const slash = strrchr(dictionary, '/');
    struct harness_text text = { 0 };
    harness_text_format(&text, "[libfuzzer]\nmax_len = %u\ntimeout = %d\nrss_limit_mb = %d\nentropic = 0\ndict = %s\n",
                        most_bytes, HARNESS_INPUT_TIMEOUT, HARNESS_INPUT_MEMORY,
                        slash != NULL ? slash + 1 : dictionary);
    const bool saved = save(path, &text);
    harness_text_free(&text);
    return saved;
}

static bool is_kind(const char *word)
{
    return strcmp(word, "cases") == 0 || strcmp(word, "words") == 0 || strcmp(word, "names") == 0;
}

int main(int argc, char **argv)
{
    const unsigned long most_bytes = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
    if (argc < 5 || argc > 6 || !is_kind(argv[3]) || most_bytes == 0 || most_bytes > HARNESS_MAX_INPUT) {
        fprintf(stderr, "usage: make_dictionary DICTIONARY OPTIONS cases|words|names MOST_BYTES [MORE]\n");
        return 2;
    }
    return save_dictionary(argv[1], argv[3], argv[5]) && save_options(argv[2], argv[1], (unsigned)most_bytes) ? 0 : 4;
}
