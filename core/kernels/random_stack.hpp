// SPDX-License-Identifier: GPL-3.0-or-later
// Random placement of the stack in measured runs. No dependencies: parallax-kernel-host includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace parallax {

/// Calls functions with their stack frames at random distances from the beginning of a page. The system places the stack at random when a
/// process starts. A load of a local variable waits for an earlier store to samples with the same last 12 bits of the address, so that the
/// same code takes some 3 % longer in one process than in another, for as long as they live (Mytkowicz et al., ASPLOS 2009). Drawn for
/// each run, the placement is noise within a process, which intervals include (Curtsinger and Berger, ASPLOS 2013).
class RandomStack {
public:
    explicit RandomStack(std::uint64_t seed) : random_(seed) {}
    template <class Function>
    [[gnu::noinline]] decltype(auto) call(Function&& function) {
        void* const room = __builtin_alloca(kStep * (1 + random_() % (kPage / kStep)));
        asm volatile("" : : "r"(room) : "memory");  // keeps it
        return function();
    }

private:
    static constexpr std::size_t kPage = 4096, kStep = 16;  // bytes; frames are aligned to the latter
    std::mt19937_64 random_;
};

}  // namespace parallax
