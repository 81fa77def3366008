/* What draws use and share: texture images, shader programs as text. Each is kept once. */
#ifndef HARNESS_EXPLORE_RESOURCES_H
#define HARNESS_EXPLORE_RESOURCES_H

#include "harness/case/error.h"
#include "harness/run/runner.h"

#include <cjson/cJSON.h>
#include <stdint.h>

struct explore_image;
struct explore_program;

struct explore_resources {
    const char *directory;
    struct harness_runner *runner;
    struct explore_image *images;
    size_t image_count;
    struct explore_program *programs;
    size_t program_count;
    cJSON *image_rows;   /* [width, height] of images/N */
    cJSON *program_rows; /* text: "ADDRESS\tINSTRUCTION" lines */
    uint64_t total;      /* bytes of files */
};

enum harness_status explore_resources_open(struct explore_resources *resources, struct harness_runner *runner,
                                           const char *directory, struct harness_error *error);
void explore_resources_close(struct explore_resources *resources);

/* The images of the units that are live now: [{ "unit", "type", "format", "address", "faces", "levels", "images":
 * indices of image_rows, levels of the first face first }]. Added to `draw`, a JSON object. */
enum harness_status explore_resources_images(struct explore_resources *resources, cJSON *draw,
                                             struct harness_error *error);

/* The program that a shader unit runs now: index of program_rows. */
enum harness_status explore_resources_program(struct explore_resources *resources, const struct pica_shader_unit *unit,
                                              uint32_t *index, struct harness_error *error);

#endif
