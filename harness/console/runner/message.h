/* Messages to services (docs/console-facts.md, CON-24): a header, words, descriptors; the answer's word 1 is the
 * result. */
#ifndef HARNESS_CONSOLE_RUNNER_MESSAGE_H
#define HARNESS_CONSOLE_RUNNER_MESSAGE_H

#include "harness/console/runner/system.h"

enum {
    MESSAGE_PROCESS_ID = 0x20, /* descriptors */
    MESSAGE_BUFFER_READ = 2,   /* rights of the service to a mapped buffer */
    MESSAGE_BUFFER_WRITE = 4
};

/* Sends header and `count` words; the answer is read from system_message. Its result, or that of the call. */
int32_t message_send(uint32_t session, uint32_t header, const uint32_t *words, uint32_t count);

uint32_t message_static_buffer(uint32_t bytes, uint32_t index); /* descriptors; the pointer is the next word */
uint32_t message_mapped_buffer(uint32_t bytes, uint32_t rights);
void message_receive_into(void *buffer, uint32_t bytes); /* static buffer 0 of the next answer */

/* "srv:": a session of the service. */
int32_t message_open_srv(uint32_t *srv);
int32_t message_open_service(uint32_t srv, const char *name, uint32_t *session);

#endif
