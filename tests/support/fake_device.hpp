// SPDX-License-Identifier: GPL-3.0-or-later
// A fake backend, and a fake device whose memory is host memory that must be accessed through its session only. Tests derive from them.
#pragma once

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/device_memory.hpp"

namespace parallax::test {

struct FakeCounters {
    std::atomic<int> allocations{0}, live{0}, uploads{0}, downloads{0}, drains{0};
    bool refuseMemory = false;
    std::int64_t rowUnit = 1;  ///< padded rows have multiples of this
    int padded = 0;            ///< allocations with padded rows
};

inline void copyRows(const View<const float>& from, const View<float>& to) {
    for (std::int64_t c = 0; c < from.shape.channels; ++c)
        for (std::int64_t z = 0; z < from.shape.depth; ++z)
            for (std::int64_t y = 0; y < from.shape.height; ++y)
                std::memcpy(to.row(y, z, c), from.row(y, z, c), static_cast<std::size_t>(from.shape.width) * sizeof(float));
}

class FakeMemory final : public Allocator {
public:
    FakeMemory(MemorySpace space, std::shared_ptr<FakeCounters> counters) : space_(space), counters_(std::move(counters)) {}
    MemorySpace space() const override { return space_; }
    void* allocate(std::size_t bytes) override {
        if (counters_->refuseMemory) throw Error(ErrorCode::memory, "Not enough memory on the fake device");
        ++counters_->allocations;
        ++counters_->live;
        return std::malloc(bytes);
    }
    void release(void* p, std::size_t) noexcept override {
        --counters_->live;
        std::free(p);
    }

private:
    MemorySpace space_;
    std::shared_ptr<FakeCounters> counters_;
};

/// Counts the stages instead of timing them.
class FakeClock final : public StageClock {
public:
    void begin(Stage s) override { stage_ = s; }
    void end() override { times_[stage_] += 1; }
    StageTimes finish() override { return std::exchange(times_, StageTimes{}); }

private:
    Stage stage_ = Stage::compute;
    StageTimes times_;
};

class FakeSession : public BackendSession {
public:
    explicit FakeSession(std::shared_ptr<FakeCounters> counters)
        : counters_(std::move(counters)), memory_(std::make_shared<FakeMemory>(MemorySpace::device, counters_)) {}
    MemorySpace memorySpace() const override { return MemorySpace::device; }
    Layout paddedLayout(const Shape& s) const override {
        const std::int64_t unit = counters_->rowUnit;
        return {s, (s.width + unit - 1) / unit * unit};
    }
    Buffer allocate(const Layout& layout) override {
        if (layout.rowStride > layout.shape.width) ++counters_->padded;
        return Buffer(layout, SampleType::float32, memory_);
    }
    void upload(View<const float> host, View<float> device) override {
        ++counters_->uploads;
        copyRows(host, device);
    }
    void download(View<const float> device, View<float> host) override {
        ++counters_->downloads;
        copyRows(device, host);
    }
    StageClock& clock() override { return clock_; }
    void drain() override { ++counters_->drains; }

private:
    std::shared_ptr<FakeCounters> counters_;
    std::shared_ptr<FakeMemory> memory_;
    FakeClock clock_;
};

/// On a device on which others take 1,000 bytes, and each buffer of a session 64.
class MeasuringSession final : public FakeSession, public MeasuresDeviceMemory {
public:
    explicit MeasuringSession(const std::shared_ptr<FakeCounters>& c) : FakeSession(c), counters_(c) {}
    std::uint64_t usedDeviceMemory() const override { return 1000 + 64 * static_cast<std::uint64_t>(counters_->allocations); }
    std::uint64_t takeDeviceMemoryPeak() override { return usedDeviceMemory() + 8; }

private:
    std::shared_ptr<FakeCounters> counters_;
};

/// A backend with the given devices; tests derive those with more properties.
class FakeBackend : public Backend {
public:
    using Open = std::function<std::unique_ptr<BackendSession>()>;
    explicit FakeBackend(std::string id, std::vector<DeviceInfo> devices = {hostDevice()}, Open open = makeHostSession)
        : id_(std::move(id)), devices_(std::move(devices)), open_(std::move(open)) {}
    std::string id() const override { return id_; }
    std::string title() const override { return "Fake"; }
    std::vector<DeviceInfo> devices() const override { return devices_; }
    std::vector<const Implementation*> implementations() const override { return implementations_; }
    std::unique_ptr<BackendSession> open(const RunContext&) const override { return open_(); }

protected:
    std::vector<const Implementation*> implementations_;

private:
    std::string id_;
    std::vector<DeviceInfo> devices_;
    Open open_;
};

}  // namespace parallax::test
