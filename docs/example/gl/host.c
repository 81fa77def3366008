/* OpenGL ES 3 without a window: EGL's surfaceless platform, which Mesa has for every driver, including llvmpipe. */
#include "docs/example/gl/gl.h"

#include "pica/regs.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdlib.h>
#include <string.h>

struct gl_host {
    EGLDisplay display;
    EGLContext context;
    GLuint program, framebuffer, colors, texture, vertices;
};

static const char vertex_shader[] = "#version 300 es\n"
                                    "layout(location = 0) in vec4 position;\n"
                                    "layout(location = 1) in vec4 color;\n"
                                    "layout(location = 2) in vec2 texcoord;\n"
                                    "out highp vec4 primary;\n"
                                    "uniform highp vec2 half_size;\n"
                                    "out highp vec2 uv;\n"
                                    "void main() {\n"
                                    "    vec2 corner = position.xy;\n"
                                    "    if (position.w > 0.0)\n" /* VPT-03; what is clipped keeps its own grid */
                                    "        corner = floor(corner / position.w * half_size * 16.0 + 0.5) /\n"
                                    "                 (16.0 * half_size) * position.w;\n"
                                    "    gl_Position = vec4(corner, 2.0 * position.z + position.w, position.w);\n"
                                    "    primary = color;\n"
                                    "    uv = texcoord;\n"
                                    "}\n";

/* Six combiner stages: sources by number, and whether they are multiplied. */
static const char fragment_shader[] =
    "#version 300 es\n"
    "precision highp float;\n"
    "precision highp int;\n"
    "in highp vec4 primary;\n"
    "in highp vec2 uv;\n"
    "uniform sampler2D texture0;\n"
    "uniform ivec4 sources[6];\n"
    "uniform ivec2 modes[6];\n"
    "uniform vec4 constants[6];\n"
    "out vec4 fragment;\n"
    "vec4 pick(int source, int stage, vec4 base, vec4 texel, vec4 previous) {\n"
    "    return source == 0 ? base : source == 3 ? texel : source == 14 ? constants[stage] : previous;\n"
    "}\n"
    "void main() {\n"
    "    vec4 base = floor(clamp(primary, 0.0, 1.0) * 255.0 + 0.5) / 255.0;\n"
    "    vec4 texel = texture(texture0, uv);\n"
    "    vec4 result = vec4(0.0);\n"
    "    for (int i = 0; i < 6; i++) {\n"
    "        vec3 rgb = pick(sources[i].x, i, base, texel, result).rgb;\n"
    "        float alpha = pick(sources[i].z, i, base, texel, result).a;\n"
    "        if (modes[i].x == 1) rgb *= pick(sources[i].y, i, base, texel, result).rgb;\n"
    "        if (modes[i].y == 1) alpha *= pick(sources[i].w, i, base, texel, result).a;\n"
    "        result = floor(vec4(rgb, alpha) * 255.0 + 0.001) / 255.0;\n" /* TEV-10 */
    "    }\n"
    "    fragment = result;\n"
    "}\n";

/* --------------------------------------------------------------------------------------------------------- context */

static bool open_context(struct gl_host *host)
{
    static const EGLint config_wishes[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                                            EGL_NONE };
    static const EGLint context_wishes[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE };
    EGLConfig config = NULL;
    EGLint configs = 0;
    host->display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (host->display == EGL_NO_DISPLAY || !eglInitialize(host->display, NULL, NULL) ||
        !eglBindAPI(EGL_OPENGL_ES_API) || !eglChooseConfig(host->display, config_wishes, &config, 1, &configs) ||
        configs == 0)
        return false;
    host->context = eglCreateContext(host->display, config, EGL_NO_CONTEXT, context_wishes);
    return host->context != EGL_NO_CONTEXT &&
           eglMakeCurrent(host->display, EGL_NO_SURFACE, EGL_NO_SURFACE, host->context);
}

static GLuint compile(GLenum kind, const char *source)
{
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    return shader;
}

static bool link_program(struct gl_host *host)
{
    const GLuint vertex = compile(GL_VERTEX_SHADER, vertex_shader);
    const GLuint fragment = compile(GL_FRAGMENT_SHADER, fragment_shader);
    GLint good = 0;
    host->program = glCreateProgram();
    glAttachShader(host->program, vertex);
    glAttachShader(host->program, fragment);
    glLinkProgram(host->program);
    glGetProgramiv(host->program, GL_LINK_STATUS, &good);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return good != 0;
}

