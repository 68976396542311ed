#include "textflag.h"

// call is the program of the other process. It is never run in this one.
//
// It first writes the addresses of the imported functions, which stand at the
// beginning of the data (dataPage in executable_linux.go), to its standard
// output. Then it reads a function and eight arguments from its standard input,
// calls the function as the procedure call standard for arm64 says, writes what
// it returns, and begins again. At the end of its input it exits.
//
// Numbers of system calls: 63 read, 64 write, 94 exit_group.
TEXT call<>(SB), NOSPLIT|NOFRAME, $0
	SUB	$96, RSP
	MOVD	RSP, R19 // the request

	MOVD	$64, R8
	MOVD	$1, R0
	MOVZ	$(0x1001<<16), R1
	MOVD	$48, R2
	SVC

next:
	MOVD	$63, R8
	MOVD	$0, R0
	MOVD	R19, R1
	MOVD	$72, R2
	SVC
	CMP	$72, R0
	BNE	exit

	MOVD	8(R19), R0
	MOVD	16(R19), R1
	MOVD	24(R19), R2
	MOVD	32(R19), R3
	MOVD	40(R19), R4
	MOVD	48(R19), R5
	MOVD	56(R19), R6
	MOVD	64(R19), R7
	MOVD	0(R19), R9
	BL	(R9)
	MOVD	R0, 0(R19)

	MOVD	$64, R8
	MOVD	$1, R0
	MOVD	R19, R1
	MOVD	$8, R2
	SVC
	B	next

exit:
	MOVD	$94, R8
	MOVD	$0, R0
	SVC
	BRK

// callPC is where it begins.
DATA ·callPC(SB)/8, $call<>(SB)
GLOBL ·callPC(SB), NOPTR, $8
