// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/version_text.hpp"

#include <algorithm>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/image/texts.hpp"
#include "core/io/library_versions.hpp"

namespace parallax::app {
namespace {

constexpr std::size_t kNameWidth = 10;

std::string buildOf(const Backend& backend) {
    std::string details;
    for (const auto& [name, value] : backend.buildDetails())
        if (name != "flags" && name != "processor features") details += (details.empty() ? "" : ", ") + name + " " + value;
    return details;
}

}  // namespace

std::string versionText(const std::string& program) {
    const BuildInfo& b = buildInfo();
    std::string text = program + " " + b.version + " (" + b.git + "), " + b.buildType + " build, " + b.compiler +
                       (b.sanitizers.empty() ? "" : ", sanitizers " + b.sanitizers) + "\nbackends:";
    for (const auto& backend : processCatalog().backends()) {
        const Availability a = backend->availability();
        const std::string id = backend->id(), details = buildOf(*backend);
        text += "\n  " + id + std::string(kNameWidth - std::min(kNameWidth, id.size()) + 1, ' ');
        text += a.yes ? "available" : "not available: " + a.reason;
        if (!details.empty()) text += (a.yes ? ": " : "; built with ") + details;
    }
    const std::vector<LibraryVersion> libraries = libraryVersions();
    return text + "\nlibraries: " + joined(libraries, ", ", [](const LibraryVersion& l) { return l.name + " " + l.version; }) + "\n";
}

}  // namespace parallax::app
