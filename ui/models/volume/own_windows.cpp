// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/volume/own_windows.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/image/error.hpp"
#include "ui/models/document/settings.hpp"

namespace parallax::ui {
namespace {

const QString kWindows = QStringLiteral("windows/own");

bool isUsable(const OwnWindow& window) {
    return !window.name.isEmpty() && window.name.size() <= OwnWindows::kLongestName && window.name == window.name.simplified() &&
           std::isfinite(window.centre) && std::isfinite(window.width) && window.width > 0 &&
           (window.key == 0 || (window.key >= OwnWindows::kFirstKey && window.key <= OwnWindows::kLastKey));
}

bool isNamed(const std::vector<OwnWindow>& windows, const QString& name) {
    return std::any_of(windows.begin(), windows.end(), [&](const OwnWindow& w) { return w.name == name; });
}

bool isBefore(const OwnWindow& a, const OwnWindow& b) {
    const auto order = [](const OwnWindow& w) { return std::tuple(w.key == 0, w.key, w.name.toLower(), w.name); };
    return order(a) < order(b);
}

}  // namespace

OwnWindows& OwnWindows::instance() {
    static OwnWindows windows;
    return windows;
}

std::vector<OwnWindow> OwnWindows::all() const {
    std::vector<OwnWindow> windows;
    const QByteArray text = Settings::instance().remembered(kWindows).toString().toUtf8();
    for (const QJsonValue& value : QJsonDocument::fromJson(text).array()) {
        const QJsonObject entry = value.toObject();
        OwnWindow window{entry[QLatin1String("name")].toString(), entry[QLatin1String("level")].toDouble(),
                         entry[QLatin1String("width")].toDouble(), entry[QLatin1String("key")].toInt()};
        if (!isUsable(window) || isNamed(windows, window.name)) continue;
        const auto hasItsKey = [&](const OwnWindow& w) { return w.key == window.key; };
        if (std::any_of(windows.begin(), windows.end(), hasItsKey)) window.key = 0;
        windows.push_back(std::move(window));
    }
    std::sort(windows.begin(), windows.end(), isBefore);
    return windows;
}

void OwnWindows::save(OwnWindow window, const QString& replaced) {
    window.name = window.name.simplified();
    if (!isUsable(window))
        throw Error(ErrorCode::usage, "This window cannot be saved", "its name is empty or too long, or its width is not positive",
                    "Enter a name of up to " + std::to_string(kLongestName) + " characters and a width above 0");
    std::vector<OwnWindow> windows = all();
    std::erase_if(windows, [&](const OwnWindow& w) { return w.name == window.name || w.name == replaced; });
    if (window.key != 0)
        for (OwnWindow& other : windows)
            if (other.key == window.key) other.key = 0;
    windows.push_back(std::move(window));
    store(windows);
}

void OwnWindows::remove(const QString& name) {
    std::vector<OwnWindow> windows = all();
    if (std::erase_if(windows, [&](const OwnWindow& w) { return w.name == name; }) > 0) store(windows);
}

void OwnWindows::store(const std::vector<OwnWindow>& windows) {
    QJsonArray entries;
    for (const OwnWindow& w : windows)
        entries << QJsonObject{{QStringLiteral("name"), w.name},
                               {QStringLiteral("level"), w.centre},
                               {QStringLiteral("width"), w.width},
                               {QStringLiteral("key"), w.key}};
    if (windows.empty()) Settings::instance().forget(kWindows);
    else Settings::instance().remember(kWindows, QString::fromUtf8(QJsonDocument(entries).toJson(QJsonDocument::Compact)));
    emit changed();
}

}  // namespace parallax::ui
