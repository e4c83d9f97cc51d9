// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/report/report.hpp"

#include <algorithm>

#include "parallax/image/error.hpp"
#include "parallax/io/atomic_file.hpp"
#include "parallax/io/loader.hpp"
#include "parallax/report/formats.hpp"
#include "parallax/report/record_json.hpp"

namespace parallax {

const std::vector<std::string>& reportExtensions() {
    static const std::vector<std::string> extensions{"json", "csv", "html", "md", "tex"};
    return extensions;
}

void checkReportName(const std::string& path) {
    const std::string e = lowerExtension(path);
    if (std::find(reportExtensions().begin(), reportExtensions().end(), e) != reportExtensions().end()) return;
    if (e == "pdf") throw Error(ErrorCode::usage, "PDF reports are not made yet", {}, "Make an html report and print it to a file");
    throw Error(ErrorCode::usage, "'" + path + "' names no kind of report", "known are .json, .csv, .html, .md and .tex");
}

void writeReport(const std::vector<RunRecord>& records, const std::string& path, bool overwrite) {
    checkReportName(path);
    const std::string e = lowerExtension(path);
    const std::string text = e == "json"   ? toJson(records)
                             : e == "csv"  ? toCsv(records)
                             : e == "html" ? toHtml(records)
                             : e == "tex"  ? toLatex(records)
                                           : toMarkdown(records);
    AtomicFile file(path, overwrite);
    file.write(text);
    file.commit();
}

}  // namespace parallax
