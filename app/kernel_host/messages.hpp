// SPDX-License-Identifier: GPL-3.0-or-later
// What comes with messages: file descriptors, and the parameters of a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/kernels/parallax_kernel.h"
#include "core/kernels/protocol.hpp"

namespace parallax::user {

constexpr std::uint32_t kPoison = 0x7fa1b2c3;  // a NaN that no arithmetic makes
constexpr std::size_t kAlignment = 64;

using Parameters = const void*;
using KernelFunction = void (*)(const parallax_input*, const parallax_output*, Parameters, const parallax_context*);
using RefusesFunction = const char* (*)(const parallax_input*, Parameters);
using WorkspaceFunction = std::int64_t (*)(const parallax_input*, Parameters, const parallax_context*);
using PrepareFunction = void (*)(const parallax_input*, Parameters, const parallax_context*);

inline std::size_t roundedUp(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

/// A file descriptor that came with a message.
class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }
    /// Throws std::runtime_error if it is empty.
    std::size_t size() const;
    void read(void* to, std::size_t bytes) const;

private:
    int number_;
};

/// The bytes of PackedParameters, with its pointers in place.
class UnpackedParameters {
public:
    /// Puts the data that pointers point to somewhere, and returns its address there.
    using Place = std::function<std::uintptr_t(const std::byte* data, std::size_t bytes)>;
    /// The data stay where they are, in memory of the host.
    explicit UnpackedParameters(const Descriptor& file);
    UnpackedParameters(const Descriptor& file, const Place& place);
    ~UnpackedParameters();
    UnpackedParameters(const UnpackedParameters&) = delete;
    UnpackedParameters& operator=(const UnpackedParameters&) = delete;
    Parameters get() const;
    std::size_t bytes() const { return words_ * sizeof(std::uint64_t); }
    /// The data behind a pointer among the words, on the host, and the bytes from there on. Throws std::runtime_error.
    std::pair<const std::byte*, std::size_t> target(std::size_t word) const;

    double spacing[3] = {};

private:
    std::byte* aligned_ = nullptr;
    std::size_t words_ = 0, head_ = 0, data_ = 0;
    std::vector<std::pair<std::size_t, std::size_t>> offsets_;  // of pointers: word, offset in the data
};

/// The functions of a shared library with a kernel.
struct LibraryEntries {
    void* library = nullptr;
    KernelFunction kernel = nullptr;
    RefusesFunction refuses = nullptr;
    WorkspaceFunction workspaceBytes = nullptr;
    PrepareFunction prepare = nullptr;
    /// The file stays open. Throws std::runtime_error.
    void load(const Descriptor& file);
};

/// Shapes and context of a message that describes a problem; blocks are dense.
struct Described {
    parallax_input in{};
    parallax_output out{};
    parallax_context context{};
    Described() = default;
    Described(const Message& m, const UnpackedParameters& parameters);
};

/// Counts samples that are poison; `first` is the index of the first one.
std::int64_t countPoison(const float* samples, std::int64_t count, std::int64_t& first);

/// ns of the monotonic clock.
std::int64_t monotonicNow();

}  // namespace parallax::user
