// SPDX-License-Identifier: GPL-3.0-or-later
// A source file with a kernel, and its compiler.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"

namespace parallax::user {

/// Longest source that is read.
constexpr std::size_t kLongestSource = std::size_t{4} << 20;

struct KernelSource {
    std::string path;
    std::string name;       ///< of the variant: that of the file without its ending; "my-blur"
    std::string operation;  ///< id, from #include <parallax/ID.h>
    std::string text;
    std::vector<std::string> options;  ///< of the compiler, from a line `// options: -O2 -fno-openmp`
};

/// Reads a kernel. Throws Error(input): no such file, not C++, it includes the header of no operation, or that of an unknown one.
KernelSource readKernel(const std::vector<std::unique_ptr<Operation>>& operations, const std::string& path);

struct CompiledKernel {
    int library = -1;      ///< descriptor of the shared library, whose file has no name any more
    std::string compiler;  ///< "g++ 12.2.0", for reports
    std::string command;   ///< for reports
    std::string messages;  ///< warnings
    double seconds = 0;
    CompiledKernel() = default;
    CompiledKernel(CompiledKernel&& other) noexcept;
    CompiledKernel& operator=(CompiledKernel&&) = delete;
    ~CompiledKernel();
};

/// Compiles a kernel with the first of PARALLAX_KERNEL_CXX, c++, g++, clang++ that there is. Throws Error(unavailable) without a compiler,
/// Error(input) with the messages of the compiler, Error(cancelled).
CompiledKernel compileKernel(const KernelSource& source, const Operation& operation, const std::stop_token& stop);

}  // namespace parallax::user
