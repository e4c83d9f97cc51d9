// SPDX-License-Identifier: GPL-3.0-or-later
// Backends for tests of the sampler, and a pipeline that they measure.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/backends/reference/backend.hpp"
#include "core/image/synthetic.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/operations/catalog.hpp"
#include "tests/support/fake_device.hpp"

namespace parallax::test {

/// Computes the output of a run from its input.
using Body = std::function<void(View<const float>, View<float>)>;

class BodyExecution final : public Execution {
public:
    explicit BodyExecution(const Body& body) : body_(body) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext&) override {
        body_(inputs[0], outputs[0]);
    }

private:
    const Body& body_;
};

class BodyImplementation final : public Implementation {
public:
    explicit BodyImplementation(Body body, Support support = {}) : body_(std::move(body)), support_(std::move(support)) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "fake"; }
    std::string summary() const override { return "For tests."; }
    Support supports(const Problem&) const override { return support_; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override {
        if (onPrepare) onPrepare(++prepared_);
        return std::make_unique<BodyExecution>(body_);
    }
    std::function<void(int times)> onPrepare;

private:
    Body body_;
    Support support_;
    mutable int prepared_ = 0;
};

/// A backend whose only variant runs a Body as `convolve`. The one that is named slow reports a condition twice.
class BodyBackend final : public FakeBackend {
public:
    BodyBackend(std::string id, Body body, Support support = {})
        : FakeBackend(std::move(id)), implementation_(std::move(body), std::move(support)) {
        implementations_ = {&implementation_};
    }
    std::vector<Condition> conditions(int) const override {
        if (id() != "slow") return {};
        return {{"gpu-throttled", "It is hot", "Open a window"}, {"gpu-throttled", "It is hotter", "Open two"}};
    }
    void whenPrepared(std::function<void(int times)> f) { implementation_.onPrepare = std::move(f); }

private:
    BodyImplementation implementation_;
};

inline void copy(View<const float> in, View<float> out) {
    for (std::int64_t y = 0; y < in.shape.height; ++y)
        for (std::int64_t x = 0; x < in.shape.width; ++x) out.at(x, y) = in.at(x, y);
}

/// Measures with the reference backend and with backends that are right, wrong, unsteady, slow, or fail on purpose.
class Sampler : public ::testing::Test {
protected:
    Sampler() {
        std::vector<std::shared_ptr<Backend>> backends;
        backends.push_back(makeReferenceBackend());
        backends.push_back(std::make_shared<BodyBackend>("right", copy));
        backends.push_back(std::make_shared<BodyBackend>("wrong", [](View<const float> in, View<float> out) {
            copy(in, out);
            out.at(1, 2) += 0.5F;
        }));
        backends.push_back(
            std::make_shared<BodyBackend>("unsteady", [runs = std::make_shared<int>(0)](View<const float> in, View<float> out) {
                copy(in, out);
                if (++*runs % 3 == 0) out.at(1, 2) = std::nextafter(out.at(1, 2), 1.0F);
            }));
        backends.push_back(std::make_shared<BodyBackend>(
            "throwing", [](View<const float>, View<float>) { throw std::runtime_error("the device failed"); }));
        backends.push_back(std::make_shared<BodyBackend>("refusing", copy, Support::no("Unsupported here")));
        backends.push_back(makeUnavailableBackend("absent", "Absent", {false, "The device is absent", "Try again later"}));
        slow_ = std::make_shared<BodyBackend>("slow", [](View<const float> in, View<float> out) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            copy(in, out);
        });
        backends.push_back(slow_);
        catalog_ = std::make_unique<Catalog>(makeOperations(), std::move(backends));
        engine_ = std::make_unique<Engine>(*catalog_);
        // Identity: a single weight of 1.
        pipeline_ = parsePipeline(*catalog_, {"convolve:kernel=box,size=1"});
        input_ = std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:noise:16x12")));
        options_.protocol = protocolFor("quick");
        options_.protocol.minimumSeconds = 0;
        options_.protocol.maximumSeconds = 0.2;
    }
    RunRecord measure(const std::vector<std::string>& names) {
        std::vector<Target> targets;
        for (const auto& n : names) targets.push_back(parseTarget(n));
        return measureTargets(*engine_, pipeline_, input_, targets, options_);
    }
    /// Measures named recipes on the same targets.
    RunRecord measureNamed(const std::vector<std::pair<std::string, std::string>>& recipes, const std::vector<std::string>& names) {
        std::vector<NamedPipeline> pipelines;
        for (const auto& [name, steps] : recipes) pipelines.push_back({name, parsePipeline(*catalog_, {steps})});
        std::vector<Target> targets;
        for (const auto& n : names) targets.push_back(parseTarget(n));
        return measureRecipes(*engine_, pipelines, input_, rowsOf(pipelines.size(), targets), options_);
    }

    std::shared_ptr<BodyBackend> slow_;
    std::unique_ptr<Catalog> catalog_;
    std::unique_ptr<Engine> engine_;
    Pipeline pipeline_;
    ImagePtr input_;
    MeasureOptions options_;
};

}  // namespace parallax::test
