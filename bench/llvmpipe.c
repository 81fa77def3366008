#define _POSIX_C_SOURCE 200809L
#include "bench/llvmpipe.h"

#include "bench/builder.h"
#include "bench/llvmpipe_shaders.h"
#include "oracles/pixels.h"
#include "pica/regs.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DRAWS = 64,
    MOST_UNIFORMS = 50, /* as the shaders declare */
    TABLE_ENTRIES = 256,
    LIGHT_UNIFORMS = 8
};

struct draw {
    uint32_t vertices; /* offset of the arrays in the buffer */
    uint32_t indices;
    uint32_t count;
    bool is_indexed;
};

struct bench_llvmpipe {
    enum bench_scene scene;
    struct bench_size size;
    struct harness_case *test_case;
    EGLDisplay display;
    EGLContext context;
    GLuint framebuffer, colors, depths, vertices, texture, table, program;
    /* What the scene's list says. */
    uint32_t registers[PICA_REGISTERS];
    float uniforms[MOST_UNIFORMS][4];
    uint32_t entries[TABLE_ENTRIES];
    uint32_t entry_count;
    struct draw draws[MOST_DRAWS];
    size_t draw_count;
};

/* The scene's light and constant colours, bench/scene_layers.c: position, diffuse, ambient, specular, global ambient,
 * constants of stages 2 to 4. */
static const float light_uniforms[LIGHT_UNIFORMS][4] = {
    { 1.0f, 0.5f, 2.0f, 0.0f },
    { 192 / 255.0f, 208 / 255.0f, 224 / 255.0f, 0.0f },
    { 16 / 255.0f, 16 / 255.0f, 16 / 255.0f, 0.0f },
    { 255 / 255.0f, 224 / 255.0f, 192 / 255.0f, 0.0f },
    { 32 / 255.0f, 32 / 255.0f, 32 / 255.0f, 0.0f },
    { 192 / 255.0f, 128 / 255.0f, 64 / 255.0f, 255 / 255.0f },
    { 96 / 255.0f, 112 / 255.0f, 144 / 255.0f, 128 / 255.0f },
    { 255 / 255.0f, 224 / 255.0f, 160 / 255.0f, 192 / 255.0f },
};

static bool fail(struct bench_llvmpipe_error *error, const char *why, const char *detail)
{
    (void)snprintf(error->why, sizeof error->why, "%s%s%s", why, detail[0] != '\0' ? ": " : "", detail);
    return false;
}

/* ------------------------------------------------------------------------------------------------ the scene's list */

static void note_draw(struct bench_llvmpipe *pipe, bool is_indexed)
{
    if (pipe->draw_count == MOST_DRAWS)
        return;
    pipe->draws[pipe->draw_count++] = (struct draw){
        .vertices = pipe->registers[PICA_REG_ATTRIBBUFFER0_OFFSET],
        .indices = pica_indexbuffer_config_offset(pipe->registers[PICA_REG_INDEXBUFFER_CONFIG]),
        .count = pipe->registers[PICA_REG_NUMVERTICES],
        .is_indexed = is_indexed,
    };
}

/* REG-22, float32 mode: four words, w first. */
static void note_uniform(struct bench_llvmpipe *pipe, const uint32_t *words)
{
    uint32_t *const index = &pipe->registers[PICA_REG_VSH_FLOATUNIFORM_INDEX];
    const uint32_t number = *index & 0x7F;
    for (uint32_t k = 0; k < 4 && number < MOST_UNIFORMS; k++)
        memcpy(&pipe->uniforms[number][k], &words[3 - k], sizeof words[0]);
    ++*index;
}

static void note_command(struct bench_llvmpipe *pipe, const struct harness_command *command)
{
    if (command->id == PICA_REG_VSH_FLOATUNIFORM_DATA0 && command->count == 4)
        note_uniform(pipe, command->parameters);
    else if (command->id == PICA_REG_LIGHTING_LUT_DATA0)
        for (uint32_t i = 0; i < command->count && pipe->entry_count < TABLE_ENTRIES; i++)
            pipe->entries[pipe->entry_count++] = command->parameters[i];
    else if (command->id == PICA_REG_DRAWARRAYS || command->id == PICA_REG_DRAWELEMENTS)
        note_draw(pipe, command->id == PICA_REG_DRAWELEMENTS);
    else if (command->id < PICA_REGISTERS && command->count == 1)
        pipe->registers[command->id] = command->parameters[0];
}

