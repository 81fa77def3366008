#include "harness/explore/resources.h"

#include "harness/case/grow.h"
#include "harness/case/shader_asm.h"
#include "harness/explore/script.h"
#include "harness/pages/json.h"
#include "harness/run/backends.h"
#include "pica/enums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A texture level that was written. Another one with the same bytes, size and format is the same file, whatever its
 * address. */
struct explore_image {
    uint64_t digest;
    enum pica_texture_format format;
    uint32_t width, height;
};

struct explore_program {
    uint32_t code[PICA_CODE_WORDS];
    uint32_t descriptors[HARNESS_DESCRIPTORS];
};

enum harness_status explore_resources_open(struct explore_resources *resources, struct harness_runner *runner,
                                           const char *directory, struct harness_error *error)
{
    memset(resources, 0, sizeof *resources);
    resources->directory = directory;
    resources->runner = runner;
    resources->image_rows = cJSON_CreateArray();
    resources->program_rows = cJSON_CreateArray();
    return resources->image_rows == NULL || resources->program_rows == NULL ? harness_fail_memory(error) : HARNESS_OK;
}

void explore_resources_close(struct explore_resources *resources)
{
    free(resources->images);
    free(resources->programs);
    cJSON_Delete(resources->image_rows);
    cJSON_Delete(resources->program_rows);
    memset(resources, 0, sizeof *resources);
}

/* ----------------------------------------------------------------------------------------------------------- images */

/* Texels R G B A, the upper row first. */
static enum harness_status write_image(struct explore_resources *resources, const struct pica_image *image,
                                       struct harness_error *error)
{
    const size_t size = (size_t)4 * image->width * image->height;
    uint8_t *const rgba = malloc(size);
    struct harness_text bytes = { 0 };
    char name[64];
    if (rgba == NULL)
        return harness_fail_memory(error);
    (void)snprintf(name, sizeof name, "images/%zu", resources->image_count);
    enum harness_status status = HARNESS_OK;
    if (harness_read_image(resources->runner, image, rgba, size) != PICA_OK)
        status = harness_fail(error, HARNESS_HOST, "%s: the texture cannot be read", name);
    harness_text_bytes(&bytes, rgba, size);
    if (status == HARNESS_OK)
        status = explore_write_script(resources->directory, name, &bytes, &resources->total, error);
    harness_text_free(&bytes);
    free(rgba);
    cJSON *const row = cJSON_CreateArray();
    cJSON_AddItemToArray(row, cJSON_CreateNumber(image->width));
    cJSON_AddItemToArray(row, cJSON_CreateNumber(image->height));
    cJSON_AddItemToArray(resources->image_rows, row);
    return status;
}

/* *index: the file with what its bytes are now, which is written if there is none. */
static enum harness_status find_image(struct explore_resources *resources, const struct pica_image *image,
                                      size_t *index, struct harness_error *error)
{
    const struct pica_backend *const backend = harness_runner_backend(resources->runner);
    uint8_t *const bytes = malloc((size_t)image->bytes + 1);
    if (bytes == NULL || backend->read_memory(harness_runner_instance(resources->runner), image->address, bytes,
                                              image->bytes) != PICA_OK) {
        free(bytes);
        return harness_fail_memory(error);
    }
    const struct explore_image wanted = { XXH3_64bits(bytes, image->bytes), image->format, image->width,
                                          image->height };
    free(bytes);
    for (*index = 0; *index < resources->image_count; ++*index) {
        const struct explore_image *const other = &resources->images[*index];
        if (other->digest == wanted.digest && other->format == wanted.format && other->width == wanted.width &&
            other->height == wanted.height)
            return HARNESS_OK;
    }
    struct explore_image *const images = harness_grow(resources->images, resources->image_count, sizeof *images);
    if (images == NULL)
        return harness_fail_memory(error);
    resources->images = images;
    const enum harness_status status = write_image(resources, image, error);
    resources->images[resources->image_count++] = wanted;
    return status;
}

