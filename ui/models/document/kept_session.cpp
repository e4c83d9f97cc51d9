// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/kept_session.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>

#include "core/image/error.hpp"
#include "core/report/record/recipe_json.hpp"

namespace parallax::ui {
namespace {

const QString kSchema = QStringLiteral("parallax.session");
constexpr int kVersion = 1;

QJsonObject displayToJson(const DisplaySettings& d) {
    return {{"exposure", d.exposure},
            {"offset", d.offset},
            {"encoding", static_cast<int>(d.encoding)},
            {"gamma", d.gamma},
            {"channel", d.channel},
            {"false_colour", static_cast<int>(d.falseColour)},
            {"clipping_marks", d.clippingMarks},
            {"difference_scale", d.differenceScale},
            {"difference_mode", static_cast<int>(d.differenceMode)}};
}

double number(const QJsonObject& o, const char* key, double otherwise, double low, double high) {
    const double value = o[QLatin1String(key)].toDouble(otherwise);
    return std::isfinite(value) ? std::clamp(value, low, high) : otherwise;
}

template <class Enum>
Enum choice(const QJsonObject& o, const char* key, Enum last) {
    return static_cast<Enum>(std::clamp(o[QLatin1String(key)].toInt(0), 0, static_cast<int>(last)));
}

DisplaySettings displayFrom(const QJsonObject& o) {
    DisplaySettings d;
    d.exposure = number(o, "exposure", 0, -60, 60);
    d.offset = number(o, "offset", 0, -1e9, 1e9);
    d.encoding = choice(o, "encoding", DisplayEncoding::linear);
    d.gamma = number(o, "gamma", d.gamma, 0.1, 10);
    d.channel = std::max(DisplaySettings::kLuminance, o["channel"].toInt(DisplaySettings::kColour));
    d.falseColour = choice(o, "false_colour", FalseColour::diverging);
    d.clippingMarks = o["clipping_marks"].toBool();
    d.differenceScale = number(o, "difference_scale", 0, 0, 1e30);
    d.differenceMode = choice(o, "difference_mode", DifferenceMode::squared);
    return d;
}

}  // namespace

QByteArray toJson(const KeptSession& s) {
    // The recipe as text: Qt's JSON would turn 3.0 into the integer 3.
    const QJsonObject o{{"schema", kSchema},
                        {"schema_version", kVersion},
                        {"inputs", QJsonArray::fromStringList(s.inputs)},
                        {"current", s.current},
                        {"recipe", QString::fromStdString(recipeToJson(s.pipeline))},
                        {"a", s.a},
                        {"b", s.b},
                        {"view", s.view},
                        {"original_shown", s.originalShown},
                        {"fitting", s.fitting},
                        {"scale", s.scale},
                        {"centre", QJsonArray{s.centre.x(), s.centre.y()}},
                        {"display", displayToJson(s.display)}};
    return QJsonDocument(o).toJson();
}

std::optional<KeptSession> keptSessionFromJson(const Catalog& catalog, const QByteArray& text) {
    const QJsonObject o = QJsonDocument::fromJson(text).object();
    if (o["schema"].toString() != kSchema || o["schema_version"].toInt() != kVersion) return {};
    KeptSession s;
    for (const QJsonValue& input : o["inputs"].toArray())
        if (!input.toString().isEmpty()) s.inputs << input.toString();
    if (s.inputs.isEmpty()) return {};
    s.current = std::clamp(o["current"].toInt(), 0, static_cast<int>(s.inputs.size()) - 1);
    try {
        s.pipeline = recipeFromJson(catalog, o["recipe"].toString().toStdString(), "session");
    } catch (const Error&) {
        return {};
    }
    s.a = o["a"].toString();
    s.b = o["b"].toString();
    s.view = o["view"].toString();
    s.originalShown = o["original_shown"].toBool(true);
    s.fitting = o["fitting"].toBool(true);
    s.scale = number(o, "scale", 1, ViewState::kMinimumScale, ViewState::kMaximumScale);
    const QJsonArray centre = o["centre"].toArray();
    s.centre = QPointF(centre.at(0).toDouble(), centre.at(1).toDouble());
    s.display = displayFrom(o["display"].toObject());
    return s;
}

}  // namespace parallax::ui
