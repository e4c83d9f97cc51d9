// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/prepared_state.hpp"

#include <algorithm>
#include <cstring>

#include "core/engine/run/live_series.hpp"
#include "core/engine/run/translated_errors.hpp"

namespace parallax {
namespace {

/// memcpy() in pieces of about a millisecond, between which it can be cancelled.
void copyUnlessStopped(void* to, const void* from, std::size_t bytes, const RunContext& context) {
    constexpr std::size_t kPiece = std::size_t{8} << 20;
    for (std::size_t at = 0; at < bytes; at += kPiece) {
        context.throwIfStopped();
        std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, std::min(kPiece, bytes - at));
    }
}

/// A range for profilers that also ends if the work throws.
class NamedRange {
public:
    NamedRange(BackendSession& session, const std::string& name) : session_(session) { session_.beginRange(name.c_str()); }
    ~NamedRange() { session_.endRange(); }
    NamedRange(const NamedRange&) = delete;
    NamedRange& operator=(const NamedRange&) = delete;

private:
    BackendSession& session_;
};

}  // namespace

void PreparedRun::State::setPlan(RunPlan planned) {
    plan = std::move(planned);
    work.resize(plan.buffers.layouts.size());
    records.clear();
    for (const PlannedStep& step : plan.steps) records.push_back(step.record);
}

void PreparedRun::State::prepareSteps(RunContext& context) {
    if (plan.division == Division::parts) {
        translated(target.target().label(), [&] {
            parts = std::make_unique<PartsRun>(plan, target);
            parts->prepare(context);
        });
        return;
    }
    for (const PlannedStep& step : plan.steps) {
        context.throwIfStopped();
        executions.push_back(translated(target.target().label(), [&] {
            const NamedRange range(session(), "prepare " + step.record.implementation);
            RunContext own = contextOf(step, context);
            return step.implementation->prepare(step.problem, own);
        }));
    }
    for (std::size_t i = 0; i < executions.size(); ++i) {
        if (!plan.isInSlabs(i)) continue;
        translated(target.target().label(),
                   [&] { plan.setStrips(i, executions[i]->prepareSlabs(target.slabLimits(), plan.stripMemory, context), target); });
        records[i] = plan.steps[i].record;
    }
}

void PreparedRun::State::copyToPageLocked(const RunContext& context) {
    if (!target.asksFor(Capability::pageLocked)) return;
    pageLockedMemory = session().pageLockedMemory();
    translated(target.target().label(), [&] { pageLockedInput = Buffer(input->shape(), SampleType::float32, pageLockedMemory); });
    copyUnlessStopped(pageLockedInput.data(), input->view().data, pageLockedInput.bytes(), context);
}

std::shared_ptr<Allocator> PreparedRun::State::hostMemory(const RunContext& context) const {
    return remote ? remote->resultMemory() : pageLockedMemory ? pageLockedMemory : context.hostMemory;
}

void PreparedRun::State::allocate(const RunContext& context) {
    session().clock().begin(Stage::allocate);
    BackendSession* const device = onHost() ? nullptr : &session();
    if (!divided()) {
        if (device) {
            if (deviceInput.empty() || deviceInput.layout() != plan.buffers.input) hasInput = false;
            ensureBuffer(deviceInput, plan.buffers.input, device);
        }
        for (std::size_t i = 0; i < work.size(); ++i) ensureBuffer(work[i], plan.buffers.layouts[i], device, hostMemory(context));
    }
    ensureBuffer(result, outputShape(), nullptr, hostMemory(context));
    session().clock().end();
}

void PreparedRun::State::upload() {
    if (hasInput) return;
    session().clock().begin(Stage::upload);
    session().upload(hostInput(), deviceInput.view<float>());
    session().clock().end();
    hasInput = keepsInput;
}

void PreparedRun::State::replaceSteps(RunPlan planned, RunContext& context) {
    if (divided() || planned.division != Division::whole || target.asksFor(Capability::recorded))
        throw Error(ErrorCode::unavailable, "The steps of this run cannot be changed", "it is recorded, in strips, on parts or on ranks",
                    "Prepare a new run");
    checkMemory(planned, target);
    hasResult = false;
    executions.clear();
    setPlan(std::move(planned));
    try {
        prepareSteps(context);
    } catch (...) {
        executions.clear();
        throw;
    }
}

void PreparedRun::State::compute(RunContext& context) {
    View<const float> current = onHost() ? input->view() : std::as_const(deviceInput).view<float>();
    for (std::size_t i = 0; i < executions.size(); ++i) {
        context.throwIfStopped();
        View<float> out = finalOnHost(i) ? result.view<float>() : work[plan.buffers.ofStep[i]].view<float>();
        const std::array<View<const float>, 1> ins{current};
        const std::array<View<float>, 1> outs{out};
        const NamedRange range(session(), records[i].implementation);
        RunContext own = contextOf(plan.steps[i], context);
        if (own.live) own.live->beginStep(static_cast<int>(i), plan.steps[i].operation->id(), seriesOf(*plan.steps[i].operation));
        executions[i]->run(ins, outs, own);
        current = out;
    }
}

void PreparedRun::State::computeRecorded(const RunContext& given) {
    RunContext context = given;
    context.progress = nullptr;  // steps are called by the first run only
    std::vector<const void*> buffers{deviceInput.data()};
    for (const Buffer& b : work) buffers.push_back(b.data());
    session().runRecorded(buffers, [&] { compute(context); });
    if (given.progress) given.progress->add(plan.rows());
}

void PreparedRun::State::download() {
    session().clock().begin(Stage::download);
    session().download(work[plan.buffers.ofStep.back()].view<float>(), result.view<float>());
    session().clock().end();
}

StageTimes PreparedRun::State::runWhole(RunContext& context) {
    if (!onHost()) {
        context.throwIfStopped();
        upload();
    }
    context.throwIfStopped();
    if (target.asksFor(Capability::recorded)) {
        computeRecorded(context);
    } else {
        session().clock().begin(Stage::compute);
        compute(context);
        session().clock().end();
    }
    if (!onHost()) {
        context.throwIfStopped();
        download();
    }
    return session().clock().finish();
}

StageTimes PreparedRun::State::runDivided(RunContext& context) {
    if (remote) {
        StageTimes times = remote->run(result.view<float>(), context);
        times[Stage::allocate] += session().clock().finish()[Stage::allocate];
        return times;
    }
    if (parts) return parts->run(hostInput(), result.view<float>(), context);
    View<const float> current = hostInput();
    for (std::size_t i = 0; i < executions.size(); ++i) {
        const View<float> out = stripResult(i, context);
        const NamedRange range(session(), records[i].implementation);
        session().runStrips(*executions[i], plan.strips[i], current, out, context);
        current = out;
    }
    return session().clock().finish();
}

View<float> PreparedRun::State::stripResult(std::size_t step, const RunContext& context) {
    if (step + 1 == executions.size()) return result.view<float>();
    session().clock().begin(Stage::allocate);
    Buffer& buffer = between[step % between.size()];
    ensureBuffer(buffer, plan.steps[step].outputShape, nullptr, hostMemory(context));
    session().clock().end();
    return buffer.view<float>();
}

void PreparedRun::State::releaseBuffers() {
    hasInput = false;
    deviceInput = Buffer();
    for (Buffer& b : work) b = Buffer();
    for (Buffer& b : between) b = Buffer();
    if (parts) parts->releaseBuffers();
    result = Buffer();
}

}  // namespace parallax
