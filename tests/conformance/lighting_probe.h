/*
 * A fully lit scene ("the studio") that the lighting tests change in the registers they care about. Four exact
 * fragments (dots) with different quaternions and view vectors; all four texture units bound to one colour each; every
 * lighting table filled; light 2 in slot 0 positional, light 5 ready for slot 1, directional and two-sided. ci/expected
 * recomputes the numbers of all rows from the rules.
 */
#ifndef TESTS_CONFORMANCE_LIGHTING_PROBE_H
#define TESTS_CONFORMANCE_LIGHTING_PROBE_H

#include "tests/conformance/fragment_probe.h"

enum {
    STUDIO_DOTS = 4,
    /* Its registers, for rows that change some bits. */
    STUDIO_CONFIG0 = 0x0000008C, /* 1C3: configuration 8 (raw), both fresnel bits */
    STUDIO_SELECT = 0x00532410   /* 1D1: D0 0, D1 1, SP 4, FR 2, RB 3, RG 5, RR 0 */
};

/* The scene's dots. */
void studio_dots(struct dots *dots);
/* Textures in memory, tables and registers in the list; lighting on; stage 0 passes `source` (1 or 2). */
void studio_load(struct machine *m);
void list_studio_tables(struct list *list);
void list_studio(struct list *list, uint32_t source);
/* The colours of the textures, units 0-3, as r<<24 | g<<16 | b<<8 | a. */
static const uint32_t STUDIO_TEXELS[4] = { 0xB45ADCFF, 0xFF804020, 0x0AC8804D, 0xDC28A0BE };

/* The rows of tables/lighting.txt: the studio, their writes, both lighting colours of the four dots. */
void check_studio(struct machine *m);

#endif
