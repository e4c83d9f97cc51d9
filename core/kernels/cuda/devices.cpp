// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/devices.hpp"

#include <memory>
#include <mutex>
#include <sstream>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/kernels/kernel_process.hpp"
#include "core/kernels/tool_run.hpp"

namespace parallax::user {
namespace {

/// A line of parallax-kernel-host --devices: name, major, minor, multiprocessors, bytes, driver, with tabs between.
bool readDevice(const std::string& line, CudaDevice& device) {
    std::istringstream fields(line);
    std::string major, minor, multiprocessors, memory;
    return std::getline(fields, device.name, '\t') && std::getline(fields, major, '\t') && std::getline(fields, minor, '\t') &&
           std::getline(fields, multiprocessors, '\t') && std::getline(fields, memory, '\t') && std::getline(fields, device.driver, '\t') &&
           parseNumber(major, device.major) && parseNumber(minor, device.minor) && parseNumber(multiprocessors, device.multiprocessors) &&
           parseNumber(memory, device.memory);
}

CudaDevices ask(const std::stop_token& stop) {
    const Finished answer = runToEnd({kernelHostProgram(), "--devices"}, stop);
    CudaDevices found;
    std::istringstream lines(answer.output);
    std::string line;
    if (answer.exitCode() != 0) {
        std::getline(lines, found.reason);
        std::getline(lines, found.advice);
        if (found.reason.empty()) found.reason = "the driver of CUDA does not answer";
        return found;
    }
    for (CudaDevice device; std::getline(lines, line);)
        if (readDevice(line, device)) found.devices.push_back(device);
    if (found.devices.empty()) found.reason = "the driver of CUDA names no device";
    return found;
}

}  // namespace

DeviceInfo CudaDevice::info(int index) const {
    constexpr double kEventStep = 500;  // ns, resolution of events
    return {.index = index,
            .name = name,
            .memoryTotal = memory,
            .memoryFree = memory,
            .details = {{"compute capability", std::to_string(major) + "." + std::to_string(minor)},
                        {"multiprocessors", std::to_string(multiprocessors)},
                        {"driver supports CUDA", driver}},
            .clockStepNs = kEventStep};
}

const CudaDevices& cudaDevices(const std::stop_token& stop) {
    static std::mutex mutex;
    static std::vector<std::unique_ptr<const CudaDevices>> answers;  // callers keep references
    const std::lock_guard lock(mutex);
    if (answers.empty() || answers.back()->devices.empty()) answers.push_back(std::make_unique<const CudaDevices>(ask(stop)));
    return *answers.back();
}

}  // namespace parallax::user
