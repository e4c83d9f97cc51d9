// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/backend.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "core/engine/operation/kernel_values.hpp"
#include "core/image/error.hpp"
#include "core/kernels/cuda/cuda_compiler.hpp"
#include "core/kernels/cuda/devices.hpp"
#include "core/kernels/kernel_file.hpp"
#include "core/kernels/kernel_record.hpp"
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
    bool refuses = false;                      // it has parallax_refuses()
    std::vector<FunctionResources> functions;  // in CUDA
    std::vector<CudaDevice> devices;           // of a kernel in CUDA

    bool inCuda() const { return source.language == KernelLanguage::cuda; }
    Names names(const Problem& problem, int device) const {
        return namesFor(*operation, problem, devices[static_cast<std::size_t>(device)].multiprocessors);
    }
    LaunchPlan plan(const Problem& problem, int device) const {
        return planLaunches(source.comments, *operation, problem, names(problem, device));
    }
};

Message loading(std::int64_t slot, const Kernel& kernel) {
    return {.request = Request::load, .values = {slot, static_cast<std::int64_t>(kernel.compiled.binary)}};
}

/// Tells a process how the functions of a kernel are launched.
void sendPlan(KernelProcess& process, std::int64_t slot, const Kernel& kernel, const LaunchPlan& plan, const std::stop_token& stop) {
    const OwnedDescriptor file = fileInMemory(plan.steps.data(), plan.steps.size() * sizeof(PlannedStep));
    const auto count = static_cast<std::int64_t>(plan.steps.size());
    (void)process.call({.request = Request::plan, .values = {slot, count, plan.workspace}}, kernel.source.name, stop, file.number());
}

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
        KernelProcess& process = session_->process();
        if (process.device() == kHostDevice) process.followCaller();
        const Reply reply =
            process.call({.request = Request::run,
                          .values = {slot_, from, to, checked_ < kCheckedRuns ? 1 : 0, context.warmCaches && lacksCaches(process) ? 1 : 0}},
                         kernel_->source.name, context.stop);
        session_->kernelClock().add(reply.values[0], reply.values[1]);
        took_ = reply.values[1] - reply.values[0];
        if (reply.values[2] > 0) refuseIncomplete(reply, out.shape);
        ++checked_;
    }

private:
    void load(RunContext& context) {
        KernelProcess& process = session_->process();
        generation_ = session_->generation();
        slot_ = process.newNumber();
        checked_ = 0;
        const std::string& name = kernel_->source.name;
        (void)process.call(loading(slot_, *kernel_), name, context.stop, kernel_->compiled.library.number());
        if (kernel_->source.comments.launch()) sendPlan(process, slot_, *kernel_, kernel_->plan(problem_, process.device()), context.stop);
        const std::vector<std::byte> bytes = packed(*kernel_->operation, problem_).bytes(problem_.spacing);
        const OwnedDescriptor file = fileInMemory(bytes.data(), bytes.size());
        (void)process.call(described(Request::prepare, slot_, *kernel_, problem_, session_->threads()), name, context.stop, file.number());
    }

    /// Whether a measured run needs one before it. One thread copied the samples, so that they are in the caches of its processor, and the
    /// other threads would have to fetch them from there. Long runs do not notice.
    bool lacksCaches(const KernelProcess& process) const {
        return checked_ >= kCheckedRuns && process.device() == kHostDevice && session_->threads() != 1 && took_ < kLongRun;
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
    static constexpr std::int64_t kCheckedRuns = 2;  // the second shows whether a kernel relies on what the first left
    std::int64_t checked_ = 0;
    std::int64_t took_ = 0;  // ns, of the run before
    static constexpr std::int64_t kLongRun = 250'000'000;
};

