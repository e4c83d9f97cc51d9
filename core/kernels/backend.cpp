// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/backend.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "core/image/error.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/kernels/packed_parameters.hpp"
#include "core/kernels/session.hpp"

namespace parallax {
namespace {

using namespace user;

struct Kernel {
    KernelSource source;
    CompiledKernel compiled;
    const Operation* operation;
    double limit;
    bool refuses = false;  // it has parallax_refuses()
};

Message described(Request request, std::int64_t slot, const Kernel& kernel, const Problem& problem, int threads) {
    const Shape in = problem.shape, out = kernel.operation->outputShape(problem);
    return {.request = request,
            .values = {slot, threads, problem.alphaChannel, in.width, in.height, in.depth, in.channels, out.width, out.height, out.depth,
                       out.channels}};
}

class KernelExecution final : public Execution {
public:
    KernelExecution(std::shared_ptr<const Kernel> kernel, Problem problem, RunContext& context)
        : kernel_(std::move(kernel)), problem_(std::move(problem)), session_(static_cast<UserSession*>(context.session)) {
        session_->willRun(kernel_.get());
        load(context);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        if (!session_->process().running() || generation_ != session_->generation()) load(context);
        const std::int64_t from = session_->blockOf(in.data, static_cast<std::size_t>(in.shape.samples()));
        const std::int64_t to = session_->blockOf(out.data, static_cast<std::size_t>(out.shape.samples()));
        const Reply reply = session_->process().call({.request = Request::run, .values = {slot_, from, to, checked_ ? 0 : 1}},
                                                     kernel_->source.name, context.stop);
        session_->kernelClock().add(reply.values[0], reply.values[1]);
        if (reply.values[2] > 0) refuseIncomplete(reply, out.shape);
        checked_ = true;
    }

private:
    void load(RunContext& context) {
        KernelProcess& process = session_->process();
        generation_ = session_->generation();
        slot_ = process.newNumber();
        checked_ = false;
        const std::string& name = kernel_->source.name;
        (void)process.call({.request = Request::load, .values = {slot_}}, name, context.stop, kernel_->compiled.library);
        const std::vector<std::byte> bytes = packed(*kernel_->operation, problem_).bytes(problem_.spacing);
        const OwnedDescriptor file = fileInMemory(bytes.data(), bytes.size());
        (void)process.call(described(Request::prepare, slot_, *kernel_, problem_, session_->threads()), name, context.stop, file.number());
    }

    [[noreturn]] void refuseIncomplete(const Reply& reply, const Shape& shape) const {
        const std::int64_t i = reply.values[3], row = i / shape.width, plane = row / shape.height;
        std::string first = "x = " + std::to_string(i % shape.width) + ", y = " + std::to_string(row % shape.height);
        if (shape.depth > 1) first += ", z = " + std::to_string(plane % shape.depth);
        if (shape.channels > 1) first += ", channel " + std::to_string(plane / shape.depth);
        throw Error(ErrorCode::failed, "The kernel '" + kernel_->source.name + "' failed",
                    "it did not write " + std::to_string(reply.values[2]) + " of " + std::to_string(shape.samples()) +
                        " samples, the first at " + first);
    }

