// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench/outcome.hpp"

#include <algorithm>
#include <filesystem>

#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "core/image/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {

void checkReports(const BenchArguments& a) {
    std::vector<std::filesystem::path> files;
    for (const std::string& report : a.reports) {
        checkReportName(report);
        checkWritable(report, a.force);
        std::error_code error;
        const std::filesystem::path file = std::filesystem::weakly_canonical(std::filesystem::absolute(report, error), error);
        if (std::find(files.begin(), files.end(), file) != files.end())
            throw Error(ErrorCode::usage, "Report '" + report + "' is given twice");
        files.push_back(file);
    }
}

bool redacts(const BenchArguments& a, const Image& input) { return a.redact || (input.source.medical && !a.patient); }

static bool isRequired(const BenchArguments& a, const RunEntry& entry) {
    return std::any_of(a.required.begin(), a.required.end(), [&](const std::string& name) {
        // Variant and modes count only if they are named.
        const Target required = parseTarget(name), measured = targetOfLabel(entry.label);
        return required.backend == measured.backend && (required.variant.empty() || required.variant == measured.variant) &&
               std::all_of(required.modes.begin(), required.modes.end(), [&](const std::string& mode) {
                   return std::find(measured.modes.begin(), measured.modes.end(), mode) != measured.modes.end();
               });
    });
}

int exitCodeFor(const std::vector<RunRecord>& records, const BenchArguments& a) {
    bool anyDone = false, unavailable = false, missing = false, doubtful = false;
    std::string failed;
    for (const RunRecord& r : records) {
        doubtful = doubtful || !r.warnings.empty();
        for (const RunEntry& e : r.entries) {
            if (e.verification == Verification::disagrees) {
                printError("'" + e.label + "' " +
                           (e.isCompared() ? "disagrees with the reference beyond its tolerance" : "fails the judgement of its operation"));
                return kDisagreement;
            }
            if (e.bits && e.bits->others > 0) {
                printError("'" + e.label + "': " + formatBits(*e.bits));
                return kDisagreement;
            }
            if (e.verification == Verification::inconclusive)
                printMessage("note: verification of '" + e.label + "' is inconclusive: " +
                             (e.isCompared() ? "the tolerance of this pipeline, " + formatNumber(e.tolerance)
                                             : "the bound of its own judgement, " + formatNumber(e.judgements.front().bound)) +
                             ", allows any result");
            anyDone = anyDone || (e.status == RunStatus::done && !e.samples.empty());
            unavailable = unavailable || e.status == RunStatus::skipped;
            if (e.status == RunStatus::failed && failed.empty()) failed = e.label;
            missing = missing || (e.status == RunStatus::skipped && isRequired(a, e));
            doubtful = doubtful || !e.warnings.empty();
        }
    }
    if (interrupted()) return interruptedExitCode();
    if (!anyDone) {
        for (const RunEntry& e : records.front().entries) printError(e.reason);
        return unavailable ? kUnavailable : kFailed;
    }
    if (missing) {
        printError("a required backend was skipped");
        return kUnavailable;
    }
    if (!failed.empty()) {
        printError("'" + failed + "' failed; the table shows the reason");
        return kFailed;
    }
    if (a.strict && doubtful) {
        printError("the measurement is not trustworthy (--strict); the notes above show the reasons");
        return kUntrustworthy;
    }
    return kSuccess;
}

bool measuredAny(const std::vector<RunRecord>& records) {
    return std::any_of(records.begin(), records.end(), [](const RunRecord& r) {
        return std::any_of(r.entries.begin(), r.entries.end(), [](const RunEntry& e) { return !e.samples.empty(); });
    });
}

void writeReports(const Report& report, const BenchArguments& a) {
    const bool nothing = interrupted() && !measuredAny(report.records);
    // Printed last, since a reader of standard output that ends early ends this program; also if a report cannot be written.
    const auto print = [&] {
        if (a.json) printData(toJson(report.records, report.comparisons));
    };
    try {
        for (const auto& path : a.reports) {
            std::error_code error;
            if (nothing && std::filesystem::exists(path, error)) {
                printMessage("note: nothing was measured; '" + path + "' is left unchanged");
                continue;
            }
            writeReport(report, path, a.force);
            printMessage("wrote " + path);
        }
    } catch (const Error&) {
        print();
        throw;
    }
    print();
}

}  // namespace parallax::cli
