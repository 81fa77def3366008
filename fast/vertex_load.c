/* From the bytes of arrays to the inputs of the vertex shader (VTX-03 to VTX-12). */
#include "fast/vertex_load.h"

#include "fast/gpu.h"
#include "fast/numbers.h"

static float convert_element(const struct fast_gpu *gpu, uint8_t type, uint32_t raw)
{
    switch ((enum pica_attribute_type)type) {
    case PICA_ATTRIBUTE_TYPE_BYTE: return (float)(int32_t)((raw ^ 0x80u) & 0xffu) - 128.0f;
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE: return (float)raw;
    case PICA_ATTRIBUTE_TYPE_SHORT: return (float)(int32_t)((raw ^ 0x8000u) & 0xffffu) - 32768.0f;
    case PICA_ATTRIBUTE_TYPE_FLOAT: return fast_float(gpu->profile == PICA_PROFILE_F24 ? fast_round24_bits(raw) : raw);
    }
    return 0.0f; /* not reached: the field has two bits */
}

/* VTX-09, MEM-03. */
void fast_load_attribute(struct fast_gpu *gpu, const struct fast_attribute_source *source, uint32_t vertex,
                         float vector[4])
{
    const uint32_t address = source->address + source->stride * vertex;
    const uint32_t size = (uint32_t)source->elements * source->element_size;
    if (fast_memory_span(gpu, address, size) == NULL)
        fast_event(gpu, PICA_EVENT_MEM_OOB);
    for (uint32_t k = 0; k < source->elements; k++) {
        const uint32_t element = address + k * source->element_size;
        uint32_t raw = 0u;
        if (source->element_size == 1u)
            raw = fast_read8(gpu, element);
        else
            raw = source->element_size == 2u ? fast_read16(gpu, element) : fast_read32(gpu, element);
        vector[k] = convert_element(gpu, source->type, raw);
    }
}

/* One element of 16 vertices: lane i's is at bytes + offsets[i]. */
static void load_element(const struct fast_gpu *gpu, uint8_t type, const uint8_t *bytes,
                         const size_t offsets[FAST_FILE_LANES], float row[FAST_FILE_LANES])
{
    switch ((enum pica_attribute_type)type) {
    case PICA_ATTRIBUTE_TYPE_BYTE:
        for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
            row[lane] = (float)((int32_t)(bytes[offsets[lane]] ^ 0x80u) - 128);
        break;
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE:
        for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
            row[lane] = (float)bytes[offsets[lane]];
        break;
    case PICA_ATTRIBUTE_TYPE_SHORT:
        for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
            row[lane] = (float)((int32_t)(fast_load_le16(bytes + offsets[lane]) ^ 0x8000u) - 32768);
        break;
    case PICA_ATTRIBUTE_TYPE_FLOAT:
        for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
            row[lane] = fast_float(fast_load_le32(bytes + offsets[lane]));
        if (gpu->profile == PICA_PROFILE_F24)
            for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
                row[lane] = fast_float(fast_round24_bits(fast_bits(row[lane])));
        break;
    }
}

/* VTX-46: every array attribute of `count` vertices, also those that no register takes. */
void fast_load_vertices(struct fast_gpu *gpu, const uint32_t numbers[FAST_FILE_LANES], uint32_t count)
{
    struct fast_vertices *const vertices = gpu->vertices;
    for (uint32_t s = 0; s < vertices->source_count; s++) {
        const struct fast_attribute_source *const source = &vertices->sources[s];
        const bool wanted = source->target != FAST_NO_REGISTER;
        const uint32_t first_row = wanted ? FAST_ROW_INPUTS + source->target * 4u : FAST_ROW_INPUTS;
        float(*const rows)[FAST_FILE_LANES] = &vertices->file.row[first_row];
        if (source->bytes != NULL) {
            size_t offsets[FAST_FILE_LANES];
            for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
                offsets[lane] = (size_t)source->stride * numbers[lane];
            for (uint32_t k = 0; wanted && k < source->elements; k++)
                load_element(gpu, source->type, source->bytes + (size_t)k * source->element_size, offsets, rows[k]);
            continue;
        }
        for (uint32_t lane = 0; lane < count; lane++) {
            float vector[4];
            fast_load_attribute(gpu, source, numbers[lane], vector);
            for (uint32_t k = 0; wanted && k < source->elements; k++)
                rows[k][lane] = vector[k];
        }
    }
}
