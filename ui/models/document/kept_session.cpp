// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/kept_session.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>

#include "core/image/error.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/setup_json.hpp"

namespace parallax::ui {
namespace {

const QString kSchema = QStringLiteral("parallax.session");
constexpr int kVersion = 4;
constexpr qint64 kMaxBytes = 4 << 20;
constexpr qsizetype kMaxInputs = 10'000;
constexpr double kFar = 1e9;  // pixels or mm: positions beyond are damage

// Names of enumerators, in their order.
const QStringList kEncodings{"srgb", "gamma", "linear"};
const QStringList kFalseColours{"none", "even", "heat", "diverging", "magma"};
const QStringList kDifferenceModes{"signed", "absolute", "relative", "squared", "flip", "ssim"};
const QStringList kPlanes{"all", "axial", "coronal", "sagittal"};
const QStringList kSlabModes{"slice", "maximum", "minimum", "mean"};
const QList<std::pair<Qt::DockWidgetArea, QString>> kAreas{{Qt::LeftDockWidgetArea, "left"},
                                                           {Qt::RightDockWidgetArea, "right"},
                                                           {Qt::TopDockWidgetArea, "top"},
                                                           {Qt::BottomDockWidgetArea, "bottom"}};

template <class Enum>
QString nameOf(const QStringList& names, Enum value) {
    return names.value(static_cast<qsizetype>(value));
}

template <class Enum>
Enum choice(const QJsonObject& o, const char* key, const QStringList& names, Enum otherwise) {
    const qsizetype index = names.indexOf(o[QLatin1String(key)].toString());
    return index < 0 ? otherwise : static_cast<Enum>(index);
}

double clamped(const QJsonValue& value, double otherwise, double low, double high) {
    const double number = value.toDouble(otherwise);
    return std::isfinite(number) ? std::clamp(number, low, high) : otherwise;
}

double number(const QJsonObject& o, const char* key, double otherwise, double low, double high) {
    return clamped(o[QLatin1String(key)], otherwise, low, high);
}

bool flag(const QJsonObject& o, const char* key, bool otherwise) { return o[QLatin1String(key)].toBool(otherwise); }

int integer(const QJsonValue& value, int otherwise, int low, int high) {
    return static_cast<int>(std::lround(clamped(value, otherwise, low, high)));
}

QJsonObject displayToJson(const DisplaySettings& d) {
    return {{"exposure", d.exposure},
            {"offset", d.offset},
            {"encoding", nameOf(kEncodings, d.encoding)},
            {"gamma", d.gamma},
            {"channel", d.channel},
            {"false_colour", nameOf(kFalseColours, d.falseColour)},
            {"clipping_marks", d.clippingMarks},
            {"difference_scale", d.differenceScale},
            {"difference_mode", nameOf(kDifferenceModes, d.differenceMode)}};
}

DisplaySettings displayFrom(const QJsonObject& o) {
    DisplaySettings d;
    d.exposure = number(o, "exposure", 0, -60, 60);
    d.offset = number(o, "offset", 0, -kFar, kFar);
    d.encoding = choice(o, "encoding", kEncodings, d.encoding);
    d.gamma = number(o, "gamma", d.gamma, 0.1, 10);
    d.channel = integer(o["channel"], DisplaySettings::kColour, DisplaySettings::kLuminance, 1 << 20);
    d.falseColour = choice(o, "false_colour", kFalseColours, d.falseColour);
    d.clippingMarks = flag(o, "clipping_marks", false);
    d.differenceScale = number(o, "difference_scale", DisplaySettings::kAutomaticRange, DisplaySettings::kFullRange, 1e30);
    d.differenceMode = choice(o, "difference_mode", kDifferenceModes, d.differenceMode);
    return d;
}

QJsonObject viewToJson(const KeptSession& s) {
    QJsonObject o{{"layout", s.view}, {"original", s.originalShown}, {"pixel_grid", s.pixelGrid}, {"linked", s.linked}, {"fit", s.fitting}};
    if (!s.fitting) {
        o["scale"] = s.scale;
        o["centre"] = QJsonArray{s.centre.x(), s.centre.y()};
    }
    if (!s.selection.isEmpty()) {
        const QRect& r = s.selection;
        o["selection"] = QJsonArray{r.x(), r.y(), r.width(), r.height()};
    }
    return o;
}

void viewFrom(const QJsonObject& o, KeptSession& s) {
    s.view = o["layout"].toString();
    s.originalShown = flag(o, "original", true);
    s.pixelGrid = flag(o, "pixel_grid", true);
    s.linked = flag(o, "linked", true);
    s.fitting = flag(o, "fit", true);
    s.scale = number(o, "scale", 1, ViewState::kMinimumScale, ViewState::kMaximumScale);
    const QJsonArray centre = o["centre"].toArray(), r = o["selection"].toArray();
    s.centre = QPointF(clamped(centre.at(0), 0, -kFar, kFar), clamped(centre.at(1), 0, -kFar, kFar));
    constexpr int most = 1 << 29;  // sums of two stay within int
    s.selection =
        QRect(integer(r.at(0), 0, 0, most), integer(r.at(1), 0, 0, most), integer(r.at(2), 0, 0, most), integer(r.at(3), 0, 0, most));
    if (s.selection.isEmpty()) s.selection = {};
}

QJsonObject volumeToJson(const KeptVolumeView& v) {
    QJsonObject o{{"crosshair", QJsonArray{static_cast<qint64>(v.crosshair[0]), static_cast<qint64>(v.crosshair[1]),
                                           static_cast<qint64>(v.crosshair[2])}},
                  {"planes", nameOf(kPlanes, v.planes)},
                  {"slab_mode", nameOf(kSlabModes, v.slabMode)},
                  {"slab_mm", v.slabThickness},
                  {"radiological", v.radiological},
                  {"interpolated", v.smooth},
                  {"crosshair_shown", v.crosshairShown},
                  {"inverted", v.inverted},
                  {"fit", v.fitting}};
    if (!v.fitting) {
        o["scale"] = v.scale;
        o["centre"] = QJsonArray{v.centre[0], v.centre[1], v.centre[2]};
    }
    if (!v.rendering.isEmpty()) o["rendering"] = v.rendering;
    return o;
}

KeptVolumeView volumeFrom(const QJsonObject& o) {
    KeptVolumeView v;
    const QJsonArray crosshair = o["crosshair"].toArray(), centre = o["centre"].toArray();
    for (int axis = 0; axis < 3; ++axis) {
        v.crosshair[static_cast<std::size_t>(axis)] = integer(crosshair.at(axis), 0, 0, 1 << 30);
        v.centre[static_cast<std::size_t>(axis)] = clamped(centre.at(axis), 0, -kFar, kFar);
    }
    v.planes = choice(o, "planes", kPlanes, v.planes);
    v.slabMode = choice(o, "slab_mode", kSlabModes, v.slabMode);
    v.slabThickness = number(o, "slab_mm", v.slabThickness, 0, VolumeState::kLargestSlab);
    v.radiological = flag(o, "radiological", true);
    v.smooth = flag(o, "interpolated", true);
    v.crosshairShown = flag(o, "crosshair_shown", true);
    v.inverted = flag(o, "inverted", false);
    v.fitting = flag(o, "fit", true);
    v.scale = number(o, "scale", 1, 1e-3, 1e3);
    v.rendering = o["rendering"].toString();
    return v;
}

QJsonObject panelsToJson(const QHash<QString, KeptPanel>& panels) {
    QJsonObject o;
    for (auto it = panels.begin(); it != panels.end(); ++it) {
        QString area;
        for (const auto& [each, name] : kAreas)
            if (each == it->area) area = name;
        o[it.key()] = QJsonObject{{"shown", it->shown}, {"area", area}, {"size", it->size}};
    }
    return o;
}

QHash<QString, KeptPanel> panelsFrom(const QJsonObject& o) {
    QHash<QString, KeptPanel> panels;
    for (auto it = o.begin(); it != o.end(); ++it) {
        const QJsonObject each = it.value().toObject();
        KeptPanel panel;
        panel.shown = flag(each, "shown", true);
        panel.size = integer(each["size"], 0, 0, 10'000);
        for (const auto& [area, name] : kAreas)
            if (each["area"].toString() == name) panel.area = area;
        panels.insert(it.key(), panel);
    }
    return panels;
}

/// The input with the path of its file relative to a folder, if they have more than the root in common.
QString relativeInput(const QString& input, const QString& folder) {
    const QString lasting = lastingInput(input), file = fileOf(lasting);
    if (folder.isEmpty() || file.isEmpty()) return lasting;
    const QString absolute = QDir(folder).absolutePath();
    if (file.section(QLatin1Char('/'), 0, 1) != absolute.section(QLatin1Char('/'), 0, 1)) return lasting;
    return lasting.chopped(file.size()) + QDir(absolute).relativeFilePath(file);
}

QString absoluteInput(const QString& input, const QString& folder) {
    const QString file = fileOf(input);
    if (folder.isEmpty() || file.isEmpty()) return input;
    return input.chopped(file.size()) + QDir::cleanPath(QDir(folder).absoluteFilePath(file));
}

bool exists(const QString& input) {
    const QString path = pathOnDisk(input);
    // A name may end like the number of a series or volume.
    return path.isEmpty() || QFileInfo::exists(path) || QFileInfo::exists(fileOf(input));
}

[[noreturn]] void refuse(const QString& name, const std::string& why, const std::string& whatToDo = {}) {
    throw Error(ErrorCode::input, "Cannot open session '" + name.toStdString() + "'", why, whatToDo);
}

/// Version 1 had the recipe as text, one target of A and one of B, the view at the top, and numbers instead of names.
QJsonObject fromVersion1(QJsonObject o) {
    o["recipe"] = QJsonDocument::fromJson(o["recipe"].toString().toUtf8()).object();
    o["panes"] = QJsonArray{QJsonObject{{"target", o["a"]}}, QJsonObject{{"target", o["b"]}}};
    o["view"] = QJsonObject{
        {"layout", o["view"]}, {"original", o["original_shown"]}, {"fit", o["fitting"]}, {"scale", o["scale"]}, {"centre", o["centre"]}};
    QJsonObject display = o["display"].toObject();
    const auto name = [&display](const char* key, const QStringList& names) {
        display[QLatin1String(key)] = names.value(display[QLatin1String(key)].toInt(-1));
    };
    name("encoding", kEncodings);
    name("false_colour", kFalseColours);
    name("difference_mode", kDifferenceModes);
    o["display"] = display;
    return o;
}

/// Up to version 3, "openmp@4" was the target of 4 threads.
QJsonObject fromVersion3(QJsonObject o) {
    for (const QLatin1String key : {QLatin1String("panes"), QLatin1String("panes_before_sheet")}) {
        if (!o.value(key).isArray()) continue;
        QJsonArray panes;
        for (const QJsonValue& value : o.value(key).toArray()) {
            QJsonObject pane = value.toObject();
            if (pane.value("target").isString())
                pane["target"] = QString::fromStdString(labelFromThreads(pane.value("target").toString().toStdString()));
            panes << (value.isObject() ? QJsonValue(pane) : value);
        }
        o[key] = panes;
    }
    return o;
}

/// Returns the object of a session in the newest version of the format.
QJsonObject sessionObject(const QByteArray& text, const QString& name) {
    QJsonParseError damage;
    const QJsonObject o = QJsonDocument::fromJson(text, &damage).object();
    if (damage.error == QJsonParseError::DeepNesting) refuse(name, "its values are nested too deeply");
    if (damage.error != QJsonParseError::NoError)
        refuse(name, "it is not valid JSON (byte " + std::to_string(damage.offset) + ")", "Restore the file from a backup");
    if (o["schema"].toString() != kSchema) refuse(name, "it is not a session of Parallax");
    const int version = o["schema_version"].toInt();
    if (version < 1 || version > kVersion)
        refuse(name,
               "it has version " + std::to_string(version) + " of the format, and this program reads versions 1 to " +
                   std::to_string(kVersion),
               version > kVersion ? "Open it with a newer version of Parallax" : "");
    if (version == kVersion) return o;
    return fromVersion3(version == 1 ? fromVersion1(o) : o);  // version 2 had neither inputs nor recipes of panes
}

}  // namespace

bool isSessionFile(const QString& path) { return !isRawInput(path) && path.endsWith(QLatin1String(".parallax"), Qt::CaseInsensitive); }

QByteArray toJson(const KeptSession& s, const QString& folder) {
    const auto stored = [&folder](const QString& input) { return relativeInput(input, folder); };
    QJsonArray inputs;
    for (const QString& input : s.inputs) inputs << stored(input);
    QJsonObject o = toJson(s.setup, stored);
    o["schema"] = kSchema;
    o["schema_version"] = kVersion;
    o["inputs"] = inputs;
    o["current"] = s.current;
    o["active"] = letterOf(s.active);
    o["subject"] = letterOf(s.subject);
    o["view"] = viewToJson(s);
    o["display"] = displayToJson(s.display);
    o["panels"] = panelsToJson(s.panels);
    if (s.volume) o["volume"] = volumeToJson(*s.volume);
    if (!s.file.isEmpty()) {
        o["file"] = s.file;
        o["modified"] = s.modified;
    }
    return QJsonDocument(o).toJson();
}

KeptSession sessionFromJson(const Catalog& catalog, const QByteArray& text, const QString& name, const QString& folder) {
    const QJsonObject o = sessionObject(text, name);
    const auto opened = [&folder](const QString& input) { return absoluteInput(input, folder); };
    KeptSession s;
    if (o.contains("inputs") && !o["inputs"].isArray()) refuse(name, "its inputs are not a list");
    const QJsonArray inputs = o["inputs"].toArray();
    if (inputs.size() > kMaxInputs) refuse(name, "it lists more than " + std::to_string(kMaxInputs) + " inputs");
    for (const QJsonValue& input : inputs)
        if (!input.toString().isEmpty()) s.inputs << opened(input.toString());
    s.current = integer(o["current"], 0, 0, std::max(0, static_cast<int>(s.inputs.size()) - 1));
    try {
        s.setup = compareSetupFromJson(catalog, o, opened);
    } catch (const Error& e) {
        refuse(name, e.why(), e.whatToDo());
    }
    s.active = sideNamed(o["active"].toString(), s.setup.panes);
    s.subject = o.contains("subject") ? sideNamed(o["subject"].toString(), s.setup.panes) : Side::b;
    viewFrom(o["view"].toObject(), s);
    s.display = displayFrom(o["display"].toObject());
    if (o["volume"].isObject()) s.volume = volumeFrom(o["volume"].toObject());
    s.panels = panelsFrom(o["panels"].toObject());
    s.file = o["file"].toString();
    s.modified = flag(o, "modified", false);
    return s;
}

KeptSession readSession(const Catalog& catalog, const QString& path) {
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    if (!file.open(QIODevice::ReadOnly)) refuse(name, file.errorString().toStdString(), "Check the path and its permissions");
    if (file.size() > kMaxBytes) refuse(name, "it is larger than any session");
    KeptSession session = sessionFromJson(catalog, file.read(kMaxBytes), name, QFileInfo(path).absolutePath());
    session.file = QFileInfo(path).absoluteFilePath();
    session.modified = false;
    session.saved = QFileInfo(path).lastModified();
    return session;
}

QStringList removeMissingInputs(KeptSession& session) {
    QStringList kept, missing;
    int current = 0;
    for (qsizetype i = 0; i < session.inputs.size(); ++i) {
        const QString& input = session.inputs[i];
        if (i == session.current) current = static_cast<int>(kept.size());
        (exists(input) ? kept : missing) << input;
    }
    for (const PaneSetup& pane : session.setup.panes) {
        if (pane.input.isEmpty()) continue;
        if (!exists(pane.input)) missing << pane.input;
        else if (kept.isEmpty()) kept << pane.input;  // panes need an open document
    }
    missing.removeDuplicates();
    session.inputs = kept;
    session.current = std::clamp(current, 0, std::max(0, static_cast<int>(kept.size()) - 1));
    return missing;
}

}  // namespace parallax::ui
