// SPDX-License-Identifier: GPL-3.0-or-later
// Memory through which kernels of the members of a device group reach each other; passed to kernels by value.
#pragma once

#include "core/image/host_device.hpp"

namespace parallax::gpu {

inline constexpr int kMaxMembers = 16;

/// A counter that one device raises and another one waits for, in a cache line of its own.
struct alignas(128) Flag {
    unsigned long long value = 0;
};

/// Page-locked memory that ends the waits of all members. Set by the host or by a kernel that has waited too long.
struct GroupStop {
    volatile int stopped = 0;
    volatile int late = 0;  ///< a member did not answer within the limit
};

struct WaitLimits {
    GroupStop* stop = nullptr;
    long long nanoseconds = 0;
};

/// Sums over all members. Each member writes its sums into the boxes of all members, then raises its flag there. Two boxes in turn: a
/// member that writes into one has received all sums of the round before, so the others have read what it replaces.
struct SumLinks {
    int member = 0, members = 1;
    int values = 0;                       ///< in a box of one sender
    double* boxes[kMaxMembers] = {};      ///< of each member: [round % 2][sender][values]
    Flag* flags[kMaxMembers] = {};        ///< of each member: [sender]
    unsigned long long* round = nullptr;  ///< number of the last round; memory of this member's device
    WaitLimits limits;

    PARALLAX_HOST_DEVICE double* box(int receiver, unsigned long long ofRound, int sender) const {
        return boxes[receiver] + (static_cast<long long>(ofRound % 2) * members + sender) * values;
    }
};

}  // namespace parallax::gpu
