// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/raw_entries.hpp"

#include <QStringList>
#include <algorithm>

#include "core/image/error.hpp"
#include "core/io/formats/raw/raw_guess.hpp"
#include "ui/models/document/settings.hpp"

namespace parallax::ui {
namespace {

const QString kKey = QStringLiteral("open/raw");
constexpr std::size_t kKept = 20;

}  // namespace

std::vector<RawRequest> rememberedRaw() {
    std::vector<RawRequest> requests;
    for (const QString& text : Settings::instance().remembered(kKey).toStringList()) {
        try {
            requests.push_back(parseRaw(text.toStdString()));
        } catch (const Error&) {  // an invalid entry in the settings file is ignored
        }
    }
    return requests;
}

void rememberRaw(const RawRequest& request) {
    std::vector<RawRequest> requests = rememberedRaw();
    std::erase_if(requests, [&](const RawRequest& r) { return r.path == request.path; });
    requests.insert(requests.begin(), request);
    if (requests.size() > kKept) requests.resize(kKept);
    QStringList texts;
    for (const RawRequest& r : requests) texts << QString::fromStdString(toText(r));
    Settings::instance().remember(kKey, texts);
}

void forgetRaw() { Settings::instance().forget(kKey); }

std::vector<RawRequest> proposedRaw(const std::string& path, std::uint64_t fileBytes) {
    const std::vector<RawRequest> remembered = rememberedRaw(), guesses = guessRaw(path, fileBytes);
    std::vector<RawRequest> proposed;
    const auto add = [&](RawRequest r) {
        r.path = path;
        const std::string text = toText(r);
        if (std::none_of(proposed.begin(), proposed.end(), [&](const RawRequest& p) { return toText(p) == text; })) proposed.push_back(r);
    };
    for (const RawRequest& r : remembered)
        if (r.path == path && sizeOf(r).fits(fileBytes)) add(r);
    const bool named = nameTellsSize(path, fileBytes);
    if (named) add(guesses.front());
    if (!remembered.empty() && sizeOf(remembered.front()).fits(fileBytes)) add(remembered.front());
    for (const RawRequest& r : guesses)
        if (proposed.empty() || sizeOf(r).fits(fileBytes)) add(r);
    return proposed;
}

}  // namespace parallax::ui