static bool read_scene(struct bench_llvmpipe *pipe, struct bench_llvmpipe_error *error)
{
    pipe->test_case = harness_case_create();
    if (pipe->test_case == NULL || !bench_scene_build(pipe->test_case, pipe->scene, &pipe->size))
        return fail(error, "out of memory", "");
    if (pipe->test_case->operation_count == 0)
        return fail(error, "the scene draws nothing", "");
    const struct harness_list *const list =
        &pipe->test_case->operations[pipe->test_case->operation_count - 1].data.list;
    for (uint32_t i = 0; i < list->count; i++)
        note_command(pipe, &list->commands[i]);
    return true;
}

/* --------------------------------------------------------------------------------------------------------- the host */

/* The caller's thread alone, no GPU, no files. Before the first call of EGL. */
static void set_environment(void)
{
    (void)setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    (void)setenv("GALLIUM_DRIVER", "llvmpipe", 1);
    (void)setenv("LP_NUM_THREADS", "0", 1);
    (void)setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    (void)setenv("EGL_LOG_LEVEL", "fatal", 0);
}

static bool open_context(struct bench_llvmpipe *pipe, struct bench_llvmpipe_error *error)
{
    static const EGLint config_wishes[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                                            EGL_NONE };
    static const EGLint context_wishes[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE };
    EGLConfig config = NULL;
    EGLint configs = 0;
    set_environment();
    pipe->display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (pipe->display == EGL_NO_DISPLAY || !eglInitialize(pipe->display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
        return fail(error, "EGL has no surfaceless display", "Mesa is not installed (libegl-mesa0, libgl1-mesa-dri)");
    if (!eglChooseConfig(pipe->display, config_wishes, &config, 1, &configs) || configs == 0)
        return fail(error, "EGL has no configuration for OpenGL ES 3", "");
    pipe->context = eglCreateContext(pipe->display, config, EGL_NO_CONTEXT, context_wishes);
    if (pipe->context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(pipe->display, EGL_NO_SURFACE, EGL_NO_SURFACE, pipe->context))
        return fail(error, "no OpenGL ES 3 context without a surface", "");
    const char *const renderer = (const char *)glGetString(GL_RENDERER);
    if (renderer == NULL || strstr(renderer, "llvmpipe") == NULL)
        return fail(error, "the renderer is not llvmpipe", renderer != NULL ? renderer : "none");
    return true;
}

static GLuint compile(GLenum kind, const char *source, struct bench_llvmpipe_error *error)
{
    const GLuint shader = glCreateShader(kind);
    GLint good = 0;
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
        char log[400] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        (void)fail(error, "shader", log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

static bool link_program(struct bench_llvmpipe *pipe, struct bench_llvmpipe_error *error)
{
    const GLuint vertex = compile(GL_VERTEX_SHADER, bench_vertex_glsl(pipe->scene), error);
    const GLuint fragment = vertex != 0 ? compile(GL_FRAGMENT_SHADER, bench_fragment_glsl(pipe->scene), error) : 0;
    GLint good = 0;
    if (fragment != 0) {
        pipe->program = glCreateProgram();
        glAttachShader(pipe->program, vertex);
        glAttachShader(pipe->program, fragment);
        glLinkProgram(pipe->program);
        glGetProgramiv(pipe->program, GL_LINK_STATUS, &good);
        if (!good)
            (void)fail(error, "the shaders do not link", "");
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return good != 0;
}

/* ------------------------------------------------------------------------------------------------------- contents */

static bool make_target(struct bench_llvmpipe *pipe, struct bench_llvmpipe_error *error)
{
    const GLsizei width = (GLsizei)pipe->size.width, height = (GLsizei)pipe->size.height;
    glGenFramebuffers(1, &pipe->framebuffer);
    glGenRenderbuffers(1, &pipe->colors);
    glGenRenderbuffers(1, &pipe->depths);
    glBindFramebuffer(GL_FRAMEBUFFER, pipe->framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, pipe->colors);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, pipe->colors);
    glBindRenderbuffer(GL_RENDERBUFFER, pipe->depths);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, pipe->depths);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return fail(error, "no framebuffer of RGBA8 and D24S8", "");
    glViewport(0, 0, width, height);
    glClearColor(0, 0, 0, 0); /* as the windows of a case begin: all zeros */
    glClearDepthf(0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    return true;
}

/* All contents of guest memory but the texture, at the same distances from each other. */
static bool make_vertices(struct bench_llvmpipe *pipe, struct bench_llvmpipe_error *error)
{
    const struct harness_case *const test_case = pipe->test_case;
    uint32_t size = 0;
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        if (test_case->chunks[i].data.kind == HARNESS_DATA_BYTES)
            size = test_case->chunks[i].address - BENCH_DATA_ADDRESS + test_case->chunks[i].data.size;
    uint8_t *const bytes = calloc(size + 1, 1);
    if (bytes == NULL)
        return fail(error, "out of memory", "");
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        if (test_case->chunks[i].data.kind == HARNESS_DATA_BYTES)
            harness_data_write(&test_case->chunks[i].data, false,
                               bytes + (test_case->chunks[i].address - BENCH_DATA_ADDRESS));
    glGenBuffers(1, &pipe->vertices);
    glBindBuffer(GL_ARRAY_BUFFER, pipe->vertices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, pipe->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, bytes, GL_STATIC_DRAW);
    free(bytes);
    return true;
}

/* TEX-22: texels lie in tiles; the first row of memory is the top one. OpenGL counts rows from t = 0. */
static bool make_texture(struct bench_llvmpipe *pipe, struct bench_llvmpipe_error *error)
{
    const struct oracle_surface surface = { .width = BENCH_TEXTURE_SIDE,
                                            .height = BENCH_TEXTURE_SIDE,
                                            .pitch = BENCH_TEXTURE_SIDE,
                                            .format = ORACLE_FORMAT_RGBA8,
                                            .layout = ORACLE_LAYOUT_TILED,
                                            .rows_reversed = false };
    const size_t size = (size_t)BENCH_TEXTURE_SIDE * BENCH_TEXTURE_SIDE * 4;
    const struct harness_data *data = NULL;
    for (uint32_t i = 0; i < pipe->test_case->chunk_count; i++)
        if (pipe->test_case->chunks[i].data.kind == HARNESS_DATA_PATTERN)
            data = &pipe->test_case->chunks[i].data;
    if (data == NULL)
        return true;
    uint8_t *const guest = malloc(2 * size);
    if (guest == NULL || data->size != size) {
        free(guest);
        return fail(error, "out of memory", "");
    }
    uint8_t *const texels = guest + size;
    harness_data_write(data, false, guest);
    for (uint32_t y = 0; y < BENCH_TEXTURE_SIDE; y++)
        for (uint32_t x = 0; x < BENCH_TEXTURE_SIDE; x++) {
            const struct oracle_pixel pixel =
                oracle_pixel_decode(surface.format, guest + oracle_pixel_offset(&surface, x, y));
            uint8_t *const texel = texels + ((size_t)(BENCH_TEXTURE_SIDE - 1 - y) * BENCH_TEXTURE_SIDE + x) * 4;
            for (int k = 0; k < 4; k++)
                texel[k] = (uint8_t)pixel.channel[k];
        }
    const GLint filter = pipe->scene == BENCH_TEXTURE_NEAREST ? GL_NEAREST : GL_LINEAR;
    glGenTextures(1, &pipe->texture);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, pipe->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, BENCH_TEXTURE_SIDE, BENCH_TEXTURE_SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels);
    free(guest);
    return true;
}

/* LIT-17: value and difference. */
static void make_table(struct bench_llvmpipe *pipe)
{
    float texels[TABLE_ENTRIES][2];
    for (uint32_t i = 0; i < TABLE_ENTRIES; i++) {
        texels[i][0] = (float)(pipe->entries[i] & 0xFFF) / 4095.0f;
        texels[i][1] = (float)(pipe->entries[i] >> 12 & 0x7FF) / 2047.0f;
    }
    glGenTextures(1, &pipe->table);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, pipe->table);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32F, TABLE_ENTRIES, 1, 0, GL_RG, GL_FLOAT, texels);
}

static void set_state(struct bench_llvmpipe *pipe)
{
    const uint32_t mask = pipe->registers[PICA_REG_DEPTH_COLOR_MASK];
    const bool culls = pica_faceculling_config_mode(pipe->registers[PICA_REG_FACECULLING_CONFIG]) != 0;
    glUseProgram(pipe->program);
    glUniform4fv(glGetUniformLocation(pipe->program, "c"), MOST_UNIFORMS, &pipe->uniforms[0][0]);
    glUniform4fv(glGetUniformLocation(pipe->program, "f"), LIGHT_UNIFORMS, &light_uniforms[0][0]);
    glUniform1i(glGetUniformLocation(pipe->program, "texture0"), 0);
    glUniform1i(glGetUniformLocation(pipe->program, "table"), 1);
    glEnable(GL_DEPTH_TEST); /* without it OpenGL would not write depth either */
    glDepthFunc(pica_depth_color_mask_depth_test(mask) ? GL_GEQUAL : GL_ALWAYS);
    glDisable(GL_DITHER);
    if (culls)
        glEnable(GL_CULL_FACE);
    if (pipe->scene == BENCH_VERTEX_COLOR || pipe->scene == BENCH_SMALL) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    }
}

