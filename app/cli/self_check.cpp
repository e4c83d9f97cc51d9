// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/self_check/self_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "core/image/error.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

struct SelfCheckArguments {
    std::string input, backend;
    TargetArguments target;
    int trials = 200;
    bool json = false;
};

/// The fastest backend that is always meant to be there, as for 'run'.
std::string defaultBackend(const Catalog& catalog) {
    for (const auto& b : catalog.backends())
        if (b->id() != kReferenceBackend && b->availability().yes) return b->id();
    return kReferenceBackend;
}

const char* passedText(bool passed) { return passed ? "passed" : "FAILED"; }

std::string toText(const SelfCheckResult& r) {
    std::string text = fmt::format("{} on {}\n", r.label, r.input);
    const SameWorkCheck& a = r.sameWork;
    text +=
        fmt::format("{:<8} same work: {} trials: {} SAME, {} UNDECIDED, {} FASTER, {} SLOWER; right in {:.1f} %, at least 95 % needed\n",
                    passedText(a.passed()), a.trials, a.same, a.undecided, a.faster, a.slower, 100 * a.rightShare());
    for (const SlowedCheck& s : r.slowed)
        text += fmt::format("{:<8} {}: {} trials: ratio {:.4f}, truth {:.4f}; found SLOWER in {}, truth inside the interval in {}\n",
                            passedText(s.passed()), s.name, s.trials, s.medianRatio, s.trueRatio, s.found, s.inside);
    text += fmt::format("{:<8} stages: {} {:.2f} % of the whole run ({}, {} runs), at most {:.0f} % off allowed\n",
                        passedText(r.stages.passed()),
                        r.stages.overlapped ? "they overlap and do not add up; from the first to the last they take" : "their sum is",
                        100 * r.stages.share, formatTime(r.stages.medianRunNs), r.stages.samples, 100 * StageSumCheck::kAllowed);
    if (r.stages.overlapped) {
        text += fmt::format("         their pieces cover {:.1f} % of a run, at least {:.0f} % wanted\n", 100 * r.stages.covered,
                            100 * PieceCheck::kCovered);
        if (!r.stages.wrongPieces.empty()) text += "         wrong: " + r.stages.wrongPieces + "\n";
    }
    const MeasuringOverhead& o = r.overhead;
    text += fmt::format("         overhead: {} a reading of the clock (steps of {}), {} in an empty stage, {} a run outside its stages\n",
                        formatTime(o.clockRead), formatTime(o.timerResolution), formatTime(o.emptyStage), formatTime(o.run));
    return text + (!r.complete ? "stopped before the end\n" : r.passed() ? "passed\n" : "FAILED\n");
}

nlohmann::ordered_json toJson(const SelfCheckResult& r, const ProtocolRecord& p) {
    nlohmann::ordered_json slowed = nlohmann::ordered_json::array();
    for (const SlowedCheck& s : r.slowed)
        slowed.push_back({{"name", s.name},
                          {"true_ratio", s.trueRatio},
                          {"median_ratio", s.medianRatio},
                          {"trials", s.trials},
                          {"found", s.found},
                          {"inside", s.inside},
                          {"passed", s.passed()}});
    const SameWorkCheck& a = r.sameWork;
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
            {"same_work",
             {{"trials", a.trials},
              {"same", a.same},
              {"undecided", a.undecided},
              {"faster", a.faster},
              {"slower", a.slower},
              {"right_share", a.rightShare()},
              {"passed", a.passed()}}},
            {"slowed", std::move(slowed)},
            {"stages",
             {{"samples", r.stages.samples},
              {"sum_share", r.stages.share},
              {"run_ns", r.stages.medianRunNs},
              {"overlapped", r.stages.overlapped},
              {"pieces_covered", r.stages.overlapped ? nlohmann::ordered_json(r.stages.covered) : nlohmann::ordered_json()},
              {"wrong_pieces", r.stages.wrongPieces},
              {"passed", r.stages.passed()}}},
            {"overhead_ns",
             {{"timer_resolution", o.timerResolution}, {"clock_read", o.clockRead}, {"empty_stage", o.emptyStage}, {"run", o.run}}},
            {"complete", r.complete},
            {"passed", r.passed()}};
}

int check(const SelfCheckArguments& a) {
    const Catalog& catalog = processCatalog();
    SelfCheckOptions options;
    options.target = a.target.availableTarget(catalog, a.backend.empty() ? defaultBackend(catalog) : a.backend);
    options.trials = a.trials;
    // A device needs more work: launching takes some 10 us, which are no stage.
    const Backend& backend = catalog.backend(options.target.backend);
    const auto devices = backend.availability().yes ? backend.devices() : std::vector<DeviceInfo>{};
    const bool host = devices.empty() || devices.front().name == hostDevice().name;
    const std::string input = !a.input.empty() ? a.input : host ? "synthetic:noise:512x512" : "synthetic:noise:2048x2048";
    options.slowedTrials = std::min(options.slowedTrials, a.trials);
    options.protocol = selfCheckProtocol();
    options.stop = interruption();
    options.onProgress = [](const std::string& what, double f) { printProgress(fmt::format("{}: {:.0f} %", what, 100 * f)); };
    const SelfCheckResult r = selfCheck(catalog, loadInput(input, a.target.threads), options);
    endProgress();
    printData(a.json ? toJson(r, options.protocol).dump(2) + "\n" : toText(r));
    if (interrupted()) return kInterrupted;
    if (!r.passed()) {
        printMessage("parallax-cli: measurements on this machine cannot be trusted now. Close other programs and try again");
        return kUntrustworthy;
    }
    return kSuccess;
}

}  // namespace

void addSelfCheck(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<SelfCheckArguments>();
    CLI::App* sub = app.add_subcommand("self-check", "Check the measuring itself against known truths");
    sub->add_option("-i,--input", a->input, kInputHelp)->type_name("IN");
    sub->add_option("--backend", a->backend, "Backend, or backend with its variant, to check with")->type_name("NAME");
    a->target.add(*sub);
    sub->add_option("--trials", a->trials, "Comparisons of the same work with itself")
        ->transform(wholeNumber(1, 100000))
        ->type_name("N")
        ->capture_default_str();
    sub->add_flag("--json", a->json, "Machine-readable output");
    sub->callback([=, &chosen] { chosen = [=] { return check(*a); }; });
}

}  // namespace parallax::cli