    std::shared_ptr<const Kernel> kernel_;
    Problem problem_;
    UserSession* session_;
    std::int64_t slot_ = 0;
    int generation_ = 0;
    bool checked_ = false;
};

class KernelImplementation final : public Implementation {
public:
    explicit KernelImplementation(std::shared_ptr<const Kernel> kernel) : kernel_(std::move(kernel)) {}
    std::string operation() const override { return kernel_->source.operation; }
    std::string variant() const override { return kernel_->source.name; }
    std::string summary() const override { return "Kernel from " + kernel_->source.path; }
    Support supports(const Problem& problem) const override {
        if (!kernel_->refuses) return {};
        try {
            const std::lock_guard lock(asking_);
            if (!asked_ || !asked_->running()) {
                asked_ = std::make_unique<KernelProcess>(kernel_->limit);
                (void)asked_->call({.request = Request::load, .values = {kSlot}}, variant(), {}, kernel_->compiled.library);
            }
            const std::vector<std::byte> bytes = packed(*kernel_->operation, problem).bytes(problem.spacing);
            const OwnedDescriptor file = fileInMemory(bytes.data(), bytes.size());
            const Reply reply =
                asked_->call(described(Request::refuses, kSlot, *kernel_, problem, effectiveThreads({})), variant(), {}, file.number());
            return reply.text[0] ? Support::no(reply.text) : Support{};
        } catch (const Error& e) {
            return Support::no(e.what());
        }
    }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<KernelExecution>(kernel_, problem, context);
    }

private:
    static constexpr std::int64_t kSlot = 1;
    std::shared_ptr<const Kernel> kernel_;
    mutable std::mutex asking_;
    mutable std::unique_ptr<KernelProcess> asked_;  // for parallax_refuses() alone
};

/// The kernels of this process. Those that were replaced are kept, since runs may still use them.
struct OpenKernels {
    std::mutex mutex;
    std::vector<std::unique_ptr<KernelImplementation>> current, replaced;
    std::atomic<double> limit{kDefaultLimit};
};
OpenKernels& openKernels() {
    static auto* const kernels = new OpenKernels;
    return *kernels;
}

class UserBackend final : public Backend {
public:
    std::string id() const override { return kUserBackend; }
    std::string title() const override { return "Your kernels"; }
    Availability availability() const override {
        const std::lock_guard lock(openKernels().mutex);
        if (!openKernels().current.empty()) return {};
        return {.yes = false,
                .reason = "No kernel is open",
                .whatToDo = "Open one: File > Open kernel in the window, --kernel in parallax-cli"};
    }
    std::vector<DeviceInfo> devices() const override { return {hostDevice()}; }
    std::vector<const Implementation*> implementations() const override {
        const std::lock_guard lock(openKernels().mutex);
        std::vector<const Implementation*> all;
        for (const auto& k : openKernels().current) all.push_back(k.get());
        return all;
    }
    std::unique_ptr<BackendSession> open(const RunContext& context) const override {
        if (context.device != 0)
            throw Error(ErrorCode::unavailable, "Backend 'user' has no device " + std::to_string(context.device),
                        "the processor is its only device, number 0");
        return std::make_unique<UserSession>(effectiveThreads(context), context.stop, openKernels().limit);
    }
};

}  // namespace

std::shared_ptr<Backend> makeUserBackend() { return std::make_shared<UserBackend>(); }

OpenedKernel openKernel(const Catalog& catalog, const std::string& path, const std::stop_token& stop, double limitSeconds) {
    KernelSource source = readKernel(catalog.operations(), path);
    const Operation& operation = catalog.operation(source.operation);
    CompiledKernel compiled = compileKernel(source, operation, stop);
    OpenedKernel opened{.variant = source.name,
                        .operation = source.operation,
                        .source = source.text,
                        .compiler = compiled.compiler,
                        .command = compiled.command,
                        .messages = compiled.messages,
                        .seconds = compiled.seconds};
    const auto kernel = std::make_shared<Kernel>(Kernel{std::move(source), std::move(compiled), &operation, limitSeconds, false});
    // Loaded once to see that it can be, before anybody chooses it.
    KernelProcess process(limitSeconds);
    kernel->refuses =
        process.call({.request = Request::load, .values = {process.newNumber()}}, kernel->source.name, stop, kernel->compiled.library)
            .values[0] != 0;
    auto implementation = std::make_unique<KernelImplementation>(kernel);
    OpenKernels& kernels = openKernels();
    const std::lock_guard lock(kernels.mutex);
    kernels.limit = limitSeconds;
    const auto same = std::find_if(kernels.current.begin(), kernels.current.end(), [&](const auto& k) {
        return k->variant() == implementation->variant() && k->operation() == implementation->operation();
    });
    if (same == kernels.current.end()) kernels.current.push_back(std::move(implementation));
    else kernels.replaced.push_back(std::exchange(*same, std::move(implementation)));
    return opened;
}

}  // namespace parallax
