// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled in the place of pdf.cpp where cairo is not installed.
#include "core/image/error.hpp"
#include "core/report/formats/formats.hpp"

namespace parallax {

bool canMakePdf() { return false; }

std::string toPdf(const std::vector<RunRecord>&, const std::vector<ReportPictures>&, const std::vector<NamedComparison>&) {
    throw Error(ErrorCode::usage, "This build makes no PDF reports", "it was built without cairo (Debian package libcairo2-dev)",
                "Make an html report and print it to a file, or build with cairo");
}

}  // namespace parallax
