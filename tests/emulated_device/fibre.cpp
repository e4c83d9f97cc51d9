// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_device/fibre.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace emulatedDevice {

#if defined(__x86_64__)
// Saves the callee-saved registers. The floating-point control words are never changed.
asm(R"(
.text
.type parallaxEmulatedSwitch, @function
parallaxEmulatedSwitch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size parallaxEmulatedSwitch, .-parallaxEmulatedSwitch
)");
extern "C" void parallaxEmulatedSwitch(void** from, void* to);
#endif

std::unique_ptr<Fibre> makeFibre(std::size_t stackBytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* p = mmap(nullptr, stackBytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        std::fputs("emulated device: no memory for the stacks of a block\n", stderr);
        std::abort();
    }
    (void)mprotect(p, page, PROT_NONE);
    auto fibre = std::make_unique<Fibre>();
    fibre->stack = static_cast<char*>(p) + page;
    fibre->capacity = stackBytes;
    return fibre;
}

void rewind(Fibre& fibre, std::size_t colour, void (*entry)()) {
#if defined(PARALLAX_EMULATED_ASAN)
    // Frames that never returned: those of the fibre itself, or all of them after a fault.
    constexpr std::size_t own = std::size_t{16} << 10;
    const std::size_t left = fibre.broken ? fibre.capacity : own;
    __asan_unpoison_memory_region(fibre.stack + fibre.capacity - left, left);
    fibre.broken = false;
#endif
    // Different offsets, since stacks at the same offset of a page would share few cache lines.
    char* const top = fibre.stack + fibre.capacity - 64 - colour % 61 * 64;
#if defined(__x86_64__)
    auto** words = reinterpret_cast<void**>(top);
    *--words = nullptr;  // return address of the fibre; also aligns the stack
    *--words = reinterpret_cast<void*>(entry);
    for (int i = 0; i < 6; ++i) *--words = nullptr;
    fibre.top = words;
#else
    getcontext(&fibre.context);
    fibre.context.uc_stack.ss_sp = fibre.stack;
    fibre.context.uc_stack.ss_size = static_cast<std::size_t>(top - fibre.stack);
    fibre.context.uc_link = nullptr;
    makecontext(&fibre.context, entry, 0);
#endif
#if defined(PARALLAX_EMULATED_ASAN)
    fibre.bottom = fibre.stack, fibre.bytes = fibre.capacity;
#endif
}

void enteredFibre() {
#if defined(PARALLAX_EMULATED_ASAN)
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

void adoptStack([[maybe_unused]] Fibre& fibre) {
#if defined(PARALLAX_EMULATED_ASAN)
    pthread_attr_t attributes;
    void* bottom = nullptr;
    std::size_t bytes = 0;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bottom, &bytes);
    pthread_attr_destroy(&attributes);
    fibre.bottom = bottom, fibre.bytes = bytes;
#endif
}

void switchFibre(Fibre& from, Fibre& to, [[maybe_unused]] bool forGood) {
#if defined(PARALLAX_EMULATED_ASAN)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(forGood ? nullptr : &fake, to.bottom, to.bytes);
#endif
#if defined(__x86_64__)
    parallaxEmulatedSwitch(&from.top, to.top);
#else
    swapcontext(&from.context, &to.context);
#endif
#if defined(PARALLAX_EMULATED_ASAN)
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

}  // namespace emulatedDevice
