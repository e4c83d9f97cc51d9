// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between this program and parallax-kernel-host, which runs one kernel: over a socket of packets, in the order of the calls. Each
// request has one reply. Standard library only.
#pragma once

#include <cstdint>

namespace parallax::user {

/// Descriptor of the socket in the host.
constexpr int kSocket = 3;
/// Samples pass through shared memory of this size.
constexpr std::int64_t kStagingBytes = std::int64_t{8} << 20;

/// Argument of the host: kernels are instrumented by AddressSanitizer, whose runtime is loaded.
constexpr const char* kSanitized = "sanitized";

/// Form of a compiled kernel.
enum class Binary : std::int64_t {
    library,  ///< shared library with parallax_kernel()
    module    ///< code of a device, for the driver of CUDA
};

enum class Request : std::int32_t {
    staging,    ///< descriptor of the shared memory
    load,       ///< slot, Binary; descriptor of the compiled kernel
    allocate,   ///< block, bytes
    release,    ///< block
    forget,     ///< all blocks and kernels
    write,      ///< block, offset, bytes: from the shared memory
    read,       ///< block, offset, bytes: to the shared memory
    plan,       ///< slot, number of PlannedSteps, bytes of workspace; descriptor of the steps: of a kernel in CUDA with launch comments
    functions,  ///< slot, index of a step that is launched: replies with its resources
    prepare,    ///< slot, threads, alpha, shape of the input, shape of the output; descriptor of the parameters (packed_parameters.hpp)
    refuses,    ///< the same; replies with the kernel's text, empty if it does not refuse
    run         ///< slot, block of the input, block of the output, checked: 1 looks for samples that are not written, 1: runs twice
                ///< and measures the second time
};

struct Message {
    Request request = Request::load;
    std::int64_t values[12] = {};
};

/// Steps of a kernel in CUDA, in this order: constants and prepare once, launch in each run.
enum class PlannedKind : std::int64_t { constant, prepare, launch };
struct PlannedStep {
    PlannedKind kind = PlannedKind::launch;
    char name[128] = {};     ///< of the function, or of the variable in constant memory
    char mangled[256] = {};  ///< name of the function if it is not extern "C"
    std::int64_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, shared = 0;
    std::int64_t word = 0, bytes = 0;  ///< constant: pointer among the words of the parameters, and the bytes that it points to
};

enum class Answer : std::int32_t {
    done,    ///< values as below
    failed,  ///< `text` says why
    ended,   ///< `text` says why; the host ends
    fault    ///< signal, Place, block, bytes beyond it or its offset, 1: by writing; the host ends
};

/// Where an illegal address is. nullOfMalloc: null, after an allocation in the same thread failed.
enum class Place : std::int64_t { unknown, null, nullOfMalloc, before, beyond, input, stack };

struct Reply {
    Answer answer = Answer::done;
    /// run: begin and end in ns of the monotonic clock, samples not written, index of the first of them.
    /// load: 1 if the kernel has parallax_refuses(). fault: see there.
    /// functions: registers of a thread, bytes of shared memory of a block, bytes of local memory of a thread (spills, arrays on the
    /// stack), blocks that a multiprocessor holds at a time, threads that it can hold; `text` is the name.
    std::int64_t values[5] = {};
    char text[512] = {};
};

}  // namespace parallax::user