struct gl_host *gl_host_create(void)
{
    struct gl_host *const host = calloc(1, sizeof *host);
    if (host == NULL)
        return NULL;
    /* Mesa's threads and its cache on disk are of no use to many short processes. */
    (void)setenv("LP_NUM_THREADS", "0", 0);
    (void)setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
    (void)setenv("EGL_LOG_LEVEL", "fatal", 0);
    host->display = EGL_NO_DISPLAY;
    host->context = EGL_NO_CONTEXT;
    if (!open_context(host) || !link_program(host)) {
        gl_host_destroy(host);
        return NULL;
    }
    glGenFramebuffers(1, &host->framebuffer);
    glGenTextures(1, &host->colors);
    glGenTextures(1, &host->texture);
    glGenBuffers(1, &host->vertices);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    return host;
}

void gl_host_destroy(struct gl_host *host)
{
    if (host == NULL)
        return;
    if (host->display != EGL_NO_DISPLAY) {
        (void)eglMakeCurrent(host->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (host->context != EGL_NO_CONTEXT)
            (void)eglDestroyContext(host->display, host->context);
        (void)eglTerminate(host->display);
    }
    free(host);
}

/* ----------------------------------------------------------------------------------------------------------- state */

static GLenum factor(uint32_t pica)
{
    static const GLenum factors[16] = { GL_ZERO,
                                        GL_ONE,
                                        GL_SRC_COLOR,
                                        GL_ONE_MINUS_SRC_COLOR,
                                        GL_DST_COLOR,
                                        GL_ONE_MINUS_DST_COLOR,
                                        GL_SRC_ALPHA,
                                        GL_ONE_MINUS_SRC_ALPHA,
                                        GL_DST_ALPHA,
                                        GL_ONE_MINUS_DST_ALPHA,
                                        GL_CONSTANT_COLOR,
                                        GL_ONE_MINUS_CONSTANT_COLOR,
                                        GL_CONSTANT_ALPHA,
                                        GL_ONE_MINUS_CONSTANT_ALPHA,
                                        GL_SRC_ALPHA_SATURATE,
                                        GL_ONE };
    return factors[pica & 15];
}

static GLenum equation(uint32_t pica)
{
    static const GLenum equations[8] = { GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT,
                                         GL_MIN,      GL_MAX,           GL_FUNC_ADD,
                                         GL_FUNC_ADD, GL_FUNC_ADD };
    return equations[pica & 7];
}

static void set_blending(const struct gl_draw *draw)
{
    const uint32_t *const registers = draw->registers;
    const uint32_t blend = registers[PICA_REG_BLEND_FUNC], color = registers[PICA_REG_BLEND_COLOR];
    const GLenum source = factor(pica_blend_func_rgb_source(blend)), dest = factor(pica_blend_func_rgb_dest(blend));
    glDisable(GL_BLEND);
    if (pica_color_operation_blend_mode(registers[PICA_REG_COLOR_OPERATION]) != PICA_BLEND_MODE_BLEND)
        return;
    glEnable(GL_BLEND);
    glBlendEquationSeparate(equation(pica_blend_func_rgb_equation(blend)),
                            equation(pica_blend_func_alpha_equation(blend)));
    glBlendFuncSeparate(draw->swap_factors ? dest : source, draw->swap_factors ? source : dest,
                        factor(pica_blend_func_alpha_source(blend)), factor(pica_blend_func_alpha_dest(blend)));
    glBlendColor((float)pica_rgba8_red(color) / 255, (float)pica_rgba8_green(color) / 255,
                 (float)pica_rgba8_blue(color) / 255, (float)pica_rgba8_alpha(color) / 255);
}

static void set_combiner(const struct gl_host *host, const uint32_t *registers)
{
    static const uint32_t stages[6] = { PICA_REG_TEXENV0_SOURCE, PICA_REG_TEXENV1_SOURCE, PICA_REG_TEXENV2_SOURCE,
                                        PICA_REG_TEXENV3_SOURCE, PICA_REG_TEXENV4_SOURCE, PICA_REG_TEXENV5_SOURCE };
    GLint sources[6][4], modes[6][2];
    float constants[6][4];
    for (int i = 0; i < 6; i++) {
        const uint32_t *const stage = &registers[stages[i]];
        sources[i][0] = (GLint)pica_texenv_source_rgb_source0(stage[0]);
        sources[i][1] = (GLint)pica_texenv_source_rgb_source1(stage[0]);
        sources[i][2] = (GLint)pica_texenv_source_alpha_source0(stage[0]);
        sources[i][3] = (GLint)pica_texenv_source_alpha_source1(stage[0]);
        modes[i][0] = (GLint)pica_texenv_combiner_rgb_mode(stage[2]);
        modes[i][1] = (GLint)pica_texenv_combiner_alpha_mode(stage[2]);
        for (int k = 0; k < 4; k++)
            constants[i][k] = (float)(stage[3] >> 8 * k & 0xFF) / 255;
    }
    glUniform4iv(glGetUniformLocation(host->program, "sources"), 6, &sources[0][0]);
    glUniform2iv(glGetUniformLocation(host->program, "modes"), 6, &modes[0][0]);
    glUniform4fv(glGetUniformLocation(host->program, "constants"), 6, &constants[0][0]);
    glUniform1i(glGetUniformLocation(host->program, "texture0"), 0);
}

static GLint wrap(uint32_t pica)
{
    return pica == PICA_TEXTURE_WRAP_REPEAT            ? GL_REPEAT
           : pica == PICA_TEXTURE_WRAP_MIRRORED_REPEAT ? GL_MIRRORED_REPEAT
                                                       : GL_CLAMP_TO_EDGE;
}

static void set_texture(const struct gl_host *host, const uint32_t *registers, const struct gl_picture *texture)
{
    static const uint8_t nothing[4] = { 0 };
    const uint32_t param = registers[PICA_REG_TEXUNIT0_PARAM];
    const bool is_linear = pica_texunit_param_mag_filter(param) == PICA_TEXTURE_FILTER_LINEAR;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, host->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, is_linear ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, is_linear ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap(pica_texunit_param_wrap_s(param)));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap(pica_texunit_param_wrap_t(param)));
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, texture != NULL ? (GLsizei)texture->width : 1,
                 texture != NULL ? (GLsizei)texture->height : 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texture != NULL ? texture->pixels : nothing);
}