/* --------------------------------------------------------------------------------------------------------- drawing */

/* OpenGL takes distances into the bound buffer as pointers. */
static const void *offset(uint32_t bytes)
{
    return (const void *)(uintptr_t)bytes;
}

/* VTX-02 to VTX-04, for arrays of bytes and floats. Bytes are not normalised. */
static void set_arrays(const struct bench_llvmpipe *pipe, uint32_t first)
{
    const uint32_t formats = pipe->registers[PICA_REG_ATTRIBBUFFERS_FORMAT_LOW];
    const uint32_t config = pipe->registers[PICA_REG_ATTRIBBUFFER0_CONFIG2];
    uint32_t next = first;
    for (uint32_t i = 0; i < pica_attribbuffer_config2_count(config); i++) {
        const uint32_t format = formats >> (4 * i);
        const bool is_float = (format & 3) == PICA_ATTRIBUTE_TYPE_FLOAT;
        const uint32_t elements = (format >> 2 & 3) + 1;
        if (is_float)
            next = first + (next - first + 3) / 4 * 4;
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, (GLint)elements, is_float ? GL_FLOAT : GL_UNSIGNED_BYTE, GL_FALSE,
                              (GLsizei)pica_attribbuffer_config2_stride(config), offset(next));
        next += elements * (is_float ? 4 : 1);
    }
}

