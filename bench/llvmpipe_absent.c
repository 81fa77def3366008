/* bench/llvmpipe.h where EGL and OpenGL ES were not installed when this was built. */
#include "bench/llvmpipe.h"

#include <stdio.h>

struct bench_llvmpipe *bench_llvmpipe_open(enum bench_scene scene, const struct bench_size *size,
                                           struct bench_llvmpipe_error *error)
{
    (void)scene;
    (void)size;
    (void)snprintf(error->why, sizeof error->why, "built without EGL and OpenGL ES (libegl-dev, libgles-dev)");
    return NULL;
}

void bench_llvmpipe_close(struct bench_llvmpipe *pipe)
{
    (void)pipe;
}

void bench_llvmpipe_draw(struct bench_llvmpipe *pipe)
{
    (void)pipe;
}

void bench_llvmpipe_read(struct bench_llvmpipe *pipe, uint8_t *rgba)
{
    (void)pipe;
    (void)rgba;
}
