// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/parallel/device_group.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <set>
#include <stop_token>
#include <utility>

#include "gpu/parallel/group_clock.hpp"
#include "gpu/parallel/peer_access.hpp"
#include "gpu/parallel/shared_exchange.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"

namespace parallax::gpu {
namespace {

std::int64_t hostNow() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void checkDevices(const std::vector<int>& devices) {
    if (devices.empty() || devices.size() > kMaxMembers)
        throw Error(ErrorCode::usage, "The group has " + std::to_string(devices.size()) + " devices",
                    "it must have 1 to " + std::to_string(kMaxMembers), "Name fewer devices");
    std::set<int> seen;
    for (const int device : devices) {
        if (device < 0 || device >= deviceCount())
            throw Error(ErrorCode::usage, "There is no CUDA device " + std::to_string(device),
                        std::to_string(deviceCount()) + " device(s) were found", "List them with 'parallax-cli devices'");
        if (!seen.insert(device).second)
            throw Error(ErrorCode::usage, "CUDA device " + std::to_string(device) + " is named twice", {}, "Name each device once");
    }
}

}  // namespace

DeviceGroup::DeviceGroup(std::vector<int> devices) {
    checkDevices(devices);
    for (const int device : devices) addMember(device);
    here_ = size();
    refusal_ = whyNoPeerAccess(devices);
    if (hasPeerAccess()) enablePeerAccess(devices);
    prepare();
    for (Member& m : members_) m.exchange = hasPeerAccess() ? m.memory : pinned_;
}

DeviceGroup::DeviceGroup(int device, Communicator& communicator)
    : first_(communicator.rank()), here_(1), onRanks_(true), communicator_(&communicator), refusal_("they belong to several processes") {
    if (communicator.size() > kMaxMembers)
        throw Error(ErrorCode::unavailable,
                    "CUDA devices of " + std::to_string(communicator.size()) + " ranks cannot solve a system together",
                    "at most " + std::to_string(kMaxMembers) + " can", "Use fewer ranks");
    const SharedExchange shared(communicator, device);
    for (int member = 0; member < communicator.size(); ++member) {
        if (isHere(member)) addMember(device);
        else members_.emplace_back();
        members_.back().exchange = shared.memoryOf(member);
    }
    prepare();
}

void DeviceGroup::addMember(int device) {
    Member m;
    m.device = device;
    m.stream = std::make_shared<Stream>(device);
    m.memory = makeStreamAllocator(MemoryPool::of(device), m.stream);
    members_.push_back(std::move(m));
}

void DeviceGroup::prepare() {
    pinned_ = pinnedAllocator(device(first_));
    stop_ = new (pinned_->allocate(sizeof(GroupStop))) GroupStop;
    team_ = std::make_unique<Team>(here_);
}

DeviceGroup::~DeviceGroup() {
    team_.reset();
    drain();
    pinned_->release(stop_, sizeof(GroupStop));
}

std::string DeviceGroup::exchangePath() const {
    if (size() == 1) return "One device: nothing is exchanged";
    if (hasPeerAccess()) return "The devices exchange by peer access";
    return "The devices exchange through page-locked host memory, since " + refusal_;
}

void DeviceGroup::run(const std::function<void(int)>& task) {
    stop_->stopped = 0;
    stop_->late = 0;
    error_ = nullptr;
    {
        // Another rank has failed or the run was cancelled.
        const std::stop_callback cancelled(onRanks_ ? ranks().stop() : std::stop_token(), [this] { stop(); });
        team_->run(here_, [&](int index) {
            const int member = first_ + index;
            try {
                const CurrentDevice current(device(member));
                task(member);
            } catch (...) {
                {
                    const std::scoped_lock lock(mutex_);
                    if (!error_) error_ = std::current_exception();
                }
                stop();
            }
        });
    }
    if (error_) {
        drain();
        std::rethrow_exception(std::exchange(error_, nullptr));
    }
    if (onRanks_) ranks().barrier();
}

Communicator& DeviceGroup::ranks() const {
    if (!communicator_) throw Error(ErrorCode::failed, "CUDA devices of several ranks work together within a run only");
    return *communicator_;
}

void DeviceGroup::gather(std::span<std::byte> all, std::size_t each) {
    const std::vector<std::byte> own(all.begin() + static_cast<std::ptrdiff_t>(each) * first_,
                                     all.begin() + static_cast<std::ptrdiff_t>(each) * (first_ + here_));
    const std::vector<std::int64_t> sizes(members_.size(), static_cast<std::int64_t>(each));
    ranks().gather(own, Partition::ofSizes(sizes), all, kEveryRank);
}

void DeviceGroup::stop() noexcept { stop_->stopped = 1; }

void DeviceGroup::throwIfStopped() const {
    if (stop_->late != 0)
        throw Error(ErrorCode::failed, "A CUDA device did not answer the others",
                    "they waited for " + std::to_string(waitLimit_ / 1'000'000'000) + " s", "Check the devices with nvidia-smi");
    if (hasStopped()) throw Error(ErrorCode::failed, "The work of several CUDA devices was stopped", "another device failed");
}

void DeviceGroup::drain() noexcept {
    for (const Member& m : members_) {
        if (!m.stream) continue;  // of another process
        const CurrentDevice current(m.device, std::nothrow);
        checkNoThrow(cudaStreamSynchronize(m.stream->get()));
    }
}

void DeviceGroup::calibrateClocks() {
    const std::size_t bytes = sizeof(long long);
    auto* const seen = static_cast<volatile long long*>(pinned_->allocate(bytes));
    run([&](int member) {
        if (member != 0) return;
        for (Member& m : members_) {
            const CurrentDevice current(m.device);
            std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
            // The shortest of several round trips bounds the error best.
            for (int trial = 0; trial < 20; ++trial) {
                const std::int64_t before = hostNow();
                launchReadClock(seen, m.stream->get());
                check(cudaStreamSynchronize(m.stream->get()), "The clock of a CUDA device could not be read");
                const std::int64_t after = hostNow();
                if (after - before >= shortest) continue;
                shortest = after - before;
                m.clockOffset = before + shortest / 2 - *seen;
            }
        }
    });
    pinned_->release(const_cast<long long*>(seen), bytes);
}

GroupSums::GroupSums(DeviceGroup& group, int values) : group_(group), values_(values) {
    for (int m = 0; m < group.size(); ++m) {
        const auto members = static_cast<std::size_t>(group.size());
        boxes_.emplace_back(group.exchangeMemory(m), 2 * members * static_cast<std::size_t>(values));
        flags_.emplace_back(group.exchangeMemory(m), members);
        rounds_.emplace_back();
        if (group.isHere(m)) rounds_.back() = {group.memory(m), 1};
    }
}

void GroupSums::reset(int member) {
    const auto m = static_cast<std::size_t>(member);
    constexpr const char* what = "Device memory could not be cleared";
    const cudaStream_t stream = group_.stream(member)->get();
    check(cudaMemsetAsync(flags_[m].data(), 0, flags_[m].size() * sizeof(Flag), stream), what);
    check(cudaMemsetAsync(rounds_[m].data(), 0, sizeof(unsigned long long), stream), what);
    check(cudaStreamSynchronize(stream), what);
}

SumLinks GroupSums::links(int member) {
    SumLinks l;
    l.member = member;
    l.members = group_.size();
    l.values = values_;
    for (int m = 0; m < l.members; ++m) {
        l.boxes[m] = boxes_[static_cast<std::size_t>(m)].data();
        l.flags[m] = flags_[static_cast<std::size_t>(m)].data();
    }
    l.round = rounds_[static_cast<std::size_t>(member)].data();
    l.limits = group_.limits();
    return l;
}

}  // namespace parallax::gpu
