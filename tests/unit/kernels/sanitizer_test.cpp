// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of sanitizers: what is found is named with its line.
#include "core/kernels/sanitizer.hpp"

#include <gtest/gtest.h>

namespace parallax::user {
namespace {

TEST(SanitizerReport, NamesAccessAndLineOfTheKernel) {
    EXPECT_EQ(findingOf("=================================================================\n"
                        "==9==ERROR: AddressSanitizer: use-after-poison on address 0x7f01 at pc 0x7f02 bp 0x7f03 sp 0x7f04\n"
                        "READ of size 4 at 0x7f01 thread T0\n"
                        "    #0 0x7f02 in parallax_kernel._omp_fn.0 /home/a b/blur.cpp:12\n"
                        "    #1 0x7f05 in GOMP_parallel (/usr/lib/libgomp.so.1+0xfcf5)\n"),
              "it read 4 bytes beside an image or its workspace at /home/a b/blur.cpp:12 (AddressSanitizer: use-after-poison)");
    // The line is that of the kernel, not of the function of the library that it calls.
    EXPECT_EQ(findingOf("==9==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x7f bp 0x7f sp 0x7f\n"
                        "WRITE of size 40 at 0x60 thread T1\n"
                        "    #0 0x7f in __interceptor_memcpy ../../../../src/libsanitizer/sanitizer_common/interceptors.inc:827\n"
                        "    #1 0x7f in extend /tmp/blur.cpp:7:5\n"),
              "it wrote 40 bytes outside of what it has at /tmp/blur.cpp:7:5 (AddressSanitizer: heap-buffer-overflow)");
    EXPECT_EQ(findingOf("==9==ERROR: AddressSanitizer: SEGV on unknown address 0x7f (pc 0x7f bp 0x7f sp 0x7f T0)\n"
                        "==9==The signal is caused by a WRITE memory access.\n"
                        "    #0 0x7f in parallax_kernel /tmp/blur.cpp:9\n"),
              "it wrote memory outside of what it has at /tmp/blur.cpp:9 (AddressSanitizer: SEGV)");
    EXPECT_EQ(findingOf("==9==ERROR: AddressSanitizer: ABRT on unknown address 0x7f (pc 0x7f bp 0x7f sp 0x7f T0)\n"),
              "an error (AddressSanitizer: ABRT)");
}

TEST(SanitizerReport, NamesUndefinedBehaviourAndItsLine) {
    EXPECT_EQ(findingOf("/tmp/blur.cpp:6:38: runtime error: shift exponent 40 is too large for 32-bit type 'int'\n    #0 0x7f in f\n"),
              "shift exponent 40 is too large for 32-bit type 'int' at /tmp/blur.cpp:6:38 (UndefinedBehaviorSanitizer)");
}

TEST(SanitizerReport, TakesTheFirstFindingOfComputeSanitizer) {
    EXPECT_EQ(
        findingOf("========= COMPUTE-SANITIZER\n"
                  "========= Invalid __global__ read of size 4 bytes\n"
                  "=========     at blur(parallax_input, parallax_output)+0x1a0 in /tmp/blur.cu:7\n"
                  "=========     by thread (31,0,0) in block (3,0,0)\n"
                  "========= Invalid __global__ write of size 4 bytes\n"
                  "========= ERROR SUMMARY: 2 errors\n"),
        "Invalid __global__ read of size 4 bytes at blur(parallax_input, parallax_output)+0x1a0 in /tmp/blur.cu:7 (compute-sanitizer)");
}

TEST(SanitizerReport, IsEmptyWithoutAFinding) {
    EXPECT_EQ(findingOf(""), "");
    EXPECT_EQ(findingOf("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"), "");
    EXPECT_EQ(findingOf("==9==WARNING: ASan doesn't fully support makecontext/swapcontext functions\n"), "");
}

}  // namespace
}  // namespace parallax::user