void bench_llvmpipe_draw(struct bench_llvmpipe *pipe)
{
    for (size_t i = 0; i < pipe->draw_count; i++) {
        const struct draw *const draw = &pipe->draws[i];
        set_arrays(pipe, draw->vertices);
        if (draw->is_indexed)
            glDrawElements(GL_TRIANGLES, (GLsizei)draw->count, GL_UNSIGNED_SHORT, offset(draw->indices));
        else
            glDrawArrays(GL_TRIANGLES, 0, (GLsizei)draw->count);
    }
    glFinish();
}

void bench_llvmpipe_read(struct bench_llvmpipe *pipe, uint8_t *rgba)
{
    glReadPixels(0, 0, (GLsizei)pipe->size.width, (GLsizei)pipe->size.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}

struct bench_llvmpipe *bench_llvmpipe_open(enum bench_scene scene, const struct bench_size *size,
                                           struct bench_llvmpipe_error *error)
{
    struct bench_llvmpipe *const pipe = calloc(1, sizeof *pipe);
    error->why[0] = '\0';
    if (pipe == NULL) {
        (void)fail(error, "out of memory", "");
        return NULL;
    }
    pipe->scene = scene;
    pipe->size = *size;
    pipe->display = EGL_NO_DISPLAY;
    pipe->context = EGL_NO_CONTEXT;
    if (!read_scene(pipe, error) || !open_context(pipe, error) || !link_program(pipe, error) ||
        !make_target(pipe, error) || !make_vertices(pipe, error) || !make_texture(pipe, error)) {
        bench_llvmpipe_close(pipe);
        return NULL;
    }
    make_table(pipe);
    set_state(pipe);
    if (glGetError() != GL_NO_ERROR) {
        (void)fail(error, "OpenGL refused the scene", "");
        bench_llvmpipe_close(pipe);
        return NULL;
    }
    return pipe;
}

void bench_llvmpipe_close(struct bench_llvmpipe *pipe)
{
    if (pipe == NULL)
        return;
    if (pipe->context != EGL_NO_CONTEXT) {
        (void)eglMakeCurrent(pipe->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        (void)eglDestroyContext(pipe->display, pipe->context); /* with all its objects */
    }
    if (pipe->display != EGL_NO_DISPLAY)
        (void)eglTerminate(pipe->display);
    harness_case_destroy(pipe->test_case);
    free(pipe);
}
