// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/self_check/self_check.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/output.hpp"
#include "core/engine/backend/backend.hpp"
#include "core/image/error.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

struct SelfCheckArguments {
    std::string input, backend;
    TargetArguments target;
    int trials = 200;
    bool json = false;
};

const char* passedText(bool passed) { return passed ? "passed" : "FAILED"; }

/// The line of a check that was stopped before its first trial.
std::string notRun(const std::string& name) { return fmt::format("not run  {}\n", name); }

std::string toText(const SameWorkCheck& c) {
    if (c.trials == 0) return notRun("A/A comparison");
    return fmt::format("{:<8} A/A comparison, {}: {} SAME, {} UNDECIDED, {} FASTER, {} SLOWER; correct in {:.1f} % (95 % required)\n",
                       passedText(c.passed()), counted(c.trials, "trial"), c.same, c.undecided, c.faster, c.slower, 100 * c.rightShare());
}

std::string toText(const SlowedCheck& s) {
    if (s.trials == 0) return notRun(s.name);
    return fmt::format("{:<8} {}, {}: ratio {:.4f}, true ratio {:.4f}; SLOWER in {}, true ratio within the interval in {}\n",
                       passedText(s.passed()), s.name, counted(s.trials, "trial"), s.medianRatio, s.trueRatio, s.found, s.inside);
}

std::string toText(const KernelCheckResult& r, const std::string& name) {
    if (!r.skipped.empty()) return fmt::format("skipped  {}: {}\n", name, r.skipped);
    const SameWorkCheck& k = r.sameWork;
    if (k.trials == 0) return notRun(name);
    return fmt::format(
        "{:<8} {}: SAME in {:.1f} % of {} ({:.0f} % required{}); {} SAME, {} UNDECIDED, {} FASTER, {} SLOWER; ratio {:.4f}\n",
        passedText(r.passed()), name, 100 * k.sameShare(), counted(k.trials, "trial"), 100 * KernelCheckResult::kSame,
        r.noisy() ? "; too noisy to tell" : "", k.same, k.undecided, k.faster, k.slower, k.medianRatio);
}

std::string toText(const SelfCheckResult& r) {
    std::string text = fmt::format("{} on {}\n", r.label, r.input);
    text += toText(r.sameWork);
    text += toText(r.kernel, "kernel in C++ in a process of its own against the same code in this one");
    text += toText(r.cudaKernel, "kernel in CUDA in a process of its own against 'cuda.naive'");
    for (const SlowedCheck& s : r.slowed) text += toText(s);
    text += fmt::format("{:<8} stages: {} {:.2f} % of the run ({}, {} runs; {:.0f} % deviation allowed)\n", passedText(r.stages.passed()),
                        r.stages.overlapped ? "they overlap and span" : "they sum to", 100 * r.stages.share,
                        formatTime(r.stages.medianRunNs), r.stages.samples, 100 * StageSumCheck::kAllowed);
    if (r.stages.overlapped) {
        text += fmt::format("         strips cover {:.1f} % of the run ({:.0f} % required)\n", 100 * r.stages.covered,
                            100 * PieceCheck::kCovered);
        if (!r.stages.wrongPieces.empty()) text += "         invalid: " + r.stages.wrongPieces + "\n";
    }
    const MeasuringOverhead& o = r.overhead;
    text += fmt::format("         overhead: {} to read the clock (resolution {}), {} in an empty stage, {} outside the stages of a run\n",
                        formatTime(o.clockRead), formatTime(o.timerResolution), formatTime(o.emptyStage), formatTime(o.run));
    return text + (!r.complete ? "incomplete\n" : r.passed() ? "passed\n" : "FAILED\n");
}

Json toJson(const SameWorkCheck& c) {
    return {{"trials", c.trials},          {"same", c.same},
            {"undecided", c.undecided},    {"faster", c.faster},
            {"slower", c.slower},          {"median_ratio", c.medianRatio},
            {"same_share", c.sameShare()}, {"right_share", c.rightShare()},
            {"passed", c.passed()}};
}

Json toJson(const KernelCheckResult& r) {
    Json j = toJson(r.sameWork);
    j["compiler"] = r.compiler;
    j["skipped"] = r.skipped;
    j["noisy"] = r.noisy();
    j["passed"] = r.passed();
    return j;
}

