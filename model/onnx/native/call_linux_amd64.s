#include "textflag.h"

// call is the program of the other process. It is never run in this one.
//
// It first writes the addresses of the imported functions, which stand at the
// beginning of the data (dataPage in executable_linux.go), to its standard
// output. Then it reads a function and eight arguments from its standard input,
// calls the function as the System V ABI for amd64 says, writes what it returns,
// and begins again. At the end of its input it exits.
//
// Numbers of system calls: 0 read, 1 write, 231 exit_group.
TEXT call<>(SB), NOSPLIT|NOFRAME, $0
	ANDQ	$~15, SP
	SUBQ	$128, SP
	LEAQ	32(SP), R12 // the request; below it is room for two arguments

	MOVL	$1, AX
	MOVL	$1, DI
	MOVL	$0x10010000, SI
	MOVL	$48, DX
	SYSCALL

next:
	XORL	AX, AX
	XORL	DI, DI
	MOVQ	R12, SI
	MOVL	$72, DX
	SYSCALL
	CMPQ	AX, $72
	JNE	exit

	MOVQ	56(R12), AX
	MOVQ	AX, 0(SP)
	MOVQ	64(R12), AX
	MOVQ	AX, 8(SP)
	MOVQ	8(R12), DI
	MOVQ	16(R12), SI
	MOVQ	24(R12), DX
	MOVQ	32(R12), CX
	MOVQ	40(R12), R8
	MOVQ	48(R12), R9
	MOVQ	0(R12), R11
	XORL	AX, AX
	CALL	R11
	MOVQ	AX, 0(R12)

	MOVL	$1, AX
	MOVL	$1, DI
	MOVQ	R12, SI
	MOVL	$8, DX
	SYSCALL
	JMP	next

exit:
	MOVL	$231, AX
	XORL	DI, DI
	SYSCALL
	INT	$3

// callPC is where it begins.
DATA ·callPC(SB)/8, $call<>(SB)
GLOBL ·callPC(SB), NOPTR, $8
