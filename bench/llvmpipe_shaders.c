#include "bench/llvmpipe_shaders.h"

/* The guest's clip volume is -w <= z <= 0 and the depth map turns z/w into depth by -1; OpenGL's volume is twice as
 * deep. Written as two instructions after the guest's shader. */
#define HEAD     "#version 300 es\nprecision highp float;\n"
#define POSITION "gl_Position = vec4(o0.xy, -2.0 * o0.z - o0.w, o0.w);\n"

static const char layers_vertex[] = HEAD "layout(location = 0) in vec4 v0;\n"
                                         "layout(location = 1) in vec4 v1;\n"
                                         "layout(location = 2) in vec4 v2;\n"
                                         "layout(location = 3) in vec4 v3;\n"
                                         "layout(location = 4) in vec4 v4;\n"
                                         "out vec2 texcoord;\n"
                                         "out vec4 quaternion;\n"
                                         "out vec3 view;\n"
                                         "out vec4 color;\n"
                                         "void main() {\n"
                                         "  vec4 o0 = v0;\n"
                                         "  texcoord = v1.xy;\n"
                                         "  quaternion = v2;\n"
                                         "  view = v3.xyz;\n"
                                         "  color = min(abs(v4), 1.0);\n" POSITION "}\n";

static const char triangles_vertex[] = HEAD "layout(location = 0) in vec4 v0;\n"
                                            "layout(location = 1) in vec4 v1;\n"
                                            "uniform vec4 c[50];\n"
                                            "out vec4 color;\n"
                                            "void main() {\n"
                                            "  vec4 o0 = v0;\n"
                                            "  color = min(abs(c[0] * v1), 1.0);\n" POSITION "}\n";

static const char shading_vertex[] =
    HEAD "layout(location = 0) in vec4 v0;\n"
         "layout(location = 1) in vec4 v1;\n"
         "layout(location = 2) in vec4 v2;\n"
         "layout(location = 3) in vec4 v3;\n"
         "uniform vec4 c[50];\n"
         "out vec4 color;\n"
         "out vec2 texcoord;\n"
         "void main() {\n"
         "  vec4 r0 = vec4(dot(c[4], v0), dot(c[5], v0), dot(c[6], v0), dot(c[7], v0));\n"
         "  vec4 o0 = vec4(dot(c[0], r0), dot(c[1], r0), dot(c[2], r0), dot(c[3], r0));\n"
         "  vec3 r1 = vec3(dot(c[8].xyz, v1.xyz), dot(c[9].xyz, v1.xyz), dot(c[10].xyz, v1.xyz));\n"
         "  r1 *= inversesqrt(dot(r1, r1));\n"
         "  float diffuse = max(dot(c[11].xyz, r1), c[18].x);\n"
         "  float highlight = max(dot(c[12].xyz, r1), c[18].x);\n"
         "  vec4 r4 = c[13] * diffuse + c[14] + highlight * highlight * c[15];\n"
         "  color = min(abs(r4 * v3), 1.0);\n"
         "  texcoord = vec2(dot(c[16], v2), dot(c[17], v2));\n" POSITION "}\n";

static const char skinning_vertex[] =
    HEAD "layout(location = 0) in vec4 v0;\n"
         "layout(location = 1) in vec4 v1;\n"
         "layout(location = 2) in vec4 v2;\n"
         "layout(location = 3) in vec4 v3;\n"
         "layout(location = 4) in vec4 v4;\n"
         "uniform vec4 c[50];\n"
         "out vec4 color;\n"
         "out vec2 texcoord;\n"
         "void main() {\n"
         "  int a = int(v3.x) + 20, b = int(v3.y) + 20;\n"
         "  vec3 r0 = vec3(dot(c[a], v0), dot(c[a + 1], v0), dot(c[a + 2], v0)) * v4.x;\n"
         "  r0 += vec3(dot(c[b], v0), dot(c[b + 1], v0), dot(c[b + 2], v0)) * v4.y;\n"
         "  vec4 p = vec4(r0, c[18].w);\n"
         "  vec4 o0 = vec4(dot(c[0], p), dot(c[1], p), dot(c[2], p), dot(c[3], p));\n"
         "  vec3 r2 = vec3(dot(c[8].xyz, v1.xyz), dot(c[9].xyz, v1.xyz), dot(c[10].xyz, v1.xyz));\n"
         "  r2 *= inversesqrt(dot(r2, r2));\n"
         "  color = min(abs(c[19] * max(dot(c[11].xyz, r2), c[18].x) + c[14]), 1.0);\n"
         "  texcoord = v2.xy;\n" POSITION "}\n";

