// SPDX-License-Identifier: GPL-3.0-or-later
// A source file with a kernel, and its compiler.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/kernels/child_process.hpp"
#include "core/kernels/cuda/launch_comments.hpp"
#include "core/kernels/protocol.hpp"
#include "core/kernels/sanitizer.hpp"
#include "core/kernels/tool_run.hpp"

namespace parallax::user {

/// Longest source that is read.
constexpr std::size_t kLongestSource = std::size_t{4} << 20;

enum class KernelLanguage { cpp, cuda };

struct KernelSource {
    std::string path;
    std::string name;       ///< of the variant: that of the file without its ending; "my-blur"
    std::string operation;  ///< id, from #include <parallax/ID.h>
    std::string text;
    std::vector<std::string> options{};  ///< of the compiler, from a line `// options: -O2 -fno-openmp`
    KernelLanguage language = KernelLanguage::cpp;
    LaunchComments comments{};  ///< of a kernel in CUDA
};

/// Reads a kernel. Throws Error(input): no such file, neither C++ nor CUDA, a wrong comment, it includes the header of no operation, or
/// that of an unknown one.
KernelSource readKernel(const std::vector<std::unique_ptr<Operation>>& operations, const std::string& path);

/// Resources of a function in CUDA, as the compiler or the driver reports them.
struct FunctionResources {
    std::string name;
    std::int64_t registers = 0;                      ///< of a thread
    std::int64_t shared = 0, local = 0;              ///< bytes of a block; of a thread: spilled registers, arrays on the stack
    std::int64_t threads = 0, blocks = 0, most = 0;  ///< of a block; blocks and threads that a multiprocessor can hold; 0: unknown
};
/// "blur(): 32 registers, 4352 bytes of shared memory, no local memory, occupancy 100 % (8 blocks of 256 threads)".
std::string toText(const FunctionResources& function);

struct CompiledKernel {
    OwnedDescriptor library;  ///< its file has no name any more
    Binary binary = Binary::library;
    std::string compiler;  ///< "g++ 12.2.0", for reports
    std::string command;   ///< for reports
    std::string messages;  ///< warnings
    double seconds = 0;
    std::vector<FunctionResources> functions;      ///< if the compiler tells
    std::shared_ptr<const Sanitizer> sanitizer{};  ///< that it runs with
};

/// Writes the headers that a kernel includes and its text, as `name`, into a folder. Returns the folder of the source, where it includes
/// other files from. Messages of compilers name the file of the user.
std::string writeSource(const PrivateFolder& folder, const KernelSource& source, const Operation& operation, const std::string& name);

/// Compiles a kernel in C++ with the first of PARALLAX_KERNEL_CXX, c++, g++, clang++ that there is, if wanted for its sanitizers. Throws
/// Error(unavailable) without a compiler or its sanitizers, Error(input) with the messages of the compiler, Error(cancelled).
CompiledKernel compileKernel(const KernelSource& source, const Operation& operation, bool sanitize, const std::stop_token& stop);

}  // namespace parallax::user
