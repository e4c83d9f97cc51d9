// SPDX-License-Identifier: GPL-3.0-or-later
// Stacks of their own, between which one CPU thread at a time switches.
#pragma once

#include <cstddef>
#include <memory>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define PARALLAX_EMULATED_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulatedDevice {

#if defined(PARALLAX_EMULATED_ASAN)
inline constexpr std::size_t kStackBytes = std::size_t{1} << 20;
#else
inline constexpr std::size_t kStackBytes = std::size_t{256} << 10;
#endif

/// A stack with its registers. Fibres of the program's own threads have no stack here.
struct Fibre {
    char* stack = nullptr;
    std::size_t capacity = 0;
#if defined(__x86_64__)
    void* top = nullptr;  ///< stack pointer while it does not run
#else
    ucontext_t context{};
#endif
    struct Thread* thread = nullptr;
#if defined(PARALLAX_EMULATED_ASAN)
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    bool broken = false;  ///< a thread was abandoned
#endif
};

std::unique_ptr<Fibre> makeFibre(std::size_t stackBytes);
/// Makes a fibre begin with `entry` at the next switch. `colour`: different ones share few cache lines.
void rewind(Fibre& fibre, std::size_t colour, void (*entry)());
/// To be called first in an entry.
void enteredFibre();
/// Describes the stack of the calling thread, to which another fibre switches back.
void adoptStack(Fibre& fibre);
/// `forGood`: `from` will not be resumed.
void switchFibre(Fibre& from, Fibre& to, bool forGood);

}  // namespace emulatedDevice