Json toJson(const SelfCheckResult& r, const ProtocolRecord& p) {
    Json slowed = Json::array();
    for (const SlowedCheck& s : r.slowed)
        slowed.push_back({{"name", s.name},
                          {"true_ratio", s.trueRatio},
                          {"median_ratio", s.medianRatio},
                          {"trials", s.trials},
                          {"found", s.found},
                          {"inside", s.inside},
                          {"passed", s.passed()}});
    const MeasuringOverhead& o = r.overhead;
    return {{"schema", "parallax.self-check"},
            {"schema_version", 1},
            {"label", r.label},
            {"input", r.input},
            {"protocol",
             {{"minimum_samples", p.minimumSamples},
              {"minimum_seconds", p.minimumSeconds},
              {"maximum_seconds", p.maximumSeconds},
              {"target_noise", p.targetNoise}}},
            {"same_work", toJson(r.sameWork)},
            {"kernel", toJson(r.kernel)},
            {"cuda_kernel", toJson(r.cudaKernel)},
            {"slowed", std::move(slowed)},
            {"stages",
             {{"samples", r.stages.samples},
              {"sum_share", r.stages.share},
              {"run_ns", r.stages.medianRunNs},
              {"overlapped", r.stages.overlapped},
              {"pieces_covered", r.stages.overlapped ? Json(r.stages.covered) : Json()},
              {"wrong_pieces", r.stages.wrongPieces},
              {"passed", r.stages.passed()}}},
            {"overhead_ns",
             {{"timer_resolution", o.timerResolution}, {"clock_read", o.clockRead}, {"empty_stage", o.emptyStage}, {"run", o.run}}},
            {"complete", r.complete},
            {"passed", r.passed()}};
}

int check(const SelfCheckArguments& a) {
    const InMemoryOnly inMemory(kMeasuredInMemory);
    const Catalog& catalog = processCatalog();
    SelfCheckOptions options;
    options.target = a.target.availableTarget(catalog, a.backend.empty() ? defaultBackend(catalog) : a.backend);
    options.trials = a.trials;
    // A device needs a larger image: a launch takes about 10 us, which belong to no stage.
    const auto devices = catalog.backend(options.target.backend).devices();
    const bool onCpu = std::all_of(devices.begin(), devices.end(), isProcessor);
    const std::string input = !a.input.empty() ? a.input : onCpu ? "synthetic:noise:512x512" : "synthetic:noise:2048x2048";
    options.slowedTrials = std::min(options.slowedTrials, a.trials);
    options.kernelTrials = std::min(options.kernelTrials, a.trials);
    options.protocol = selfCheckProtocol();
    options.stop = interruption();
    options.onProgress = [](const std::string& what, double f) { printProgress(fmt::format("{}: {:.0f} %", what, 100 * f)); };
    const ImagePtr image = loadInput(input, a.target.threads);
    if (!a.input.empty()) options.cudaKernelInput = fmt::format("synthetic:noise:{}x{}", image->shape().width, image->shape().height);
    const ResultsKept kept;
    const SelfCheckResult r = selfCheck(catalog, image, options);
    endProgress();
    if (a.json) printJson(toJson(r, options.protocol));
    else printData(toText(r));
    if (interrupted()) return interruptedExitCode();
    if (!r.passed()) {
        printError("Measurements on this machine are not trustworthy now. Close other programs and try again");
        return kUntrustworthy;
    }
    return kSuccess;
}

}  // namespace

void addSelfCheck(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<SelfCheckArguments>();
    CLI::App* sub = app.add_subcommand("self-check", "Check the measurement method against known results");
    addExamples(*sub, {"self-check", "self-check --backend openmp --trials 50"});
    sub->add_option("-i,--input", a->input, std::string(kInputHelp) + " [noise]")->type_name("IN");
    sub->add_option("--backend", a->backend, "Check with this backend [the first one available, the reference last]")->type_name("NAME");
    a->target.add(*sub);
    sub->add_option("--trials", a->trials, "Number of A/A comparisons [200]")->transform(wholeNumber(1, 100000))->type_name("N");
    addAllowLarge(*sub);
    sub->add_flag("--json", a->json, "Print JSON to standard output");
    sub->callback([=, &chosen] { chosen = [=] { return check(*a); }; });
}

}  // namespace parallax::cli
