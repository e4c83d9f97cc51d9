// SPDX-License-Identifier: GPL-3.0-or-later
// Images in the memory of the process that runs kernels.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "core/engine/backend/backend.hpp"
#include "core/kernels/kernel_process.hpp"

namespace parallax::user {

/// Stages are timed by the clock of the host, but `compute` by what the process measured around the kernel.
class KernelClock final : public StageClock {
public:
    void begin(Stage stage) override;
    void end() override;
    StageTimes finish() override;
    /// A kernel ran from `begin` to `end`, in ns of the steady clock.
    void add(std::int64_t begin, std::int64_t end);

private:
    StageTimes times_;
    Stage stage_ = Stage::compute;
    std::int64_t start_ = 0, origin_ = 0;
    std::int64_t computed_ = 0, firstBegin_ = 0, lastEnd_ = 0;  // within the open stage
};

/// Keeps an idle process in which `kernel` is loaded, for the next session that runs it.
void keepProcess(const void* kernel, std::shared_ptr<KernelProcess> process);

/// Ends the idle processes, so that the next sessions start new ones.
void endIdleProcesses();

class Memory;

class UserSession final : public BackendSession {
public:
    UserSession(int threads, std::stop_token stop, double limitSeconds, int device, std::shared_ptr<const Sanitizer> sanitizer);
    MemorySpace memorySpace() const override { return MemorySpace::device; }
    Buffer allocate(const Layout& layout) override;
    void upload(View<const float> host, View<float> device) override;
    void download(View<const float> device, View<float> host) override;
    StageClock& clock() override { return clock_; }
    void drain() override {}
    ~UserSession() override;

    int threads() const { return threads_; }
    KernelClock& kernelClock() { return clock_; }
    /// Starts a new process if the one before has ended; what was loaded and allocated there is lost.
    KernelProcess& process();
    /// Names the kernel that will run: if there is no process yet, it takes one that ran this kernel in an earlier session and is idle.
    void willRun(const void* kernel);
    /// The block of a buffer, allocated if it is not there.
    std::int64_t blockOf(const float* samples, std::size_t count);
    /// Counts the processes of this session.
    int generation() const { return generation_; }

private:
    int threads_;
    std::stop_token stop_;
    double limit_;
    int device_;
    std::shared_ptr<const Sanitizer> sanitizer_;
    std::shared_ptr<KernelProcess> process_;
    std::shared_ptr<Memory> memory_;
    int generation_ = 0;
    const void* kernel_ = nullptr;  // the only one that ran in the process; null if there were several
    KernelClock clock_;
};

}  // namespace parallax::user