static const char color_fragment[] = HEAD "in vec4 color;\n"
                                          "out vec4 target;\n"
                                          "void main() { target = color; }\n";

static const char texture_fragment[] = HEAD "in vec2 texcoord;\n"
                                            "in vec4 color;\n"
                                            "uniform sampler2D texture0;\n"
                                            "out vec4 target;\n"
                                            "void main() { target = texture(texture0, texcoord) * color; }\n";

/* LIT-11 to LIT-38 as far as the scene uses them, then six stages of TEV, each clamped. Colours and the position of the
 * light are uniforms, as a game would change them: f0 position, f1 diffuse, f2 light's ambient, f3 specular, f4 global
 * ambient, f5-f7 constants of stages 2 to 4. */
static const char light_fragment[] =
    HEAD "in vec2 texcoord;\n"
         "in vec4 quaternion;\n"
         "in vec3 view;\n"
         "in vec4 color;\n"
         "uniform sampler2D texture0;\n"
         "uniform sampler2D table;\n"
         "uniform vec4 f[8];\n"
         "out vec4 target;\n"
         "void main() {\n"
         "  vec4 q = quaternion / length(quaternion);\n"
         "  vec3 z = vec3(0.0, 0.0, 1.0);\n"
         "  vec3 n = z + 2.0 * cross(q.xyz, cross(q.xyz, z) + z * q.w);\n"
         "  vec3 v = normalize(view);\n"
         "  vec3 l = normalize(f[0].xyz + view);\n"
         "  float x = max(dot(n, normalize(v + l)), 0.0) * 256.0;\n"
         "  float i = clamp(floor(x), 0.0, 255.0);\n"
         "  vec2 entry = texelFetch(table, ivec2(int(i), 0), 0).xy;\n"
         "  float d0 = entry.x + entry.y * (x - i);\n"
         "  float nl = max(dot(l, n), 0.0);\n"
         "  vec4 primary = vec4(clamp(f[1].rgb * nl + f[2].rgb + f[4].rgb, 0.0, 1.0), 1.0);\n"
         "  vec4 secondary = vec4(clamp(d0 * f[3].rgb * (nl == 0.0 ? 0.0 : 1.0), 0.0, 1.0), 1.0);\n"
         "  vec4 t = texture(texture0, texcoord);\n"
         "  vec4 c = t * primary;\n"
         "  c = clamp(c + secondary, 0.0, 1.0);\n"
         "  c = clamp(mix(f[5], c, t), 0.0, 1.0);\n"
         "  c = clamp(c + f[6] - 0.5, 0.0, 1.0);\n"
         "  c = clamp(c * f[7] + t, 0.0, 1.0);\n"
         "  target = c * color;\n"
         "}\n";

const char *bench_vertex_glsl(enum bench_scene scene)
{
    switch (scene) {
    case BENCH_VERTEX_COLOR:
    case BENCH_TEXTURE_NEAREST:
    case BENCH_TEXTURE_BILINEAR:
    case BENCH_LIGHT:
    case BENCH_SMALL:
    case BENCH_SMALL_LIGHT: return layers_vertex;
    case BENCH_SHADER:
    case BENCH_ONE_VERTEX: return shading_vertex;
    case BENCH_SKINNING: return skinning_vertex;
    case BENCH_RANDOM:
    case BENCH_MESH:
    case BENCH_ONE_TRIANGLE:
    case BENCH_EMPTY: return triangles_vertex;
    }
    return ""; /* not reached */
}

const char *bench_fragment_glsl(enum bench_scene scene)
{
    if (scene == BENCH_LIGHT || scene == BENCH_SMALL_LIGHT)
        return light_fragment;
    return scene == BENCH_TEXTURE_NEAREST || scene == BENCH_TEXTURE_BILINEAR ? texture_fragment : color_fragment;
}