static const char *enum_text(enum pica_enum_id id, uint32_t value)
{
    size_t count;
    const struct pica_enum_value *const values = pica_enum_values(id, &count);
    return value < count ? values[value].text : "?";
}

static enum harness_status add_unit(struct explore_resources *resources, struct pica_image *image, cJSON *units,
                                    struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    cJSON *const unit = harness_json_row(units);
    cJSON_AddNumberToObject(unit, "unit", image->unit);
    cJSON_AddStringToObject(unit, "type", enum_text(PICA_ENUM_TEXTURE_TYPE, image->type));
    cJSON_AddStringToObject(unit, "format", enum_text(PICA_ENUM_TEXTURE_FORMAT, image->format));
    harness_json_hex(unit, "address", image->address);
    cJSON_AddNumberToObject(unit, "faces", image->faces);
    cJSON_AddNumberToObject(unit, "levels", image->levels);
    cJSON *const images = cJSON_AddArrayToObject(unit, "images");
    const uint32_t count = image->faces * image->levels, levels = image->levels;
    for (uint32_t i = 0; status == HARNESS_OK && i < count; i++) {
        size_t index = 0;
        (void)harness_find_image(resources->runner, image->unit, i / levels, i % levels, image);
        if (image->width == 0 || image->height == 0)
            continue;
        status = find_image(resources, image, &index, error);
        cJSON_AddItemToArray(images, cJSON_CreateNumber((double)index));
    }
    return status;
}

enum harness_status explore_resources_images(struct explore_resources *resources, cJSON *draw,
                                             struct harness_error *error)
{
    cJSON *const units = cJSON_AddArrayToObject(draw, "textures");
    enum harness_status status = units == NULL ? harness_fail_memory(error) : HARNESS_OK;
    for (uint32_t unit = 0; status == HARNESS_OK && unit < 3; unit++) {
        struct pica_image image;
        if (harness_find_image(resources->runner, unit, 0, 0, &image) == PICA_OK)
            status = add_unit(resources, &image, units, error);
    }
    return status;
}

/* --------------------------------------------------------------------------------------------------------- programs */

static cJSON *program_text(const struct explore_program *program)
{
    struct harness_descriptors descriptors;
    struct harness_text text = { 0 };
    uint32_t end = PICA_CODE_WORDS;
    while (end > 0 && program->code[end - 1] == 0)
        end--;
    memcpy(descriptors.words, program->descriptors, sizeof descriptors.words);
    memset(descriptors.known, 0xFF, sizeof descriptors.known);
    for (uint32_t i = 0; i < end; i++) {
        harness_text_format(&text, "%" PRIu32 "\t", i);
        harness_shader_print(program->code[i], &descriptors, NULL, &text);
        harness_text_add(&text, "\n");
    }
    cJSON *const row = cJSON_CreateString(harness_text_string(&text));
    harness_text_free(&text);
    return row;
}

enum harness_status explore_resources_program(struct explore_resources *resources, const struct pica_shader_unit *unit,
                                              uint32_t *index, struct harness_error *error)
{
    for (size_t i = resources->program_count; i-- > 0;) {
        const struct explore_program *const other = &resources->programs[i];
        if (memcmp(other->code, unit->code, sizeof other->code) == 0 &&
            memcmp(other->descriptors, unit->opdesc, sizeof other->descriptors) == 0) {
            *index = (uint32_t)i;
            return HARNESS_OK;
        }
    }
    struct explore_program *const programs =
        harness_grow(resources->programs, resources->program_count, sizeof *programs);
    if (programs == NULL)
        return harness_fail_memory(error);
    resources->programs = programs;
    struct explore_program *const program = &programs[resources->program_count];
    memcpy(program->code, unit->code, sizeof program->code);
    memcpy(program->descriptors, unit->opdesc, sizeof program->descriptors);
    *index = (uint32_t)resources->program_count++;
    cJSON_AddItemToArray(resources->program_rows, program_text(program));
    return HARNESS_OK;
}