class KernelImplementation final : public Implementation, public HasKernelRecord {
public:
    explicit KernelImplementation(std::shared_ptr<const Kernel> kernel) : kernel_(std::move(kernel)) {}
    std::string operation() const override { return kernel_->source.operation; }
    std::string variant() const override { return kernel_->source.name; }
    std::string summary() const override { return "Kernel from " + kernel_->source.path; }
    const Kernel& kernel() const { return *kernel_; }
    KernelRecord kernelRecord() const override {
        return {.target = std::string(kernel_->inCuda() ? kUserCudaBackend : kUserBackend) + "." + variant(),
                .operation = operation(),
                .language = kernel_->inCuda() ? "CUDA" : "C++",
                .compiler = kernel_->compiled.compiler,
                .command = kernel_->compiled.command,
                .source = kernel_->source.text};
    }
    Support supports(const Problem& problem) const override {
        // The values of a problem may be beyond what a kernel gets, as windows in three dimensions are.
        if (const auto* gives = capability<GivesKernelValues>(*kernel_->operation)) {
            try {
                (void)gives->kernelValues(problem);
            } catch (const Error& e) {
                return Support::no(e.what());
            }
        }
        if (kernel_->source.comments.launch()) return supportsByComments(problem);
        if (!kernel_->refuses) return {};
        const std::lock_guard lock(asking_);
        if (notAnswered_) return {};
        try {
            const std::string why = refusal(problem);
            return why.empty() ? Support{} : Support::no(why);
        } catch (const Error& e) {
            if (e.code() != ErrorCode::failed) return Support::no(e.what());
            notAnswered_.emplace(e.code(), e.summary(), "in parallax_refuses(), " + e.why());
            return {};
        }
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        if (!kernel_->source.comments.launch()) return {};
        return {.host = 0, .device = static_cast<std::uint64_t>(kernel_->plan(problem, 0).workspace)};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        {
            const std::lock_guard lock(asking_);
            if (notAnswered_) throw Error(*std::exchange(notAnswered_, std::nullopt));  // and the next problem is asked again
        }
        return std::make_unique<KernelExecution>(kernel_, problem, context);
    }

    /// Ends the process that is asked what the kernel refuses.
    void endAsked() const {
        const std::lock_guard lock(asking_);
        asked_.reset();
    }

private:
    /// What parallax_refuses() says; empty if it does not refuse.
    std::string refusal(const Problem& problem) const {
        if (!asked_ || !asked_->running()) {
            asked_ = std::make_unique<KernelProcess>(std::min(kernel_->limit, kAskedLimit), kHostDevice,
                                                     kernel_->inCuda() ? nullptr : kernel_->compiled.sanitizer);
            (void)asked_->call(loading(kSlot, *kernel_), variant(), {}, kernel_->compiled.library.number());
        }
        const std::vector<std::byte> bytes = packed(*kernel_->operation, problem).bytes(problem.spacing);
        const OwnedDescriptor file = fileInMemory(bytes.data(), bytes.size());
        return asked_->call(described(Request::refuses, kSlot, *kernel_, problem, effectiveThreads({})), variant(), {}, file.number()).text;
    }
    Support supportsByComments(const Problem& problem) const {
        try {
            const Names names = kernel_->names(problem, 0);
            if (std::optional<std::string> why = refusalOf(kernel_->source.comments, names)) return Support::no(std::move(*why));
            (void)planLaunches(kernel_->source.comments, *kernel_->operation, problem, names);
            return {};
        } catch (const Error& e) {
            return Support::no(e.what());
        }
    }

    static constexpr std::int64_t kSlot = 1;
    static constexpr double kAskedLimit = 2;  // s; windows wait for the answer
    std::shared_ptr<const Kernel> kernel_;
    mutable std::mutex asking_;
    mutable std::unique_ptr<KernelProcess> asked_;  // for parallax_refuses() alone
    mutable std::optional<Error> notAnswered_;      // parallax_refuses() failed: not a refusal, but a mistake that runs report
};

/// Kernels that were replaced are kept, since runs may still use them.
struct OpenKernels {
    std::mutex mutex;
    std::vector<std::unique_ptr<KernelImplementation>> current, replaced;
    std::atomic<double> limit{kDefaultLimit};
};
OpenKernels& kernelsOf(KernelSet set) {
    static auto* const open = new OpenKernels;
    static auto* const sanitized = new OpenKernels;
    return set == KernelSet::open ? *open : *sanitized;
}

