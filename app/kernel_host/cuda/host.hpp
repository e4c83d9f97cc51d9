// SPDX-License-Identifier: GPL-3.0-or-later
// Runs kernels in CUDA on one device.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "app/kernel_host/cuda/launch_gate.hpp"
#include "app/kernel_host/cuda/memory.hpp"
#include "app/kernel_host/messages.hpp"

namespace parallax::user {

/// An error after which the device does nothing more for this process. A second line of its text is advice.
class DeviceEnded : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class CudaHost {
public:
    /// The device is opened by the first message that needs it, or ahead of it.
    explicit CudaHost(int device) : device_(device) {}
    /// What goes wrong is told by the message that needs the device.
    void openAhead();
    /// Throws DeviceEnded, or another std::exception after which it can go on.
    Reply serve(const Message& m, const Descriptor& file);

private:
    /// Code of a kernel with launch comments, and its functions.
    struct Module {
        std::vector<std::byte> code;
        CUmod_st* module = nullptr;
    };
    /// A kernel and what it was prepared for.
    struct Slot {
        Binary binary = Binary::library;
        CUmod_st* module = nullptr;
        LibraryEntries entries;
        std::vector<PlannedStep> steps;
        std::vector<CUfunc_st*> functions;  // of the steps; null for constants
        std::int64_t workspaceBytes = 0;
        std::unique_ptr<DeviceBlock> arrays;  // that the parameters point to
        std::unique_ptr<UnpackedParameters> parameters;
        std::unique_ptr<DeviceBlock> workspace;
        Described problem;
    };

    void open();
    Slot& slotOf(std::int64_t number);
    DeviceBlock& blockOf(std::int64_t number);
    Reply load(const Message& m, const Descriptor& file);
    CUmod_st* moduleOf(std::vector<std::byte> code);
    void plan(const Message& m, const Descriptor& file);
    Reply functions(const Message& m);
    void prepare(const Message& m, const Descriptor& file);
    void copyConstant(const Slot& slot, const PlannedStep& step);
    Reply run(const Message& m);
    void start(Slot& slot, PlannedKind kind);
    void finish();
    void checkMemory(const Slot& slot, const DeviceBlock& from, const DeviceBlock& to, const std::byte* before, Copies& copies,
                     Reply& reply);
    void staging(const Descriptor& file);
    void copy(const Message& m, bool toDevice);

    int device_;
    bool opened_ = false;
    CUstream_st* stream_ = nullptr;
    CUevent_st *begin_ = nullptr, *end_ = nullptr;
    std::unique_ptr<LaunchGate> gate_;
    std::byte* staging_ = nullptr;
    std::unique_ptr<DeviceMemory> memory_;
    std::unique_ptr<DeviceBlock> touched_;  // by work ahead of the first event
    Module last_;                           // the same code is loaded once
    std::map<std::int64_t, Slot> slots_;
    std::map<std::int64_t, std::unique_ptr<DeviceBlock>> blocks_;
};

}  // namespace parallax::user
