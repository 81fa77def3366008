/* The kernel of kernels/shader.c: up to 16 invocations of a shader, and the output map. See shader_program.h. */
#ifndef FAST_VERTEX_SHADER_KERNEL_H
#define FAST_VERTEX_SHADER_KERNEL_H

struct fast_shader_run;

typedef void fast_shade_function(struct fast_shader_run *run);

#endif