/* Float24 (FLT-10): 1, 7 and 16 bits; subnormal ones are no viewport. */
static float float24(uint32_t raw)
{
    const uint32_t exponent = raw >> 16 & 0x7F;
    const uint32_t bits = (raw >> 23 & 1) << 31 | (exponent == 0 ? 0 : (exponent + 64) << 23) | (raw & 0xFFFF) << 7;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void set_target(const struct gl_host *host, const uint32_t *registers, const struct gl_picture *target)
{
    const uint32_t mask = registers[PICA_REG_DEPTH_COLOR_MASK], corner = registers[PICA_REG_VIEWPORT_XY];
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, host->colors);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)target->width, (GLsizei)target->height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, target->pixels);
    glBindFramebuffer(GL_FRAMEBUFFER, host->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, host->colors, 0);
    glColorMask(pica_depth_color_mask_red_write(mask) != 0, pica_depth_color_mask_green_write(mask) != 0,
                pica_depth_color_mask_blue_write(mask) != 0, pica_depth_color_mask_alpha_write(mask) != 0);
    const float width = float24(registers[PICA_REG_VIEWPORT_WIDTH]);
    const float height = float24(registers[PICA_REG_VIEWPORT_HEIGHT]);
    glViewport(pica_viewport_xy_x(corner), pica_viewport_xy_y(corner), (GLsizei)(2 * width), (GLsizei)(2 * height));
    glUniform2f(glGetUniformLocation(host->program, "half_size"), width, height);
    glDisable(GL_DITHER);
}

bool gl_host_draw(struct gl_host *host, const struct gl_draw *draw, struct gl_picture *target,
                  const struct gl_picture *texture)
{
    static const struct {
        GLint size;
        size_t slot;
    } attributes[3] = { { 4, 0 }, { 4, PICA_OUTMAP_SEMANTIC_COLOR_R }, { 2, PICA_OUTMAP_SEMANTIC_TEXCOORD0_U } };
    glUseProgram(host->program);
    set_target(host, draw->registers, target);
    set_texture(host, draw->registers, texture);
    set_combiner(host, draw->registers);
    set_blending(draw);
    glBindBuffer(GL_ARRAY_BUFFER, host->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(draw->vertex_count * sizeof *draw->vertices), draw->vertices,
                 GL_STREAM_DRAW);
    for (GLuint i = 0; i < 3; i++) {
        glVertexAttribPointer(i, attributes[i].size, GL_FLOAT, GL_FALSE, sizeof *draw->vertices,
                              (const void *)(attributes[i].slot * sizeof(float)));
        glEnableVertexAttribArray(i);
    }
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)draw->vertex_count);
    glReadPixels(0, 0, (GLsizei)target->width, (GLsizei)target->height, GL_RGBA, GL_UNSIGNED_BYTE, target->pixels);
    return glGetError() == GL_NO_ERROR;
}
