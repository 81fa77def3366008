/*
 * The frozen pack: cases and what they must leave, made once (vectors_write, ci/vectors) and read by everyone
 * (docs/formats/vectors.md). What the machine of the specification leaves is there twice: as a digest of every part
 * after every operation, for any reader, and as recorded results (harness/run/recording.h), which are compared as
 * another backend would be. What a machine with other sides of known choices leaves, `reference` says when it is asked
 * for (score.h); packs of versions 1 and 2 hold results of some such machines instead.
 */
#ifndef HARNESS_VECTORS_VECTORS_H
#define HARNESS_VECTORS_VECTORS_H

#include "harness/run/blocks.h"
#include "harness/case/case.h"
#include "harness/case/error.h"
#include "harness/run/surfaces.h"
#include "pica/backend.h"
#include "pica/splits.h"

#include <stddef.h>
#include <stdint.h>

enum {
    VECTORS_VERSION = 3, /* of the format; 1, which has no VECTORS_LINE, and 2 are read, too */
    VECTORS_TEXT = HARNESS_BLOCK_TEXT,
    VECTORS_MOST_OPEN = 64, /* registers, words and lines of a case that are not compared */
    VECTORS_ENGINE = 0x1000,
    VECTORS_PART = 0x2000,
    VECTORS_LINE = 0x3000,
    VECTORS_MOST_SIDES = 24 /* other acceptable results of one case */
};

/* What stands behind the expected result, best known first: the weakest of its rules (GEN-07). */
enum vectors_provenance {
    VECTORS_HW = 0,         /* measured on a console */
    VECTORS_DOC = 1,        /* a document says so */
    VECTORS_EMU = 2,        /* emulators do so */
    VECTORS_SPLIT = 3,      /* sources differ: what another side of an open choice leaves is right, too */
    VECTORS_CHOICE = 4,     /* nobody measured it: the specification chose */
    VECTORS_UNRECORDED = 5, /* emulators are said to do so: nobody wrote down which */
    VECTORS_PROVENANCES = 6
};

/* "hw", "doc", "emu", "split", "choice", "unrecorded"; NULL beyond. Static. */
const char *vectors_provenance_name(uint32_t provenance);

/* Where another side of a choice shows in a case. */
enum vectors_where {
    VECTORS_NOWHERE = 0,
    VECTORS_ELSEWHERE = 1, /* in registers or other state alone */
    VECTORS_IN_MEMORY = 2
};

/* One case as the pack describes it. Texts belong to the pack. */
struct vectors_case {
    const char *name;     /* "blend/BLD_02_worked_examples-3" */
    const char *area;     /* "framebuffer" */
    const char *rules;    /* "BLD-01 BLD-02" */
    const char *evidence; /* pieces of docs/hardware.md behind it: "H01 H16"; "" before version 3 */
    uint32_t version;     /* from 1; another one when its rules were amended */
    enum vectors_provenance provenance;
    uint32_t tells;                           /* enum pica_part, or'ed: where its operations change something */
    enum vectors_where touched[PICA_CHOICES]; /* choices that this program does not know are left out */
    /* Before version 3, what is not compared: registers, words from 0x10400000 on, and other lines of the state that
     * hold something else on some side of a choice that the case is not about, while memory is the same. */
    uint32_t open_count;
    uint32_t open[VECTORS_MOST_OPEN]; /* a register's id; VECTORS_ENGINE and the number of a word; VECTORS_PART and the
                                       * number of a part's bit; VECTORS_LINE and that of a
                                       * line of pica/state.def */
    /* Before version 3. */
    uint32_t side_count;
    uint32_t sides[VECTORS_MOST_SIDES]; /* of the pack, whose results are acceptable, too */
};

struct vectors;

/* HARNESS_BAD_INPUT with file, offset and what to do if it is cut, edited, or of another version. */
enum harness_status vectors_open(const char *path, struct vectors **out, struct harness_error *error);

/* The same from memory, which is borrowed for the pack's life. `name` is for messages. */
enum harness_status vectors_parse(const char *name, const uint8_t *bytes, size_t size, struct vectors **out,
                                  struct harness_error *error);
void vectors_close(struct vectors *vectors); /* accepts NULL */

/* The pack that the program holds: corpus/vectors. */
const uint8_t *vectors_builtin(size_t *size);

uint32_t vectors_format(const struct vectors *vectors); /* its version: 1 to VECTORS_VERSION */
uint32_t vectors_pack_version(const struct vectors *vectors);
size_t vectors_count(const struct vectors *vectors);
const struct vectors_case *vectors_about(const struct vectors *vectors, size_t index);

/* Reads the case itself, and the surfaces that it draws to or transfers to. */
enum harness_status vectors_load(const struct vectors *vectors, size_t index, struct harness_case *out,
                                 struct harness_surfaces *surfaces, struct harness_error *error);

/* The digests of what it must leave, in the order of steps (operations that are no loads, from 0). `what` is the number
 * of a part's bit, or VECTORS_SURFACE and the number of a surface; what does not appear is as after the step before. */
enum {
    VECTORS_SURFACE = 16
};
struct vectors_digest {
    uint32_t step, what;
    uint64_t digest;
};
size_t vectors_digests(const struct vectors *vectors, size_t index, const struct vectors_digest **out);

/* Side 0 is "": the specification. Others, before version 3, are named as quirks files do: "zero-area=drawn". */
size_t vectors_side_count(const struct vectors *vectors);
const char *vectors_side_name(const struct vectors *vectors, size_t side);

/* Answers for the cases that have a result on that side. */
const struct pica_backend *vectors_side_backend(const struct vectors *vectors, size_t side);

#endif
