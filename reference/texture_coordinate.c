/*
 * From interpolated texture coordinates to a place on an image and a level of detail. Unit 0 can do more than 2D:
 * divide by a third coordinate (projection, shadow maps), or choose one of six cube faces by the largest component.
 * How much texture one pixel covers decides between mipmap levels. A desktop GPU compares neighbouring pixels for that;
 * here the derivatives come from the planes of the triangle itself: an attribute is N / D with N and D linear in x and
 * y, so its derivative is (N' - value * D') / D. The level is log2 of the largest of the four derivatives in texels,
 * with 8 fraction bits and linear between powers of two: the exponent and upper mantissa bits of the float.
 *
 * Worked number: a footprint of 3 texels is 1.5 * 2^1, so the level is 1 + 0.5 = 384 / 256 (MIP-06, MIP-14). The
 * examples MIP-15, CUB-06 and TEX-91 go through derivatives, faces and projection.
 */
#include "reference/texture.h"

#include "reference/number.h"

/* MIP-03: an attribute is N / D. */
struct ref_slope ref_coordinate(const struct ref_fragment *fragment, uint32_t set, uint32_t component)
{
    const struct ref_rate *d = &fragment->gradient->r;
    const struct ref_rate *n = &fragment->gradient->tc[set][component];
    const float value = fragment->tc[set][component];
    const struct ref_slope result = {
        .value = value,
        .x = (n->x - (value * d->x)) * fragment->q,
        .y = (n->y - (value * d->y)) * fragment->q,
    };
    return result;
}

/* TEX-26, MIP-04: u / w with its derivatives. */
static struct ref_slope project(const struct ref_slope *u, const struct ref_slope *w)
{
    const float value = u->value / w->value;
    const struct ref_slope result = {
        .value = value,
        .x = (u->x - (value * w->x)) / w->value,
        .y = (u->y - (value * w->y)) / w->value,
    };
    return result;
}

/* CUB-01: X, Y and Z of a face as components of (u, v, w); Z is never negated. Order +X -X +Y -Y +Z -Z. */
struct face {
    uint8_t x, y, z;
    bool x_negative, y_negative;
};

static const struct face faces[6] = {
    { 2, 1, 0, true, true },  { 2, 1, 0, true, false }, { 0, 2, 1, false, false },
    { 0, 2, 1, true, false }, { 0, 1, 2, false, true }, { 0, 1, 2, false, false },
};

/* CUB-01: ties go to the later row; a NaN wins no comparison. */
static uint32_t select_face(float u, float v, float w)
{
    const float au = ref_abs(u);
    const float av = ref_abs(v);
    const float aw = ref_abs(w);
    if (au > av && au > aw)
        return u > 0.0f ? 0 : 1;
    if (av > aw)
        return v > 0.0f ? 2 : 3;
    return w > 0.0f ? 4 : 5;
}

static struct ref_slope signed_slope(const struct ref_slope *slope_in, bool negative)
{
    if (!negative)
        return *slope_in;
    const struct ref_slope result = {
        .value = ref_negate(slope_in->value),
        .x = ref_negate(slope_in->x),
        .y = ref_negate(slope_in->y),
    };
    return result;
}

/* CUB-02, CUB-05: one coordinate on the face. */
static struct ref_slope project_on_face(const struct ref_slope *x, const struct ref_slope *z)
{
    const float ratio = x->value / z->value;
    const struct ref_slope result = {
        .value = (ratio * 0.5f) + 0.5f,
        .x = ((x->x - (ratio * z->x)) / z->value) * 0.5f,
        .y = ((x->y - (ratio * z->y)) / z->value) * 0.5f,
    };
    return result;
}

/* CUB-01, CUB-02 */
static void cube_coordinates(const struct ref_slope tc[3], struct ref_coordinates *out)
{
    out->face = select_face(tc[0].value, tc[1].value, tc[2].value);
    const struct face *face = &faces[out->face];
    const struct ref_slope x = signed_slope(&tc[face->x], face->x_negative);
    const struct ref_slope y = signed_slope(&tc[face->y], face->y_negative);
    const struct ref_slope *z = &tc[face->z];
    out->s = project_on_face(&x, z);
    out->t = project_on_face(&y, z);
    out->z = z->value;
}

/* TEX-08: only set 0 has a third component, and only unit 0, which uses set 0, has types other than 2D (TEX-15). */
void ref_coordinates(const struct ref_fragment *fragment, uint32_t set, enum pica_texture_type type, bool no_division,
                     struct ref_coordinates *coordinates)
{
    const struct ref_slope u = ref_coordinate(fragment, set, 0);
    const struct ref_slope v = ref_coordinate(fragment, set, 1);
    coordinates->s = u;
    coordinates->t = v;
    coordinates->face = 0;
    coordinates->z = 0.0f;
    if (type == PICA_TEXTURE_TYPE_2D)
        return;
    const struct ref_slope tc[3] = { u, v, ref_coordinate(fragment, 0, 2) };
    if (type == PICA_TEXTURE_TYPE_CUBE || type == PICA_TEXTURE_TYPE_SHADOW_CUBE) {
        cube_coordinates(tc, coordinates);
        return;
    }
    coordinates->z = tc[2].value;
    if (type == PICA_TEXTURE_TYPE_SHADOW_2D && no_division) /* SDW-01 */
        return;
    coordinates->s = project(&tc[0], &tc[2]);
    coordinates->t = project(&tc[1], &tc[2]);
}

int32_t ref_footprint_lod(float footprint)
{
    return (int32_t)((ref_bits(footprint) & 0x7FFFFFFFu) >> 15) - 32512;
}

int32_t ref_lod(const struct ref_coordinates *coordinates, uint32_t width, uint32_t height)
{
    const float a = ref_abs(coordinates->s.x * (float)width);
    const float b = ref_abs(coordinates->s.y * (float)width);
    const float c = ref_abs(coordinates->t.x * (float)height);
    const float e = ref_abs(coordinates->t.y * (float)height);
    return ref_footprint_lod(ref_greater(ref_greater(a, b), ref_greater(c, e)));
}
