// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/self_check/known_work.hpp"

#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace parallax {
namespace {

using Clock = std::chrono::steady_clock;

struct NoParameters {};

class WaitOperation final : public Operation {
public:
    std::string id() const override { return kWaitOperation; }
    std::string title() const override { return "Wait"; }
    std::string help() const override { return "Copies the input and waits for a known time."; }
    const ParameterTableBase& parameters() const override {
        static const ParameterTable<NoParameters> table{};
        return table;
    }
    void check(const Problem&) const override {}
    Work work(const Problem&) const override { return {}; }
    Tolerance tolerance(const Problem&) const override { return {}; }
    double gain(const Problem&) const override { return 1; }
    std::vector<SampleProblem> sampleProblems() const override { return {}; }
};

/// Runs another execution several times.
class RepeatedExecution final : public Execution {
public:
    RepeatedExecution(std::unique_ptr<Execution> inner, int times) : inner_(std::move(inner)), times_(times) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        for (int i = 0; i < times_; ++i) inner_->run(inputs, outputs, context);
    }
    void runStrip(const StripPlan& plan, const Strip& strip, const View<const float>& input, const View<float>& output,
                  RunContext& context) override {
        for (int i = 0; i < times_; ++i) inner_->runStrip(plan, strip, input, output, context);
    }
    StripPlan prepareSlabs(const StripLimits& limits, std::uint64_t memory, RunContext& context) override {
        return inner_->prepareSlabs(limits, memory, context);
    }

private:
    std::unique_ptr<Execution> inner_;
    int times_;
};

class RepeatedImplementation final : public Implementation {
public:
    RepeatedImplementation(const Implementation& inner, int times) : inner_(&inner), times_(times) {}
    std::string operation() const override { return inner_->operation(); }
    std::string variant() const override { return inner_->variant(); }
    std::string summary() const override { return inner_->summary(); }
    Support supports(const Problem& problem) const override { return inner_->supports(problem); }
    Preference preference(const Problem& problem, int device) const override { return inner_->preference(problem, device); }
    MemoryEstimate estimate(const Problem& problem) const override { return inner_->estimate(problem); }
    StripSupport strips(const Problem& problem) const override { return inner_->strips(problem); }
    Support slabs(const Problem& problem) const override { return inner_->slabs(problem); }
    Distribution distribution(const Problem& problem) const override { return inner_->distribution(problem); }
    Support recording(const Problem& problem) const override { return inner_->recording(problem); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<RepeatedExecution>(inner_->prepare(problem, context), times_);
    }

private:
    const Implementation* inner_;
    int times_;
};

/// A backend that runs the implementations of another one several times.
class RepeatedBackend final : public Backend {
public:
    RepeatedBackend(std::shared_ptr<Backend> inner, int times) : inner_(std::move(inner)), times_(times) {
        for (const Implementation* i : inner_->implementations()) implementations_.emplace_back(*i, times);
    }
    std::string id() const override { return "times-" + std::to_string(times_); }
    std::string title() const override { return inner_->title(); }
    Availability availability() const override { return inner_->availability(); }
    std::vector<DeviceInfo> devices() const override { return inner_->devices(); }
    std::vector<const Implementation*> implementations() const override {
        std::vector<const Implementation*> all;
        for (const auto& i : implementations_) all.push_back(&i);
        return all;
    }
    bool isSerial() const override { return inner_->isSerial(); }
    std::vector<ModeInfo> modes() const override { return inner_->modes(); }
    std::vector<std::pair<std::string, Capability>> capabilities() const override { return inner_->capabilities(); }
    std::unique_ptr<BackendSession> open(const RunContext& context) const override { return inner_->open(context); }

private:
    std::shared_ptr<Backend> inner_;
    int times_;
    std::vector<RepeatedImplementation> implementations_;
};

/// Copies and waits for a known time. Polls the clock for the last part, since a sleep ends late by an unknown time.
class WaitingExecution final : public Execution {
public:
    explicit WaitingExecution(std::chrono::microseconds wait) : wait_(wait) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext&) override {
        const auto end = Clock::now() + wait_;
        const View<const float>& in = inputs[0];
        for (std::int64_t y = 0; y < in.shape.height; ++y)
            std::memcpy(outputs[0].row(y, 0, 0), in.row(y, 0, 0), static_cast<std::size_t>(in.shape.width) * sizeof(float));
        if (wait_.count() == 0) return;
        std::this_thread::sleep_until(end - std::chrono::microseconds(300));
        while (Clock::now() < end) {}
    }

private:
    std::chrono::microseconds wait_;
};

class WaitingImplementation final : public Implementation {
public:
    explicit WaitingImplementation(std::chrono::microseconds wait) : wait_(wait) {}
    std::string operation() const override { return kWaitOperation; }
    std::string variant() const override { return "wait"; }
    std::string summary() const override { return "Copies and waits for a known time."; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override { return std::make_unique<WaitingExecution>(wait_); }
    std::chrono::microseconds wait() const { return wait_; }

private:
    std::chrono::microseconds wait_;
};

class WaitingBackend final : public Backend {
public:
    explicit WaitingBackend(std::chrono::microseconds wait) : implementation_(wait) {}
    std::string id() const override { return "wait-" + std::to_string(implementation_.wait().count()); }
    std::string title() const override { return "Wait"; }
    std::vector<DeviceInfo> devices() const override { return {hostDevice()}; }
    std::vector<const Implementation*> implementations() const override { return {&implementation_}; }
    std::unique_ptr<BackendSession> open(const RunContext&) const override { return makeHostSession(); }

private:
    WaitingImplementation implementation_;
};

}  // namespace

std::unique_ptr<Operation> makeWaitOperation() { return std::make_unique<WaitOperation>(); }

std::shared_ptr<Backend> makeRepeatedBackend(std::shared_ptr<Backend> inner, int times) {
    return std::make_shared<RepeatedBackend>(std::move(inner), times);
}

std::shared_ptr<Backend> makeWaitingBackend(std::chrono::microseconds wait) { return std::make_shared<WaitingBackend>(wait); }

}  // namespace parallax
