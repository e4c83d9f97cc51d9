// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/report.hpp"
#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/redact.hpp"

namespace parallax::cli {

void addReport(CLI::App& app, Action& chosen) {
    struct Arguments {
        std::string input, output;
        bool force = false, redact = false;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App* sub = app.add_subcommand("report", "Convert a JSON report to another format");
    addExamples(*sub, {"report r.json -o r.html", "report r.json -o table.tex --redact"});
    sub->add_option("run", a->input, "JSON report written by 'bench'")->required()->type_name("RUN.json");
    sub->add_option("-o,--output", a->output, "Report to write: .html, .pdf, .csv, .md, .tex or .json")->required()->type_name("OUT");
    sub->add_flag("--redact", a->redact, "Omit host name, file names and sources of kernels");
    sub->add_flag("--force", a->force, "Replace an existing file");
    sub->callback([=, &chosen] {
        chosen = [=] {
            checkReportName(a->output);
            Report report = loadReport(a->input);
            if (a->redact) {
                for (RunRecord& r : report.records) r = redacted(std::move(r));
                for (NamedComparison& c : report.comparisons) c = redacted(std::move(c));
            }
            writeReport(report, a->output, a->force);
            printMessage("wrote " + a->output);
            return 0;
        };
    });
}

}  // namespace parallax::cli
