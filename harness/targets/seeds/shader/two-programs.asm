; harness/targets/seeds/shader/two-programs.shbin: a compiled shader (DVLB), 2 programs, 10 instructions, 2 operand descriptors
; program 0: vertex shader, entry point 0, ends at 6
;   input     v0 inpos
;   input     v1 incol
;   output    o0 position
;   output    o1 color
;   uniform   c0-c3 projection
;   constant  c95 = 0.5 0.5 0.5 1.0
;   constant  i2 = 1 2 3 4
;   constant  b5 = true
;   label     0 main
;   label     6 endmain
; program 1: geometry shader, entry point 7, ends at 9
;   takes     a fixed number of vertices, 3 in c17 and on

main:
    dp4 o0, v0, v0.x @0                ; position, inpos, inpos
    dp4 o0.x, v1, v0 @1                ; position, incol, inpos
    ifu b0, endmain, +10
    callu b0, L4, +10
L4:
    mov r0, v0 @0                      ; inpos
    mul o1, c[a0.y+31], v0 @4          ; color, inpos
endmain:
    end
    setemit 2, prim
    emit
    end

; descriptors: mask, three sources
; @0   0x0000036F  xyzw, xyzw, xxxx, xxxx
; @1   0x0D86C368  x___, xyzw, xyzw, xyzw
