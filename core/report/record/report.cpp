// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/report.hpp"

#include <algorithm>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/loader.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/record_json.hpp"

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

void writeReport(const std::vector<RunRecord>& records, const std::vector<ReportPictures>& pictures, const std::string& path,
                 bool overwrite) {
    checkReportName(path);
    const std::string e = lowerExtension(path);
    const std::string text = e == "json"   ? toJson(records)
                             : e == "csv"  ? toCsv(records)
                             : e == "html" ? toHtml(records, pictures)
                             : e == "pdf"  ? toPdf(records, pictures)
                             : e == "tex"  ? toLatex(records)
                                           : toMarkdown(records);
    AtomicFile file(path, overwrite);
    file.write(text);
    file.commit();
}

}  // namespace parallax
