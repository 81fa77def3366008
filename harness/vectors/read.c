/* Reads a pack. Everything is checked when it is opened, but for what texts of cases and recorded steps unpack to. */
#include "harness/case/formats.h"
#include "harness/case/little.h"
#include "harness/run/recording.h"
#include "harness/vectors/format.h"
#include "harness/vectors/vectors.h"
#include "pica/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct entry {
    struct vectors_case about;
    char name[VECTORS_TEXT], area[VECTORS_TEXT], rules[VECTORS_TEXT], evidence[VECTORS_TEXT];
    struct harness_surface *surfaces;
    uint32_t surface_count;
    struct vectors_digest *digests;
    size_t digest_count;
    uint32_t raw;            /* bytes of the text */
    const uint8_t *deflated; /* in the file */
    uint32_t size;           /* bytes */
};

struct side {
    char name[VECTORS_TEXT];
    struct harness_recording *recording;
};

struct vectors {
    char file_name[VECTORS_TEXT];
    uint8_t *file; /* owned; NULL if the bytes are the caller's */
    uint32_t version, pack_version, entries_said, sides_said;
    struct side *sides;
    size_t side_count;
    struct entry *entries;
    size_t count;
};

const char *vectors_provenance_name(uint32_t provenance)
{
    static const char *const names[VECTORS_PROVENANCES] = { "hw", "doc", "emu", "split", "choice", "unrecorded" };
    return provenance < VECTORS_PROVENANCES ? names[provenance] : NULL;
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

/* A field of the block that `cursor` is in. */
static enum harness_status bad_field(const struct harness_blocks *cursor, const char *field)
{
    return harness_fail(cursor->error, HARNESS_BAD_INPUT,
                        "%s: offset %zu: %s is not what version %d says; fetch the "
                        "pack again",
                        cursor->name, cursor->at, field, VECTORS_VERSION);
}

/* ------------------------------------------------------------------------------------------------------------- head */

static enum harness_status read_head(struct vectors *vectors, struct harness_blocks *cursor)
{
    uint32_t kind = 0;
    char program[VECTORS_TEXT];
    if (cursor->size < VECTORS_MAGIC || memcmp(cursor->bytes, vectors_magic, VECTORS_MAGIC) != 0)
        return harness_blocks_bad(cursor, 0, "no pack of cases: they begin with PICAVEC1");
    cursor->at = VECTORS_MAGIC;
    const enum harness_status status = harness_blocks_next(cursor, &kind);
    if (status != HARNESS_OK)
        return status;
    if (kind != VECTORS_HEAD || !harness_take32(cursor, &vectors->version))
        return bad_field(cursor, "the first block HEAD");
    if (vectors->version == 0 || vectors->version > VECTORS_VERSION)
        return harness_fail(cursor->error, HARNESS_BAD_INPUT,
                            "%s: offset %zu: version %u; this program reads versions 1 to %d: fetch the pack that "
                            "belongs to it, or the program that belongs to the pack",
                            cursor->name, cursor->at - 4, (unsigned)vectors->version, VECTORS_VERSION);
    if (!harness_take32(cursor, &vectors->pack_version) || !harness_take32(cursor, &vectors->entries_said) ||
        !harness_take32(cursor, &vectors->sides_said) || !harness_take_text(cursor, program) ||
        cursor->at != cursor->end)
        return bad_field(cursor, "HEAD");
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------------ sides */

static enum harness_status read_side(struct vectors *vectors, struct harness_blocks *cursor)
{
    char name[VECTORS_TEXT + 64], text[VECTORS_TEXT];
    if (vectors->side_count == vectors->sides_said || vectors->count != 0 || !harness_take_text(cursor, text))
        return bad_field(cursor, "SIDE");
    struct side *const side = &vectors->sides[vectors->side_count];
    memcpy(side->name, text, sizeof text);
    (void)snprintf(name, sizeof name, "%.200s: block SIDE from offset %zu on", cursor->name, cursor->at);
    const size_t size = cursor->end - cursor->at;
    const enum harness_status status =
        harness_recording_parse(name, harness_take(cursor, size), size, &side->recording, cursor->error);
    if (status == HARNESS_OK)
        vectors->side_count++;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ cases */

static bool take_surfaces(struct harness_blocks *cursor, struct entry *entry)
{
    uint32_t count = 0;
    if (!harness_take32(cursor, &count) || count > HARNESS_MAX_SURFACES)
        return false;
    entry->surfaces = calloc(count + 1, sizeof *entry->surfaces);
    for (uint32_t i = 0; entry->surfaces != NULL && i < count; i++) {
        uint32_t words[VECTORS_SURFACE_WORDS] = { 0 };
        for (size_t k = 0; k < VECTORS_SURFACE_WORDS; k++)
            if (!harness_take32(cursor, &words[k]))
                return false;
        if (!vectors_holds_surface(words))
            return false;
        entry->surfaces[i] =
            (struct harness_surface){ { words[1], words[2], words[3], words[4], (enum oracle_format)words[5],
                                        (enum oracle_layout)words[6], words[7] != 0 },
                                      (enum harness_surface_origin)words[0] };
    }
    entry->surface_count = count;
    return entry->surfaces != NULL;
}

static const uint8_t *take_digest_bytes(struct harness_blocks *cursor, uint32_t *count)
{
    return harness_take32(cursor, count) ? harness_take(cursor, (size_t)*count * VECTORS_DIGEST) : NULL;
}

static bool take_digests(struct harness_blocks *cursor, struct entry *entry)
{
    uint32_t count = 0;
    const uint8_t *const bytes = take_digest_bytes(cursor, &count);
    entry->digests = bytes != NULL ? malloc(((size_t)count + 1) * sizeof *entry->digests) : NULL;
    if (entry->digests == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *const item = bytes + (size_t)i * VECTORS_DIGEST;
        const uint32_t head = harness_load32(item);
        entry->digests[i] = (struct vectors_digest){ head & 0xFFFFu, head >> 16, harness_load64(item + 4) };
    }
    entry->digest_count = count;
    return true;
}

/* Before version 3. What the machines of these sides leave is in their recorded results, too. */
static bool take_sides(struct harness_blocks *cursor, const struct vectors *vectors, struct vectors_case *about)
{
    uint32_t digests = 0;
    if (!harness_take32(cursor, &about->side_count) || about->side_count > VECTORS_MOST_SIDES)
        return false;
    for (uint32_t i = 0; i < about->side_count; i++)
        if (!harness_take32(cursor, &about->sides[i]) || about->sides[i] == 0 ||
            about->sides[i] >= vectors->side_count || take_digest_bytes(cursor, &digests) == NULL)
            return false;
    return true;
}

/* From version 3 on. */
static bool take_touched(struct harness_blocks *cursor, struct vectors_case *about)
{
    uint32_t count = 0;
    if (!harness_take32(cursor, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t where = 0;
        char name[VECTORS_TEXT];
        if (!harness_take32(cursor, &where) || where == VECTORS_NOWHERE || where > VECTORS_IN_MEMORY ||
            !harness_take_text(cursor, name))
            return false;
        const struct pica_choice_info *const info = pica_choice_by_name(name);
        if (info != NULL)
            about->touched[info->choice] = (enum vectors_where)where;
    }
    return true;
}

static bool is_open(uint32_t item)
{
    if (item >= VECTORS_LINE)
        return item - VECTORS_LINE < PICA_STATE_PARTS;
    if (item >= VECTORS_PART)
        return item - VECTORS_PART > 0 && item - VECTORS_PART < 32 &&
               (1u << (item - VECTORS_PART) & (uint32_t)PICA_PARTS_ALL) != 0;
    return item < PICA_REGISTERS || (item >= VECTORS_ENGINE && item - VECTORS_ENGINE < PICA_EXTERNAL_WORDS);
}

static bool take_open(struct harness_blocks *cursor, struct vectors_case *about)
{
    if (!harness_take32(cursor, &about->open_count) || about->open_count > VECTORS_MOST_OPEN)
        return false;
    for (uint32_t i = 0; i < about->open_count; i++)
        if (!harness_take32(cursor, &about->open[i]) || !is_open(about->open[i]))
            return false;
    return true;
}

/* The name of a field that is not right, or NULL. */
static const char *take_entry(struct harness_blocks *cursor, const struct vectors *vectors, struct entry *entry)
{
    uint32_t provenance = 0;
    const bool is_old = vectors->version < 3;
    struct vectors_case *const about = &entry->about;
    if (!harness_take32(cursor, &about->version) || about->version == 0)
        return "the version of a case";
    if (!harness_take32(cursor, &provenance) || provenance >= VECTORS_PROVENANCES)
        return "the provenance of a case";
    about->provenance = (enum vectors_provenance)provenance;
    if (!harness_take32(cursor, &about->tells) || (about->tells & ~(uint32_t)PICA_PARTS_ALL) != 0)
        return "what a case tells";
    if (is_old && !take_open(cursor, about))
        return "what of a case is not compared";
    if (!harness_take_text(cursor, entry->name) || entry->name[0] == '\0' || !harness_take_text(cursor, entry->area) ||
        !harness_take_text(cursor, entry->rules) || (!is_old && !harness_take_text(cursor, entry->evidence)))
        return "name, area, rules or evidence of a case";
    if (!take_surfaces(cursor, entry))
        return "a surface of a case";
    if (!take_digests(cursor, entry))
        return "a digest of a case";
    if (is_old ? !take_sides(cursor, vectors, about) : !take_touched(cursor, about))
        return "a side or a choice of a case";
    if (!harness_take32(cursor, &entry->raw) || entry->raw > VECTORS_MOST_TEXT)
        return "the size of a case";
    entry->size = (uint32_t)(cursor->end - cursor->at);
    entry->deflated = harness_take(cursor, entry->size);
    return NULL;
}

static enum harness_status read_case(struct vectors *vectors, struct harness_blocks *cursor)
{
    if (vectors->count == vectors->entries_said || vectors->side_count != vectors->sides_said)
        return bad_field(cursor, "CASE");
    struct entry *const entry = &vectors->entries[vectors->count++];
    const char *const field = take_entry(cursor, vectors, entry);
    if (field != NULL)
        return bad_field(cursor, field);
    entry->about.name = entry->name;
    entry->about.area = entry->area;
    entry->about.rules = entry->rules;
    entry->about.evidence = entry->evidence;
    return HARNESS_OK;
}

/* Room for what HEAD says, but never for more than the file could hold. */
static enum harness_status make_room(struct vectors *vectors, struct harness_blocks *cursor)
{
    const size_t most = cursor->size / HARNESS_BLOCK_HEAD;
    if (vectors->entries_said > most || vectors->sides_said > most || vectors->sides_said == 0)
        return bad_field(cursor, "the number of cases or sides in HEAD");
    vectors->entries = calloc(vectors->entries_said + (size_t)1, sizeof *vectors->entries);
    vectors->sides = calloc(vectors->sides_said, sizeof *vectors->sides);
    return vectors->entries != NULL && vectors->sides != NULL ? HARNESS_OK : harness_fail_memory(cursor->error);
}

static enum harness_status read_blocks(struct vectors *vectors, struct harness_blocks *cursor)
{
    uint32_t kind = 0;
    enum harness_status status = make_room(vectors, cursor);
    while (status == HARNESS_OK && kind != VECTORS_LAST) {
        status = harness_blocks_next(cursor, &kind);
        if (status != HARNESS_OK)
            return status;
        if (kind == VECTORS_SIDE)
            status = read_side(vectors, cursor);
        else if (kind == VECTORS_CASE)
            status = read_case(vectors, cursor);
        else if (kind != VECTORS_LAST || cursor->at != cursor->end)
            return bad_field(cursor, "the kind of a block");
    }
    if (status == HARNESS_OK && cursor->at != cursor->size)
        return harness_blocks_bad(cursor, cursor->at, "bytes after the block LAST");
    if (status == HARNESS_OK && vectors->count != vectors->entries_said)
        return harness_blocks_bad(cursor, cursor->at, "fewer cases than HEAD says");
    return status;
}

enum harness_status vectors_parse(const char *name, const uint8_t *bytes, size_t size, struct vectors **out,
                                  struct harness_error *error)
{
    *out = NULL;
    struct harness_blocks cursor = {
        .name = name, .bytes = bytes, .size = size, .error = error, .advice = "; fetch the pack again"
    };
    struct vectors *const vectors = calloc(1, sizeof *vectors);
    if (vectors == NULL)
        return harness_fail_memory(error);
    (void)snprintf(vectors->file_name, sizeof vectors->file_name, "%s", name);
    enum harness_status status = read_head(vectors, &cursor);
    if (status == HARNESS_OK)
        status = read_blocks(vectors, &cursor);
    if (status != HARNESS_OK) {
        vectors_close(vectors);
        return status;
    }
    *out = vectors;
    return HARNESS_OK;
}

enum harness_status vectors_open(const char *path, struct vectors **out, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    *out = NULL;
    enum harness_status status = harness_file_read(path, &bytes, &size, error);
    if (status == HARNESS_OK)
        status = vectors_parse(path, bytes, size, out, error);
    if (status == HARNESS_OK)
        (*out)->file = bytes;
    else
        free(bytes);
    return status;
}

void vectors_close(struct vectors *vectors)
{
    if (vectors == NULL)
        return;
    for (size_t i = 0; vectors->sides != NULL && i < vectors->side_count; i++)
        harness_recording_close(vectors->sides[i].recording);
    for (size_t i = 0; vectors->entries != NULL && i < vectors->count; i++) {
        free(vectors->entries[i].surfaces);
        free(vectors->entries[i].digests);
    }
    free(vectors->sides);
    free(vectors->entries);
    free(vectors->file);
    free(vectors);
}

/* ---------------------------------------------------------------------------------------------------------- answers */

uint32_t vectors_format(const struct vectors *vectors)
{
    return vectors->version;
}

uint32_t vectors_pack_version(const struct vectors *vectors)
{
    return vectors->pack_version;
}

size_t vectors_count(const struct vectors *vectors)
{
    return vectors->count;
}

const struct vectors_case *vectors_about(const struct vectors *vectors, size_t index)
{
    return &vectors->entries[index].about;
}

size_t vectors_digests(const struct vectors *vectors, size_t index, const struct vectors_digest **out)
{
    *out = vectors->entries[index].digests;
    return vectors->entries[index].digest_count;
}

size_t vectors_side_count(const struct vectors *vectors)
{
    return vectors->side_count;
}

const char *vectors_side_name(const struct vectors *vectors, size_t side)
{
    return vectors->sides[side].name;
}

const struct pica_backend *vectors_side_backend(const struct vectors *vectors, size_t side)
{
    return harness_recording_backend(vectors->sides[side].recording);
}

enum harness_status vectors_load(const struct vectors *vectors, size_t index, struct harness_case *out,
                                 struct harness_surfaces *surfaces, struct harness_error *error)
{
    const struct entry *const entry = &vectors->entries[index];
    const struct pica_choices normative = { { 0 } };
    uLongf size = entry->raw;
    char name[2 * VECTORS_TEXT];
    char *const text = malloc(entry->raw + (size_t)1);
    if (text == NULL)
        return harness_fail_memory(error);
    (void)snprintf(name, sizeof name, "%.200s: %s", vectors->file_name, entry->name);
    enum harness_status status = HARNESS_OK;
    if (uncompress((Bytef *)text, &size, entry->deflated, entry->size) != Z_OK || size != entry->raw)
        status = harness_fail(error, HARNESS_BAD_INPUT, "%s: its text cannot be unpacked; fetch the pack again", name);
    text[size <= entry->raw ? size : 0] = '\0';
    if (status == HARNESS_OK)
        status = harness_pcase_read(out, text, size, name, error);
    free(text);
    harness_surfaces_clear(surfaces, &normative);
    memcpy(surfaces->items, entry->surfaces, entry->surface_count * sizeof *entry->surfaces);
    surfaces->count = entry->surface_count;
    return status;
}
