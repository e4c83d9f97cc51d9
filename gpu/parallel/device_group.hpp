// SPDX-License-Identifier: GPL-3.0-or-later
// Several devices that work on one problem, of one process or of a rank each: a host thread and a stream for each, and memory in which they
// meet.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/parallel/communicator.hpp"
#include "gpu/parallel/links.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/stream.hpp"
#include "gpu/runtime/team.hpp"

namespace parallax::gpu {

class DeviceGroup {
public:
    /// Throws Error(usage) if a device does not exist or is named twice. The environment variable PARALLAX_CUDA_PEER_ACCESS=off lets
    /// members exchange through host memory, for tests.
    explicit DeviceGroup(std::vector<int> devices);
    /// A group with a member on each rank, of which this process has that of its own rank, on `device`. Called by all ranks, as are run()
    /// and share(). Throws Error(unavailable) if they are not on one machine.
    DeviceGroup(int device, Communicator& communicator);
    ~DeviceGroup();
    DeviceGroup(const DeviceGroup&) = delete;
    DeviceGroup& operator=(const DeviceGroup&) = delete;

    int size() const { return static_cast<int>(members_.size()); }
    /// Whether a member belongs to this process. The device, stream and memory of others are those of their processes.
    bool isHere(int member) const { return member >= first_ && member < first_ + here_; }
    int firstHere() const { return first_; }
    int device(int member) const { return of(member).device; }
    const std::shared_ptr<Stream>& stream(int member) const { return of(member).stream; }
    /// Memory of the member's device, ordered by its stream. Other members may access it if there is peer access.
    const std::shared_ptr<Allocator>& memory(int member) const { return of(member).memory; }
    /// Memory in which kernels of other members write for this one: the device's with peer access, else page-locked. On ranks, each process
    /// makes the same allocations for each member, and so knows where those of others are.
    const std::shared_ptr<Allocator>& exchangeMemory(int member) const { return of(member).exchange; }

    /// Whether the kernels of each member may access the memory of each other one.
    bool hasPeerAccess() const { return refusal_.empty(); }
    /// One sentence: the way in which members exchange and, without peer access, the reason.
    std::string exchangePath() const;

    /// Calls task(member) for all members, each in a thread with its device current, and waits; on ranks, each does so for its own one, and
    /// waits for the others. If one throws, the waits of all kernels end, all streams are drained, and the first exception is rethrown.
    void run(const std::function<void(int member)>& task);
    /// Ends the waits of kernels; until the end of run().
    void stop() noexcept;
    bool hasStopped() const { return stop_->stopped != 0; }
    /// Throws Error(failed) if a member has not answered in time, or the group was stopped.
    void throwIfStopped() const;

    WaitLimits limits() const { return {stop_, waitLimit_}; }
    /// How long kernels wait for another member before they give up.
    void setWaitLimit(std::int64_t nanoseconds) { waitLimit_ = nanoseconds; }

    /// The ranks of the run that the group works in; null between runs, which have to end before memory of the group is released.
    void useRanks(Communicator* communicator) { communicator_ = communicator; }
    bool isOnRanks() const { return onRanks_; }
    /// On ranks, completes values of all members, of which this process knows its own.
    template <class T>
    void share(std::span<T> ofMembers) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (onRanks_) gather(std::as_writable_bytes(ofMembers), sizeof(T));
    }

    /// Relates the clocks of the devices to that of the host. Nothing else may run.
    void calibrateClocks();
    /// Converts deviceNanoseconds() of a member to nanoseconds of std::chrono::steady_clock, correct to a few microseconds.
    std::int64_t hostNanoseconds(int member, std::int64_t ofDevice) const { return ofDevice + of(member).clockOffset; }

private:
    struct Member {
        int device = 0;
        std::shared_ptr<Stream> stream;
        std::shared_ptr<Allocator> memory, exchange;
        std::int64_t clockOffset = 0;
    };
    const Member& of(int member) const { return members_.at(static_cast<std::size_t>(member)); }
    void addMember(int device);
    void prepare();
    void gather(std::span<std::byte> all, std::size_t each);
    Communicator& ranks() const;
    void drain() noexcept;

    std::vector<Member> members_;
    int first_ = 0, here_ = 0;  ///< members of this process
    bool onRanks_ = false;
    Communicator* communicator_ = nullptr;
    std::string refusal_;  ///< why there is no peer access
    std::shared_ptr<Allocator> pinned_;
    GroupStop* stop_ = nullptr;
    std::int64_t waitLimit_ = 20'000'000'000;
    std::mutex mutex_;
    std::exception_ptr error_;
    std::unique_ptr<Team> team_;
};

/// Memory for sums over the members of a group.
class GroupSums {
public:
    /// `values`: at most so many at once.
    GroupSums(DeviceGroup& group, int values);
    /// Begins with round 0. To be called for each member in DeviceGroup::run(), which must end before kernels exchange.
    void reset(int member);
    SumLinks links(int member);

private:
    DeviceGroup& group_;
    int values_;
    std::vector<DeviceBuffer<double>> boxes_;
    std::vector<DeviceBuffer<Flag>> flags_;
    std::vector<DeviceBuffer<unsigned long long>> rounds_;
};

}  // namespace parallax::gpu
