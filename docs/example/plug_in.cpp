/*
 * A minimal plug-in in C++: what plug_in.c does, with a class for the GPU. Put your own in its place. No exception may
 * leave these functions. Build, from the root of the tree, and try:
 *
 *     c++ -std=c++11 -shared -fPIC -I. -o plug_in.so docs/example/plug_in.cpp
 *     picafuzz backends ./plug_in.so
 *     picafuzz diff -b reference,./plug_in.so corpus/
 */
#include "pica/backend.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

namespace
{

/* Replace this by your emulator's GPU. It has all of VRAM and FCRAM; only the windows of the case are compared. */
class Gpu
{
  public:
    Gpu() : vram(0x600000), fcram(0x8000000)
    {
    }

    /* Forgets the previous case: clears the windows of the new one, writes their contents, takes over the state. */
    pica_status load(const pica_setup &setup)
    {
        if (setup.initial_state != nullptr)
            return PICA_NOT_SUPPORTED; /* no registers here; set yours from initial_state, or reset them if NULL */
        windows.assign(setup.windows, setup.windows + setup.window_count);
        for (const pica_window &window : windows)
            std::fill_n(at(window.address), window.size, std::uint8_t{ 0 });
        for (std::uint32_t i = 0; i < setup.chunk_count; i++)
            write(setup.chunks[i].address, setup.chunks[i].data, setup.chunks[i].size);
        return PICA_OK;
    }

    pica_status run(const pica_operation &operation)
    {
        switch (operation.kind) {
        case PICA_OPERATION_LOAD_MEMORY: write(operation.address, operation.data, operation.size); return PICA_OK;
        case PICA_OPERATION_MEMORY_FILL: return fill(operation.words);
        case PICA_OPERATION_SUBMIT_LIST:      /* give your command processor `size` bytes at `address` */
        case PICA_OPERATION_WRITE_REGISTER:   /* your CPU's write of words[0] to `address` */
        case PICA_OPERATION_DISPLAY_TRANSFER: /* your transfer engine */
        case PICA_OPERATION_VERTICAL_BLANK: break;
        }
        return PICA_NOT_SUPPORTED; /* the case is then "not tested" */
    }

    void read(std::uint32_t address, std::uint8_t *out, std::size_t size)
    {
        std::fill_n(out, size, std::uint8_t{ 0 }); /* where there is no memory */
        for (const pica_window &window : windows) {
            const std::uint32_t first = std::max(address, window.address);
            const std::uint64_t last =
                std::min(std::uint64_t{ address } + size, std::uint64_t{ window.address } + window.size);
            if (first < last)
                std::copy_n(at(first), last - first, out + (first - address));
        }
    }

  private:
    std::vector<std::uint8_t> vram, fcram;
    std::vector<pica_window> windows; /* the memory that exists in this case */

    /* The byte of a guest address, or nullptr where the case has no memory (MEM-01). */
    std::uint8_t *at(std::uint32_t address)
    {
        for (const pica_window &window : windows)
            if (address >= window.address && address - window.address < window.size)
                return address >= 0x20000000u ? &fcram[address - 0x20000000u] : &vram[address - 0x18000000u];
        return nullptr;
    }

    void write(std::uint32_t address, const std::uint8_t *data, std::uint32_t size)
    {
        for (std::uint32_t i = 0; i < size; i++)
            if (std::uint8_t *const byte = at(address + i))
                *byte = data[i];
    }

    /* START and END (in 8 bytes), VALUE, CTRL (bit 0 starts, bits 8-9: width) = words[0..3] (PSC-02 to PSC-06). */
    pica_status fill(const std::uint32_t *words)
    {
        static const std::uint32_t widths[4] = { 2, 3, 4, 3 };
        const std::uint32_t start = (words[0] & 0x1FFFFFFE) * 8, end = (words[1] & 0x1FFFFFFE) * 8;
        if ((words[3] & 1) == 0)
            return PICA_OK;
        for (const pica_window &window : windows) {
            const std::uint32_t last = std::min(end, window.address + window.size);
            for (std::uint32_t address = std::max(start, window.address); address < last; address++)
                *at(address) = static_cast<std::uint8_t>(words[2] >> (address - start) % widths[words[3] >> 8 & 3] * 8);
        }
        return PICA_OK;
    }
};

pica_status create(const pica_options *, void **instance)
{
    try {
        *instance = new Gpu;
        return PICA_OK;
    } catch (const std::bad_alloc &) {
        *instance = nullptr;
        return PICA_NO_MEMORY;
    }
}

void destroy(void *instance)
{
    delete static_cast<Gpu *>(instance);
}

pica_status load(void *instance, const pica_setup *setup)
{
    return static_cast<Gpu *>(instance)->load(*setup);
}

pica_status run(void *instance, const pica_operation *operation)
{
    return static_cast<Gpu *>(instance)->run(*operation);
}

pica_status read_memory(void *instance, std::uint32_t address, std::uint8_t *out, std::size_t size)
{
    static_cast<Gpu *>(instance)->read(address, out, size);
    return PICA_OK;
}

pica_backend describe()
{
    pica_backend backend = {};
    backend.abi = PICA_BACKEND_ABI;
    backend.name = "minimal-c++";
    backend.summary = "five functions and a memory fill";
    backend.create = create;
    backend.destroy = destroy;
    backend.load = load;
    backend.run = run;
    backend.read_memory = read_memory;
    backend.size = sizeof backend;
    return backend;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const pica_backend *pica_backend_entry()
{
    static const pica_backend backend = describe();
    return &backend;
}