class UserBackend final : public Backend {
public:
    UserBackend(KernelLanguage language, KernelSet set) : language_(language), kernels_(kernelsOf(set)) {}
    std::string id() const override { return inCuda() ? kUserCudaBackend : kUserBackend; }
    std::string title() const override { return inCuda() ? "Your kernels in CUDA" : "Your kernels"; }
    Availability availability() const override {
        if (!implementations().empty()) return {};
        return {.yes = false,
                .reason = inCuda() ? "No kernel in CUDA is open" : "No kernel is open",
                .whatToDo = "Open one: File > Open kernel in the window, --kernel in parallax-cli"};
    }
    std::vector<DeviceInfo> devices() const override {
        if (!inCuda()) return {hostDevice()};
        std::vector<DeviceInfo> all;
        const std::lock_guard lock(kernels_.mutex);
        for (const auto& k : kernels_.current) {
            if (!k->kernel().inCuda()) continue;
            for (const CudaDevice& d : k->kernel().devices) all.push_back(d.info(static_cast<int>(all.size())));
            break;
        }
        return all;
    }
    std::vector<const Implementation*> implementations() const override {
        const std::lock_guard lock(kernels_.mutex);
        std::vector<const Implementation*> all;
        for (const auto& k : kernels_.current)
            if (k->kernel().inCuda() == inCuda()) all.push_back(k.get());
        return all;
    }
    std::vector<std::pair<std::string, std::string>> buildDetails() const override {
        std::vector<std::pair<std::string, std::string>> all;
        const std::lock_guard lock(kernels_.mutex);
        for (const auto& k : kernels_.current) {
            const Kernel& kernel = k->kernel();
            if (kernel.inCuda() != inCuda()) continue;
            all.emplace_back(kernel.source.name, kernel.compiled.compiler);
            for (const FunctionResources& f : kernel.functions) all.emplace_back(kernel.source.name + ": " + f.name, toText(f));
        }
        return all;
    }
    std::unique_ptr<BackendSession> open(const RunContext& context) const override {
        const std::size_t count = devices().size();
        if (context.device < 0 || static_cast<std::size_t>(context.device) >= count)
            throw Error(ErrorCode::unavailable, "Backend '" + id() + "' has no device " + std::to_string(context.device),
                        inCuda() ? "its devices are 0 to " + std::to_string(static_cast<int>(count) - 1)
                                 : "the processor is its only device, number 0");
        return std::make_unique<UserSession>(effectiveThreads(context), context.stop, kernels_.limit,
                                             inCuda() ? context.device : kHostDevice, sanitizer());
    }

private:
    bool inCuda() const { return language_ == KernelLanguage::cuda; }
    /// Returns the sanitizer of the kernel that was opened last: all are opened with one, or none.
    std::shared_ptr<const Sanitizer> sanitizer() const {
        const std::lock_guard lock(kernels_.mutex);
        std::shared_ptr<const Sanitizer> last;
        for (const auto& k : kernels_.current)
            if (k->kernel().inCuda() == inCuda()) last = k->kernel().compiled.sanitizer;
        return last;
    }
    KernelLanguage language_;
    OpenKernels& kernels_;
};

/// `process`: one for the kernel if it takes long to start, so that it does while the kernel is compiled.
CompiledKernel compiledFor(const KernelSource& source, const Operation& operation, std::vector<CudaDevice>& devices, bool sanitize,
                           double limitSeconds, std::shared_ptr<KernelProcess>& process, const std::stop_token& stop) {
    if (source.language == KernelLanguage::cpp) return compileKernel(source, operation, sanitize, stop);
    const auto sanitizer = sanitize ? std::make_shared<const Sanitizer>(computeSanitizer()) : nullptr;
    const CudaDevices& found = cudaDevices(stop);
    if (!found.devices.empty() && !sanitize) process = std::make_shared<KernelProcess>(limitSeconds, 0, nullptr);
    CompiledKernel compiled = compileCudaKernel(source, operation, found.devices.empty() ? "" : found.devices[0].architecture(), stop);
    if (found.devices.empty())
        throw Error(ErrorCode::unavailable, "The kernel '" + source.name + "' was compiled and cannot run", found.reason, found.advice);
    devices = found.devices;
    compiled.sanitizer = sanitizer;
    return compiled;
}

/// A problem that the kernel does not refuse, to tell its occupancy.
std::optional<LaunchPlan> planOfDefaults(const Kernel& kernel) {
    constexpr std::int64_t kSide = 2048;
    std::vector<ParameterBlock> candidates{ParameterBlock(kernel.operation->parameters())};
    for (const SampleProblem& sample : kernel.operation->sampleProblems()) candidates.push_back(sample.parameters);
    for (const ParameterBlock& parameters : candidates) {
        Problem problem;
        problem.shape = {kSide, kSide, 1, 1};
        problem.channelNames = {"Y"};
        problem.parameters = parameters;
        try {
            if (!refusalOf(kernel.source.comments, kernel.names(problem, 0))) return kernel.plan(problem, 0);
        } catch (const Error& e) {
            if (e.code() == ErrorCode::input) throw;  // of a comment
        }
    }
    return std::nullopt;
}

