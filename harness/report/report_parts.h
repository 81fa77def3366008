/* What the files of the report share. Private to harness/report. */
#ifndef HARNESS_REPORT_REPORT_PARTS_H
#define HARNESS_REPORT_REPORT_PARTS_H

#include "harness/case/text.h"
#include "harness/report/report.h"
#include "harness/run/surfaces.h"
#include "oracles/screens.h"

enum {
    REPORT_MAX_PICTURES = 7, /* of one finding: three of screens, and of buffers */
    REPORT_NAME = 256,
    REPORT_FILE = 64
};

/* One buffer of a finding in which the two differ: files in its folder. */
struct report_picture {
    struct oracle_surface surface;
    const char *origin;
    bool is_screen;                    /* what a screen shows; it has no address */
    uint64_t differing;                /* pixels */
    uint32_t first_x, first_y;         /* y up */
    uint32_t left, top, width, height; /* the part that is shown, viewer's rows */
    uint32_t scale;                    /* shown pixels for one */
    char first[REPORT_FILE], second[REPORT_FILE], difference[REPORT_FILE], zoom[REPORT_FILE];
};

struct report_pictures {
    struct report_picture items[REPORT_MAX_PICTURES];
    size_t count;
};

struct cJSON;

struct report_entry {
    char *path, *name, *key, *title, *message;
    char bucket[HARNESS_BUCKET_NAME];
    char first_seen[HARNESS_MOMENT];     /* of the bucket; "": not known */
    struct harness_bucket_record record; /* of the directory of the case */
    const char *verdict;
    bool failed;                 /* the two differ, or one crashed or hung */
    const char *options;         /* of `picafuzz diff`; only while the page is written */
    char *accepted;              /* ... and that is no failure, because; "": it is one */
    bool not_tested;             /* a backend does not support the case */
    char *verdict_text;          /* what `verdict` points at, or NULL: it is static */
    bool has_operation;          /* the guilty one is known */
    uint32_t operation;          /* index in the case */
    uint32_t command;            /* that kills a backend, from 1; 0: none */
    uint32_t operations, writes; /* of the case: operations, register writes */
    uint64_t bytes;              /* of its binary form */
    struct harness_location location;
    struct report_pictures pictures;
    struct cJSON *memory; /* the first bytes that differ, side by side; owned; NULL: none do */
};

struct harness_report {
    char *directory;
    const char *specification; /* or NULL */
    struct report_entry *entries;
    size_t count;
    struct cJSON *hunts; /* an array of what harness_report_hunt was given; NULL: none */
};

/* Does it count as a failure? */
bool report_is_failure(const struct report_entry *entry);

/* 0: a failure; 1: a finding that is accepted; 2: neither; and its word: "finding", "accepted", "clear". */
int report_rank(const struct report_entry *entry);
const char *report_state(const struct report_entry *entry);

/* DIRECTORY/FOLDER/FILE, or DIRECTORY/FILE if the folder is "". HARNESS_BAD_INPUT if that does not fit into `size`. */
enum harness_status report_path(const char *directory, const char *folder, const char *file, char *out, size_t size,
                                struct harness_error *error);

/* Runs the case up to and including operation `last` of it (UINT32_MAX: all of it). `surfaces` gets the buffers that it
 * draws to, `out` the results; each may be NULL. */
enum harness_status report_run(struct harness_runner *runner, const struct harness_program *program, uint32_t last,
                               struct harness_surfaces *surfaces, struct oracle_run *out, struct harness_error *error);

/* What one screen shows on both sides, as a buffer of two runs that hold nothing else. */
struct report_screen {
    uint8_t *bytes;
    struct pica_window window;
    struct oracle_surface surface;
    struct oracle_run runs[2];
};

/* False if both show the same, or one is not known; then there is nothing to close. The address of *out stays. */
bool report_screen_open(const struct oracle_run *const runs[2], enum oracle_screen screen, struct report_screen *out);
void report_screen_close(struct report_screen *screen);

/* "colour buffer at 0x18000000, 64x64 RGBA8", "top screen, 400x240" */
void report_picture_title(const struct report_picture *picture, struct harness_text *out);

/* What a page shows of it. `first`, `second`: keys of the files of the two sides. */
struct cJSON *report_picture_json(const struct report_picture *picture, const char *first, const char *second);

/* Writes the pictures of one buffer, and says in *picture how its files are called. `number`: of the picture, from
 * 0. */
typedef enum harness_status (*report_picture_writer)(const void *user, const struct oracle_run runs[2],
                                                     struct report_picture *picture, unsigned number,
                                                     struct harness_error *error);

/* Finds the screens in which the two runs differ, which people look at first, and the buffers, and calls write(user,
 * ...) for each. Of a buffer with more than `side` pixels in a direction the part around the first that differs is
 * shown. */
enum harness_status report_find_pictures(const struct oracle_run runs[2], const struct harness_surfaces *surfaces,
                                         uint32_t side, report_picture_writer write, const void *user,
                                         struct report_pictures *out, struct harness_error *error);

/* The pictures of a finding, in its folder. */
enum harness_status report_write_pictures(const struct harness_report *report, struct report_entry *entry,
                                          const struct oracle_run runs[2], const struct harness_surfaces *surfaces,
                                          struct harness_error *error);

/*
 * Pixels (r, g, b bytes) of the part that is shown: of the first side, of the second one, and their difference, one
 * after the other. The difference is grey to white by how much the two differ in what is shown, red where only bits
 * differ that the picture does not show (alpha, stencil, low bits of depth), dark where they agree. To be freed; NULL
 * without memory.
 */
uint8_t *report_draw_picture(const struct oracle_run *a, const struct oracle_run *b,
                             const struct report_picture *picture);

/* Fills entry->memory, if memory differs. */
void report_write_memory(struct report_entry *entry, const struct oracle_run *a, const struct oracle_run *b);

/* Appends the lines of the case to the array `out`, the guilty one marked, long parts shortened. */
enum harness_status report_add_listing(const struct report_entry *entry, const struct harness_case *test_case,
                                       struct cJSON *out, struct harness_error *error);

/* "place": where the two first differ, in words; nothing is added where they do not. */
void report_add_place(const struct harness_location *location, struct cJSON *out);

/* What the index and the page say of an entry. */
struct cJSON *report_entry_json(const struct report_entry *entry);

/* Writes the object, which it deletes, as index.json, and as index.html by that view (harness/pages). */
enum harness_status report_write_index(const char *directory, const char *view, struct cJSON *object,
                                       struct harness_error *error);

/* Writes the page and the case of one finding. */
enum harness_status report_write_page(const struct harness_report *report, const struct report_entry *entry,
                                      const struct harness_case *test_case, struct harness_error *error);

#endif
