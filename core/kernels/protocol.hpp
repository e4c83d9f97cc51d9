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

enum class Request : std::int32_t {
    staging,   ///< descriptor of the shared memory
    load,      ///< slot; descriptor of the compiled kernel
    allocate,  ///< block, bytes
    release,   ///< block
    forget,    ///< all blocks and kernels
    write,     ///< block, offset, bytes: from the shared memory
    read,      ///< block, offset, bytes: to the shared memory
    prepare,   ///< slot, threads, alpha, shape of the input, shape of the output; descriptor of the parameters (packed_parameters.hpp)
    refuses,   ///< the same; replies with the kernel's text, empty if it does not refuse
    run        ///< slot, block of the input, block of the output, checked: 1 looks for samples that are not written
};

struct Message {
    Request request = Request::load;
    std::int64_t values[12] = {};
};

enum class Answer : std::int32_t {
    done,    ///< values as below
    failed,  ///< `text` says why
    fault    ///< signal, Place, block, bytes beyond it or its offset, 1: by writing; the host ends
};

/// Where an illegal address is.
enum class Place : std::int64_t { unknown, null, before, beyond, input };

struct Reply {
    Answer answer = Answer::done;
    /// run: begin and end in ns of the monotonic clock, samples not written, index of the first of them.
    /// load: 1 if the kernel has parallax_refuses(). fault: see there.
    std::int64_t values[5] = {};
    char text[512] = {};
};

}  // namespace parallax::user
