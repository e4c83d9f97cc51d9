// SPDX-License-Identifier: GPL-3.0-or-later
// The other end of parallax-kernel-host: a process that runs kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "core/kernels/child_process.hpp"
#include "core/kernels/protocol.hpp"
#include "core/kernels/sanitizer.hpp"

namespace parallax::user {

/// Seconds after which a kernel that has not returned is ended.
constexpr double kDefaultLimit = 60;

/// The CPU, among the devices of a KernelProcess.
constexpr int kHostDevice = -1;

/// The path of parallax-kernel-host, which lies beside this program, or which PARALLAX_KERNEL_HOST names. Throws Error(unavailable).
std::string kernelHostProgram();

class KernelProcess {
public:
    /// Starts parallax-kernel-host for the CPU or for a device of CUDA, if wanted with the sanitizer that kernels were compiled for. Throws
    /// Error(unavailable).
    explicit KernelProcess(double limitSeconds = kDefaultLimit, int device = kHostDevice,
                           std::shared_ptr<const Sanitizer> sanitizer = nullptr);

    /// Sends a request, with a descriptor unless it is negative, and waits for the reply. Throws Error(failed) if the kernel `name`
    /// crashed, ended the process, took longer than the limit, or if the request failed, and Error(cancelled); unless a request failed, the
    /// process has ended then.
    Reply call(const Message& message, const std::string& name, const std::stop_token& stop, int descriptor = -1);
    /// False also if the system ended it.
    bool running();
    double limit() const { return limit_; }
    int device() const { return device_; }

    /// Moves its threads to the processors of the calling thread, as if the kernel ran there. Those that the kernel binds stay.
    void followCaller();

    /// Copies samples to and from a block.
    void write(std::int64_t block, const std::byte* from, std::size_t bytes, const std::stop_token& stop);
    void read(std::int64_t block, std::byte* to, std::size_t bytes, const std::stop_token& stop);

    /// A number that no other block or slot of this process has.
    std::int64_t newNumber() { return ++number_; }

private:
    [[noreturn]] void end(const std::string& name, const std::string& why, const std::string& advice = {});
    [[noreturn]] void explainFault(const Reply& reply, const std::string& name);
    std::string howItEnded();

    struct Staging;
    std::shared_ptr<Staging> staging_;
    OwnedDescriptor socket_;
    std::unique_ptr<SanitizerReports> reports_;
    std::unique_ptr<ChildProcess> child_;
    double limit_;
    int device_;
    bool running_ = false;
    std::int64_t number_ = 0;
    std::vector<int> processors_;
};

/// A file in memory with these bytes, for a message.
OwnedDescriptor fileInMemory(const void* bytes, std::size_t count);

}  // namespace parallax::user
