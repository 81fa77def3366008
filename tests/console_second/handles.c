/* Handles and what they name. A handle that was closed never comes again, so that none is used by luck. */
#include "tests/console_second/parts.h"

#include <stdlib.h>

struct object *second_object(struct second_machine *m, enum kind kind, const char *name)
{
    for (size_t i = 0; i < MOST_OBJECTS; i++) {
        struct object *const object = &m->objects[i];
        if (object->kind != KIND_NONE)
            continue;
        *object = (struct object){ .kind = kind, .name = name };
        return object;
    }
    second_must(m, false, "more than %d objects of the kernel at once", MOST_OBJECTS);
    return NULL;
}

void second_release(struct object *object)
{
    if (object == NULL || --object->references != 0)
        return;
    free(object->bytes);
    *object = (struct object){ .kind = KIND_NONE };
}

uint32_t second_handle(struct second_machine *m, struct object *object)
{
    for (uint32_t i = 1; i < MOST_HANDLES; i++) {
        if (m->handles[i].object != NULL)
            continue;
        m->handles[i].object = object;
        m->handles[i].generation++;
        object->references++;
        return m->handles[i].generation << 15 | i;
    }
    second_must(m, false, "more than %d handles at once", MOST_HANDLES - 1);
    return 0;
}

static uint32_t slot_of(struct second_machine *m, uint32_t handle)
{
    const uint32_t slot = handle & 0x7FFFu;
    const bool open =
        slot < MOST_HANDLES && m->handles[slot].object != NULL && m->handles[slot].generation == handle >> 15;
    return second_must(m, open, "handle 0x%08X is not open", handle) ? slot : 0;
}

struct object *second_named(struct second_machine *m, uint32_t handle, enum kind kind)
{
    const uint32_t slot = slot_of(m, handle);
    if (slot == 0)
        return NULL;
    struct object *const object = m->handles[slot].object;
    return second_must(m, kind == KIND_NONE || object->kind == kind, "handle 0x%08X names %s, which is of another kind",
                       handle, object->name)
               ? object
               : NULL;
}

void second_close(struct second_machine *m, uint32_t handle)
{
    const uint32_t slot = slot_of(m, handle);
    if (slot == 0)
        return;
    struct object *const object = m->handles[slot].object;
    if (!second_must(m, object->file == NULL || object->references != 1,
                     "the handle of a file is closed before the file"))
        return;
    m->handles[slot].object = NULL;
    if (object == m->applet.session && object->references == 1)
        m->applet.session = NULL;
    if (object == m->gsp.session && object->references == 1) {
        second_must(m, !m->gsp.registered && !m->gsp.has_right,
                    "the session of gsp::Gpu is closed before queue and right are given back");
        m->gsp.session = NULL;
    }
    second_release(object);
}

void second_signal(struct object *event)
{
    event->signaled = true;
}
