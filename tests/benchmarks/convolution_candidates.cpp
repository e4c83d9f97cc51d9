// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/benchmarks/convolution_candidates.hpp"

#include <charconv>

#include "core/engine/backend/ranks_target.hpp"
#include "core/image/error.hpp"

namespace parallax::bench {
namespace {

class EngineCandidate final : public Candidate {
public:
    EngineCandidate(const Target& target, const Step& step, const ImagePtr& image) {
        Pipeline pipeline;
        pipeline.steps.push_back(step);
        run_ = std::make_unique<PreparedRun>(Engine(processCatalog()).prepare(pipeline, image, target, context_));
    }
    Sample run() override {
        const StageTimes t = run_->run(context_);
        return {static_cast<double>(t.compute()) * 1e-6, static_cast<double>(t.endToEnd()) * 1e-6};
    }
    View<const float> output() const override { return run_->output(); }
    int threads() const override { return run_->threads(); }
    std::string device() const override { return run_->deviceName(); }
    std::string variant() const override { return run_->plan().front().variant; }
    std::string choice() const override { return run_->plan().front().reason; }

private:
    RunContext context_;
    std::unique_ptr<PreparedRun> run_;
};

}  // namespace

std::unique_ptr<Candidate> makeCandidate(const std::string& name, int threads, const Step& step, const ImagePtr& image) {
    const std::size_t at = name.find('@');
    const std::string plain = name.substr(0, at);
    if (at != std::string::npos) {
        const char *first = name.data() + at + 1, *last = name.data() + name.size();
        const auto [end, error] = std::from_chars(first, last, threads);
        if (error != std::errc{} || end != last || threads < 0)
            throw Error(ErrorCode::usage, "'" + name + "' has no number of threads after its '@'");
    }
    if (threads == 0) threads = effectiveThreads({});
    if (plain == "halide") return makeHalide(threads, step, image);
    if (plain == "copy") return makeCopy(threads, image);
    Target target = parseTarget(plain);
    target.threads = threads;
    return std::make_unique<EngineCandidate>(target, step, image);
}

std::vector<std::string> allCandidates() {
    std::vector<std::string> names;
    const Catalog& catalog = processCatalog();
    for (const auto& backend : catalog.backends())
        if (backend->id() != kReferenceBackend && !runsOnlyWhenNamed(backend->id()))
            for (const Implementation* i : catalog.implementations("convolve", backend->id()))
                names.push_back(backend->id() + "." + i->variant());
    names.insert(names.end(), {"halide", "copy"});
    return names;
}

}  // namespace parallax::bench
