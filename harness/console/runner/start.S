/*
 * The first instructions, and the system calls (CON-22): numbers in r0 and so on, results in r0 and so on. A call keeps
 * r4-r11; outputs beyond r0 go through the pointer that the C prototype in system.h has first.
 */
    .syntax unified
    .arm

    .section .start, "ax"
    .global runner_start
runner_start:
    b 1f
    .ascii "_prm"           /* CON-06: a launcher fills in the words behind it */
    .global runner_parameters
runner_parameters:
    .word 0, 0, 0, 0, 0, 0, 0
1:  ldr sp, =stack_end      /* CON-20: ours, in bss */
    ldr r0, =bss_start
    ldr r1, =bss_end
    mov r2, #0
2:  cmp r0, r1              /* CON-04: nobody else clears it */
    strlo r2, [r0], #4
    blo 2b
    bl runner_main
    svc 0x03                /* ExitProcess */
3:  b 3b
    .ltorg

    .macro call name, number
    .global \name
    .type \name, %function
\name:
    svc \number
    bx lr
    .endm

    /* The result r1 goes to the pointer that came in r0. */
    .macro call_with_result name, number
    .global \name
    .type \name, %function
\name:
    push {r0}
    svc \number
    pop {r2}
    str r1, [r2]
    bx lr
    .endm

    /* r1 and r2, likewise. */
    .macro call_with_two_results name, number
    .global \name
    .type \name, %function
\name:
    push {r0}
    svc \number
    pop {r3}
    str r1, [r3]
    str r2, [r3, #4]
    bx lr
    .endm

    .text
    call system_sleep, 0x0A
    call system_release_mutex, 0x14
    call_with_result system_create_event, 0x17
    call system_map_memory_block, 0x1F
    call system_unmap_memory_block, 0x20
    call system_close_handle, 0x23
    call system_wait, 0x24
    call system_get_tick, 0x28
    call_with_two_results system_get_system_info, 0x2A
    call_with_two_results system_get_process_info, 0x2B
    call_with_result system_connect_to_port, 0x2D
    call system_send_sync_request, 0x32

    .global system_control_memory
    .type system_control_memory, %function
system_control_memory:
    push {r0, r4}
    ldr r4, [sp, #8]        /* permission */
    mov r0, r1              /* operation */
    mov r1, r2              /* address 0 */
    mov r2, #0              /* address 1 */
    svc 0x01
    pop {r2, r4}
    str r1, [r2]
    bx lr

    .global system_message
    .type system_message, %function
system_message:
    mrc p15, 0, r0, c13, c0, 3
    add r0, r0, #0x80       /* CON-24 */
    bx lr

    .global system_load_exclusive
    .type system_load_exclusive, %function
system_load_exclusive:
    ldrex r0, [r0]
    bx lr

    .global system_store_exclusive
    .type system_store_exclusive, %function
system_store_exclusive:
    strex r2, r1, [r0]
    mov r0, r2
    bx lr

    .global system_barrier
    .type system_barrier, %function
system_barrier:
    mov r0, #0
    mcr p15, 0, r0, c7, c10, 4 /* DSB: gsp is another processor's business */
    bx lr

    .section .bss
    .balign 8
    .space 0x4000
stack_end:
