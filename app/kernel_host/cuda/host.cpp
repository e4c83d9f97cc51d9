// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kernel_host/cuda/host.hpp"

#include <sys/mman.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace parallax::user {
namespace {

constexpr const char* kSanitizer = "\nIts line: 'kernel check --sanitize', or \"Find memory errors\" in the window";

/// Explains the result of the driver that follows a kernel.
std::string explanation(int result) {
    switch (result) {
        case kIllegalAddress: return std::string("it used an address that is not in its memory") + kSanitizer;
        case kMisalignedAddress: return std::string("it used an address that is not aligned to the size of its value") + kSanitizer;
        case kInvalidAddressSpace: return std::string("it used an address of another kind of memory") + kSanitizer;
        case kAssert: return "an assert() of it failed";
        case kIllegalInstruction: return "it has an instruction that the device does not know";
        case kTimeout: return "the device ended it, since it took too long for a device with a display";
        case kLaunchFailed: return std::string("the device ended it, as after a trap or an overflow of the stack") + kSanitizer;
        default: return "the device ended it: " + textOf(result);
    }
}

std::string placeText(std::int64_t index, const parallax_output& out) {
    const std::int64_t row = index / out.width, plane = row / out.height;
    std::string text = "x = " + std::to_string(index % out.width) + ", y = " + std::to_string(row % out.height);
    if (out.depth > 1) text += ", z = " + std::to_string(plane % out.depth);
    if (out.channels > 1) text += ", channel " + std::to_string(plane / out.depth);
    return text;
}

std::string samples(std::int64_t count) { return std::to_string(count) + (count == 1 ? " sample" : " samples"); }

int attributeOf(CUfunc_st* function, FunctionAttribute which) {
    int value = 0;
    check(driver().cuFuncGetAttribute(&value, which, function), "The function cannot be described");
    return value;
}

/// Whether a function that is extern "C", whose name does not tell its parameters, has those of a kernel. True if the driver cannot say.
bool hasParameters(CUfunc_st* function) {
    const auto info = driver().cuFuncGetParamInfo;
    if (!info) return true;
    const std::size_t sizes[] = {sizeof(parallax_input), sizeof(parallax_output), 0, sizeof(parallax_context)};  // 0: of the operation
    std::size_t offset = 0, size = 0;
    for (std::size_t i = 0; i < std::size(sizes); ++i)
        if (info(function, i, &offset, &size) != kSuccess || (sizes[i] != 0 && size != sizes[i])) return false;
    return info(function, std::size(sizes), &offset, &size) != kSuccess;
}

unsigned narrow(std::int64_t n) { return static_cast<unsigned>(n); }

}  // namespace

Reply CudaHost::serve(const Message& m, const Descriptor& file) {
    switch (m.request) {
        case Request::staging: staging(file); break;
        case Request::load: return load(m, file);
        case Request::forget:
            slots_.clear();
            blocks_.clear();
            break;
        case Request::allocate:
            open();
            blocks_[m.values[0]] = std::make_unique<DeviceBlock>(*memory_, static_cast<std::size_t>(m.values[1]), stream_);
            break;
        case Request::release: blocks_.erase(m.values[0]); break;
        case Request::write: copy(m, true); break;
        case Request::read: copy(m, false); break;
        case Request::plan: plan(m, file); break;
        case Request::functions: return functions(m);
        case Request::prepare: prepare(m, file); break;
        case Request::run: return run(m);
        case Request::refuses: throw std::runtime_error("a message is wrong");
    }
    return {};
}

void CudaHost::openAhead() {
    try {
        open();
    } catch (const std::exception&) {}
}

void CudaHost::open() {
    if (opened_) return;
    const Driver& d = driver();
    int device = 0;
    check(d.cuDeviceGet(&device, device_), "The device cannot be opened");
    // The context that the runtime of CUDA uses, too, so that functions on the host work in it.
    CUctx_st* context = nullptr;
    check(d.cuDevicePrimaryCtxRetain(&context, device), "The device cannot be opened");
    check(d.cuCtxSetCurrent(context), "The device cannot be opened");
    check(d.cuStreamCreate(&stream_, 0), "The device cannot be opened");
    check(d.cuEventCreate(&begin_, 0), "The device cannot be opened");
    check(d.cuEventCreate(&end_, 0), "The device cannot be opened");
    gate_ = std::make_unique<LaunchGate>();
    if (staging_) (void)d.cuMemHostRegister_v2(staging_, kStagingBytes, 1);  // copies are slower without
    memory_ = std::make_unique<DeviceMemory>(device);
    touched_ = std::make_unique<DeviceBlock>(*memory_, sizeof kPoison, stream_);
    opened_ = true;
}

CudaHost::Slot& CudaHost::slotOf(std::int64_t number) {
    const auto at = slots_.find(number);
    if (at == slots_.end()) throw std::runtime_error("no kernel is loaded");
    return at->second;
}

DeviceBlock& CudaHost::blockOf(std::int64_t number) {
    const auto at = blocks_.find(number);
    if (at == blocks_.end()) throw std::runtime_error("a block of memory is missing");
    return *at->second;
}

Reply CudaHost::load(const Message& m, const Descriptor& file) {
    open();
    Slot& slot = slots_[m.values[0]];
    slot.binary = static_cast<Binary>(m.values[1]);
    Reply reply;
    if (slot.binary == Binary::library) {
        slot.entries.load(file);
        reply.values[0] = slot.entries.refuses != nullptr;
        return reply;
    }
    std::vector<std::byte> code(file.size());
    file.read(code.data(), code.size());
    slot.module = moduleOf(std::move(code));
    return reply;
}

CUmod_st* CudaHost::moduleOf(std::vector<std::byte> code) {
    if (last_.module && last_.code == code) return last_.module;
    CUmod_st* module = nullptr;
    const int result = driver().cuModuleLoadData(&module, code.data());
    if (result == kNoBinary)
        throw std::runtime_error("it was compiled for another device; CUDA_VISIBLE_DEVICES chooses the device that it is compiled for");
    check(result, "it cannot be loaded");
    // Slots may still have functions of the module before: modules stay until the process ends.
    last_ = {std::move(code), module};
    return module;
}

void CudaHost::plan(const Message& m, const Descriptor& file) {
    Slot& slot = slotOf(m.values[0]);
    slot.steps.assign(static_cast<std::size_t>(m.values[1]), PlannedStep{});
    slot.functions.assign(slot.steps.size(), nullptr);
    slot.workspaceBytes = m.values[2];
    file.read(slot.steps.data(), slot.steps.size() * sizeof(PlannedStep));
    int most = 0;
    check(driver().cuDeviceGetAttribute(&most, kSharedOptIn, device_), "The device cannot be described");
    for (std::size_t i = 0; i < slot.steps.size(); ++i) {
        const PlannedStep& step = slot.steps[i];
        if (step.kind == PlannedKind::constant) continue;
        CUfunc_st*& function = slot.functions[i];
        const std::string name = step.name;
        // Its name in C++ comes first: compute-sanitizer counts a name that is not there as an error.
        const bool found = driver().cuModuleGetFunction(&function, slot.module, step.mangled) == kSuccess ||
                           (driver().cuModuleGetFunction(&function, slot.module, step.name) == kSuccess && hasParameters(function));
        if (!found)
            throw std::runtime_error("it has no function " + name +
                                     "() with the parameters (parallax_input, parallax_output, parallax_OPERATION, parallax_context)");
        const std::int64_t own = attributeOf(function, kStaticShared);
        if (own + step.shared > most)
            throw std::runtime_error(name + "() needs " + std::to_string(own + step.shared) +
                                     " bytes of shared memory, and a block can have " + std::to_string(most));
        if (step.shared > 0)
            check(driver().cuFuncSetAttribute(function, kDynamicShared, static_cast<int>(step.shared)), "Shared memory cannot be set");
    }
}

Reply CudaHost::functions(const Message& m) {
    const Slot& slot = slotOf(m.values[0]);
    const auto i = static_cast<std::size_t>(m.values[1]);
    if (i >= slot.steps.size() || !slot.functions[i]) throw std::runtime_error("a message is wrong");
    const PlannedStep& step = slot.steps[i];
    CUfunc_st* const function = slot.functions[i];
    int blocks = 0, most = 0;
    check(driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(
              &blocks, function, static_cast<int>(step.block[0] * step.block[1] * step.block[2]), static_cast<std::size_t>(step.shared)),
          "The occupancy is unknown");
    check(driver().cuDeviceGetAttribute(&most, kThreadsOfMultiprocessor, device_), "The device cannot be described");
    Reply reply;
    reply.values[0] = attributeOf(function, kRegisters);
    reply.values[1] = attributeOf(function, kStaticShared) + step.shared;
    reply.values[2] = attributeOf(function, kLocalBytes);
    reply.values[3] = blocks;
    reply.values[4] = most;
    std::snprintf(reply.text, sizeof reply.text, "%s", step.name);
    return reply;
}

void CudaHost::prepare(const Message& m, const Descriptor& file) {
    Slot& slot = slotOf(m.values[0]);
    slot.workspace.reset();
    slot.parameters = std::make_unique<UnpackedParameters>(file, [&](const std::byte* data, std::size_t bytes) {
        slot.arrays = std::make_unique<DeviceBlock>(*memory_, bytes, stream_);
        check(driver().cuMemcpyHtoDAsync_v2(slot.arrays->data(), data, bytes, stream_), "Parameters cannot be copied");
        finish();
        return static_cast<std::uintptr_t>(slot.arrays->data());
    });
    slot.problem = Described(m, *slot.parameters);
    Described& problem = slot.problem;
    problem.context.stream = slot.binary == Binary::library ? stream_ : nullptr;
    std::int64_t bytes = slot.workspaceBytes;
    if (slot.entries.workspaceBytes) bytes = slot.entries.workspaceBytes(&problem.in, slot.parameters->get(), &problem.context);
    if (bytes < 0) throw std::runtime_error("parallax_workspace() returned " + std::to_string(bytes));
    if (bytes > 0) slot.workspace = std::make_unique<DeviceBlock>(*memory_, static_cast<std::size_t>(bytes), stream_);
    problem.context.workspace = slot.workspace ? reinterpret_cast<void*>(slot.workspace->data()) : nullptr;
    for (const PlannedStep& step : slot.steps)
        if (step.kind == PlannedKind::constant) copyConstant(slot, step);
    if (slot.entries.prepare) slot.entries.prepare(&problem.in, slot.parameters->get(), &problem.context);
    else start(slot, PlannedKind::prepare);
    finish();
}

void CudaHost::copyConstant(const Slot& slot, const PlannedStep& step) {
    DevicePointer variable = 0;
    std::size_t room = 0;
    const auto bytes = static_cast<std::size_t>(step.bytes);
    if (driver().cuModuleGetGlobal_v2(&variable, &room, slot.module, step.name) != kSuccess)
        throw std::runtime_error("it has no variable '" + std::string(step.name) +
                                 "' in constant memory outside of namespaces, or does not use it");
    const auto [data, there] = slot.parameters->target(static_cast<std::size_t>(step.word));
    if (bytes > there) throw std::runtime_error("a message is wrong");
    if (bytes > room)
        throw std::runtime_error("'" + std::string(step.name) + "' has " + std::to_string(room) + " bytes, and " + std::to_string(bytes) +
                                 " are copied there; a 'requires' comment can refuse such problems");
    check(driver().cuMemcpyHtoDAsync_v2(variable, data, bytes, stream_), "Constants cannot be copied");
}

/// Enqueues the functions of a kind.
void CudaHost::start(Slot& slot, PlannedKind kind) {
    void* arguments[] = {&slot.problem.in, &slot.problem.out, const_cast<void*>(slot.parameters->get()), &slot.problem.context};
    for (std::size_t i = 0; i < slot.steps.size(); ++i) {
        const PlannedStep& s = slot.steps[i];
        if (s.kind != kind) continue;
        const int result =
            driver().cuLaunchKernel(slot.functions[i], narrow(s.grid[0]), narrow(s.grid[1]), narrow(s.grid[2]), narrow(s.block[0]),
                                    narrow(s.block[1]), narrow(s.block[2]), narrow(s.shared), stream_, arguments, nullptr);
        if (result == kOutOfResources)
            throw std::runtime_error(std::string(s.name) + "() needs more registers than there are for a block of " +
                                     std::to_string(s.block[0] * s.block[1] * s.block[2]) +
                                     " threads; make the block smaller, or declare __launch_bounds__");
        if (result >= kIllegalAddress) throw DeviceEnded(explanation(result));
        check(result, (std::string(s.name) + "() cannot be launched").c_str());
    }
}

/// Waits for the device.
void CudaHost::finish() {
    for (const int result : {driver().cuStreamSynchronize(stream_), driver().cuCtxSynchronize()})
        if (result != kSuccess) throw DeviceEnded(explanation(result));
}

Reply CudaHost::run(const Message& m) {
    Slot& slot = slotOf(m.values[0]);
    if (!slot.parameters) throw std::runtime_error("the kernel is not prepared");
    const DeviceBlock &from = blockOf(m.values[1]), &to = blockOf(m.values[2]);
    const bool checked = m.values[3] != 0;
    Described& problem = slot.problem;
    problem.in.data = reinterpret_cast<const float*>(from.data());
    problem.out.data = reinterpret_cast<float*>(to.data());
    Copies copies(staging_, static_cast<std::size_t>(kStagingBytes), stream_);
    const std::byte* before = nullptr;
    if (checked) {
        before = copies.enqueue(from.data(), from.bytes());
        to.poison();
        if (slot.binary == Binary::library) finish();  // its function may use other streams
    }
    // The first run loads functions, which may have to wait for the device, and a function on the host may wait itself.
    if (!checked && slot.binary == Binary::module) gate_->close(stream_);
    Reply reply;
    try {
        // An event does not wait until the device has turned to this process, which takes 0.13 ms on an H100; work does.
        touched_->poison();
        check(driver().cuEventRecord(begin_, stream_), "The time cannot be measured");
        if (slot.binary == Binary::library) slot.entries.kernel(&problem.in, &problem.out, slot.parameters->get(), &problem.context);
        else start(slot, PlannedKind::launch);
        check(driver().cuEventRecord(end_, stream_), "The time cannot be measured");
    } catch (...) {
        gate_->open();
        throw;
    }
    reply.values[0] = monotonicNow();
    gate_->open();
    finish();
    float milliseconds = 0;
    check(driver().cuEventElapsedTime(&milliseconds, begin_, end_), "The time cannot be measured");
    constexpr double kNanoseconds = 1e6;
    reply.values[1] = reply.values[0] + std::max<std::int64_t>(1, std::llround(static_cast<double>(milliseconds) * kNanoseconds));
    if (checked) checkMemory(slot, from, to, before, copies, reply);
    return reply;
}

/// Looks for samples that were not written, and for others that were. `before`: what the input held.
void CudaHost::checkMemory(const Slot& slot, const DeviceBlock& from, const DeviceBlock& to, const std::byte* before, Copies& copies,
                           Reply& reply) {
    const std::byte *const after = copies.enqueue(from.data(), from.bytes()), *const result = copies.enqueue(to.data(), to.bytes());
    const DeviceBlock::Surroundings images[] = {to.surroundings(copies), from.surroundings(copies)};
    const auto workspace = slot.workspace ? slot.workspace->surroundings(copies) : DeviceBlock::Surroundings{};
    finish();
    const auto require = [](const DeviceBlock::Surroundings& around, const char* what) {
        if (const std::int64_t count = around.overwritten(); count != 0)
            throw std::runtime_error("it wrote " + samples(std::abs(count)) +
                                     (count > 0 ? " beyond the last sample of " : " before the first sample of ") + what);
    };
    for (const DeviceBlock::Surroundings& image : images) require(image, "an image");
    require(workspace, "its workspace");
    for (std::size_t i = 0; i + sizeof(float) <= from.bytes(); i += sizeof(float))
        if (std::memcmp(after + i, before + i, sizeof(float)) != 0) {
            parallax_output shape{};
            shape.width = slot.problem.in.width, shape.height = slot.problem.in.height;
            shape.depth = slot.problem.in.depth, shape.channels = slot.problem.in.channels;
            throw std::runtime_error("it wrote to its input, which is not to be changed, first at " +
                                     placeText(static_cast<std::int64_t>(i / sizeof(float)), shape));
        }
    reply.values[2] =
        countPoison(reinterpret_cast<const float*>(result), static_cast<std::int64_t>(to.bytes() / sizeof(float)), reply.values[3]);
}

void CudaHost::staging(const Descriptor& file) {
    void* p = mmap(nullptr, kStagingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
    if (p == MAP_FAILED) throw std::runtime_error("there is not enough memory");
    staging_ = static_cast<std::byte*>(p);
}

void CudaHost::copy(const Message& m, bool toDevice) {
    const DeviceBlock& block = blockOf(m.values[0]);
    const auto offset = static_cast<std::size_t>(m.values[1]), bytes = static_cast<std::size_t>(m.values[2]);
    if (!staging_ || bytes > static_cast<std::size_t>(kStagingBytes) || offset > block.bytes() || bytes > block.bytes() - offset)
        throw std::runtime_error("a message is wrong");
    const Driver& d = driver();
    check(toDevice ? d.cuMemcpyHtoDAsync_v2(block.data() + offset, staging_, bytes, stream_)
                   : d.cuMemcpyDtoHAsync_v2(staging_, block.data() + offset, bytes, stream_),
          "Samples cannot be copied");
    finish();
}

}  // namespace parallax::user