/// Loads a kernel to see that it can be, before users choose it.
void tryLoading(Kernel& kernel, KernelProcess& process, const std::stop_token& stop) {
    const std::int64_t slot = process.newNumber();
    const std::string& name = kernel.source.name;
    kernel.refuses = process.call(loading(slot, kernel), name, stop, kernel.compiled.library.number()).values[0] != 0;
    kernel.functions = kernel.compiled.functions;
    if (!kernel.source.comments.launch()) return;
    const std::optional<LaunchPlan> plan = planOfDefaults(kernel);
    if (!plan) return;
    sendPlan(process, slot, kernel, *plan, stop);
    kernel.functions.clear();
    for (std::size_t i = 0; i < plan->steps.size(); ++i) {
        const PlannedStep& step = plan->steps[i];
        if (step.kind == PlannedKind::constant) continue;
        const Reply r = process.call({.request = Request::functions, .values = {slot, static_cast<std::int64_t>(i)}}, name, stop);
        kernel.functions.push_back({.name = step.name,
                                    .registers = r.values[0],
                                    .shared = r.values[1],
                                    .local = r.values[2],
                                    .threads = step.block[0] * step.block[1] * step.block[2],
                                    .blocks = r.values[3],
                                    .most = r.values[4]});
    }
}

}  // namespace

std::shared_ptr<Backend> makeUserBackend(KernelSet set) { return std::make_shared<UserBackend>(KernelLanguage::cpp, set); }
std::shared_ptr<Backend> makeUserCudaBackend(KernelSet set) { return std::make_shared<UserBackend>(KernelLanguage::cuda, set); }

OpenedKernel openKernel(const Catalog& catalog, const std::string& path, const std::stop_token& stop, double limitSeconds, bool sanitize,
                        KernelSet set) {
    KernelSource source = readKernel(catalog.operations(), path);
    const Operation& operation = catalog.operation(source.operation);
    std::vector<CudaDevice> devices;
    std::shared_ptr<KernelProcess> process;
    CompiledKernel compiled = compiledFor(source, operation, devices, sanitize, limitSeconds, process, stop);
    OpenedKernel opened{.backend = source.language == KernelLanguage::cuda ? kUserCudaBackend : kUserBackend,
                        .variant = source.name,
                        .operation = source.operation,
                        .source = source.text,
                        .compiler = compiled.compiler,
                        .command = compiled.command,
                        .messages = compiled.messages,
                        .seconds = compiled.seconds};
    const auto kernel = std::make_shared<Kernel>(Kernel{.source = std::move(source),
                                                        .compiled = std::move(compiled),
                                                        .operation = &operation,
                                                        .limit = limitSeconds,
                                                        .functions = {},
                                                        .devices = std::move(devices)});
    if (!process) process = std::make_shared<KernelProcess>(limitSeconds, kernel->inCuda() ? 0 : kHostDevice, kernel->compiled.sanitizer);
    tryLoading(*kernel, *process, stop);
    if (kernel->inCuda()) keepProcess(kernel.get(), process);  // it takes long to open a device
    opened.functions = kernel->functions;
    auto implementation = std::make_unique<KernelImplementation>(kernel);
    OpenKernels& kernels = kernelsOf(set);
    const KernelImplementation* replaced = nullptr;
    {
        const std::lock_guard lock(kernels.mutex);
        kernels.limit = limitSeconds;
        const auto same = std::find_if(kernels.current.begin(), kernels.current.end(), [&](const auto& k) {
            return k->variant() == implementation->variant() && k->operation() == implementation->operation() &&
                   k->kernel().inCuda() == implementation->kernel().inCuda();
        });
        if (same == kernels.current.end()) {
            kernels.current.push_back(std::move(implementation));
        } else {
            replaced = same->get();
            kernels.replaced.push_back(std::exchange(*same, std::move(implementation)));
        }
    }
    if (replaced) replaced->endAsked();
    return opened;
}

void endKernelProcesses() {
    endIdleProcesses();
    for (const KernelSet set : {KernelSet::open, KernelSet::sanitized}) {
        OpenKernels& kernels = kernelsOf(set);
        const std::lock_guard lock(kernels.mutex);
        for (const auto& k : kernels.current) k->endAsked();
    }
}

}  // namespace parallax
