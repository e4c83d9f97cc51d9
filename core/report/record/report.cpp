// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/report.hpp"

#include <algorithm>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/loader.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/text_file.hpp"

namespace parallax {

const std::vector<std::string>& reportExtensions() {
    static const std::vector<std::string> extensions = [] {
        std::vector<std::string> all{"json", "csv", "html", "md", "tex"};
        if (canMakePdf()) all.emplace_back("pdf");
        return all;
    }();
    return extensions;
}

void checkReportName(const std::string& path) {
    const std::string e = lowerExtension(path);
    if (std::find(reportExtensions().begin(), reportExtensions().end(), e) != reportExtensions().end()) return;
    if (e == "pdf") (void)toPdf({}, {});  // throws with the reason
    throw Error(ErrorCode::usage, "Unknown report format of '" + path + "'", "known are ." + joined(reportExtensions(), ", ."));
}

bool showsPictures(const std::string& path) {
    const std::string e = lowerExtension(path);
    return e == "html" || e == "pdf";
}

Report loadReport(const std::string& path) {
    const std::string text = readTextFile(path);
    return {recordsFromJson(text, path), {}, comparisonsFromJson(text, path)};
}

void writeReport(const Report& report, const std::string& path, bool overwrite) {
    checkReportName(path);
    const auto& [records, pictures, comparisons] = report;
    const std::string e = lowerExtension(path);
    const std::string text = e == "json"   ? toJson(records, comparisons)
                             : e == "csv"  ? toCsv(records, comparisons)
                             : e == "html" ? toHtml(records, pictures, comparisons)
                             : e == "pdf"  ? toPdf(records, pictures, comparisons)
                             : e == "tex"  ? toLatex(records, comparisons)
                                           : toMarkdown(records, comparisons);
    AtomicFile file(path, overwrite);
    file.write(text);
    file.commit();
}

}  // namespace parallax
