/* Cases that differ in what a shader is given: inputs, uniforms, booleans, integers. The program stays. */
#ifndef HARNESS_SHADER_SHADER_VARY_H
#define HARNESS_SHADER_SHADER_VARY_H

#include "harness/shader/shader_case.h"

/* Once for each file: finds what can be varied, program by program. HARNESS_BAD_INPUT says why none can be drawn
 * with. */
enum harness_status harness_shader_prepare(struct harness_shader_file *file, const char *name,
                                           struct harness_error *error);

/*
 * Replaces `out` by the case of that seed: one of the file's vertex programs, some draws with it. Constants of the file
 * stay; half of the draws keep the position and the matrices that harness_shader_values_init makes up, so that
 * something is drawn.
 */
enum harness_status harness_shader_vary(const struct harness_shader_file *file, const char *name, uint64_t seed,
                                        struct harness_case *out, struct harness_error *error);

#endif
