// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/save_data_dialog.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/image/regular_grid.hpp"
#include "core/io/loader.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/export/format_label.hpp"
#include "ui/export/picture.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/compare/shown_kind.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kAll = -1;
constexpr int kPatienceMilliseconds = 700;  // after which the window can be used while a file is being saved
constexpr qsizetype kStepsInName = 3;
const QString kFormatKey = QStringLiteral("export/format"), kPatternKey = QStringLiteral("export/pattern"),
              kViewsKey = QStringLiteral("export/views"), kReportKey = QStringLiteral("export/report");
const QString kPattern = QStringLiteral("{input}-{result}");
const QStringList kFields{QStringLiteral("{input}"), QStringLiteral("{result}"), QStringLiteral("{pane}")};

QString differenceOf(const Session& session) {
    return QStringLiteral("%1 − %2").arg(letterOf(session.comparison().subject()), letterOf(session.comparison().reference()));
}

QString titleOf(const Session& session, PaneRole role) {
    if (role == PaneRole::original) return SaveDataDialog::tr("Original");
    if (role == PaneRole::difference) return SaveDataDialog::tr("Difference %1").arg(differenceOf(session));
    return SaveDataDialog::tr("Result %1").arg(letterOf(*sideOf(role)));
}

bool there(const Session& session, PaneRole role) {
    if (role == PaneRole::original) return session.original() != nullptr;
    if (role == PaneRole::difference) return session.comparison().difference().has_value();
    const SideState& side = session.side(*sideOf(role));
    return side.result && !side.error;
}

bool outdated(const Session& session, PaneRole role) {
    if (role == PaneRole::original) return false;
    return role == PaneRole::difference ? session.comparison().comparing() : session.side(*sideOf(role)).pending;
}

QString titleOf(StoredDepth depth) {
    switch (depth) {
        case StoredDepth::uint8: return SaveDataDialog::tr("8 bits");
        case StoredDepth::uint16: return SaveDataDialog::tr("16 bits");
        case StoredDepth::half: return SaveDataDialog::tr("16-bit float (half)");
        case StoredDepth::float32: return SaveDataDialog::tr("32-bit float");
        case StoredDepth::automatic: return SaveDataDialog::tr("as in the source");
    }
    return {};
}

QString titleOf(StoredEncoding encoding) {
    switch (encoding) {
        case StoredEncoding::automatic: return SaveDataDialog::tr("as in the source");
        case StoredEncoding::sRgb: return SaveDataDialog::tr("sRGB");
        case StoredEncoding::linear: return SaveDataDialog::tr("linear light");
    }
    return {};
}

/// Describes how values are stored and what is lost.
QString noteOn(const SavableFormat& format, StoredDepth depth, StoredEncoding encoding) {
    if (format.extension == "hdr")
        return SaveDataDialog::tr("Linear light with a shared exponent: about 1 % precision, no negative values, no alpha.");
    if (format.dicom)
        return SaveDataDialog::tr("Values in 16 bits with slope and intercept; the largest error is reported. Colours in 8 bits (sRGB).");
    if (format.extension == "jpg") return SaveDataDialog::tr("sRGB with lossy compression: for viewing, not for further computation.");
    switch (depth) {
        case StoredDepth::float32: return SaveDataDialog::tr("Samples exactly as computed.");
        case StoredDepth::half: return SaveDataDialog::tr("11 bits of precision, values up to 65,504.");
        case StoredDepth::uint16: return SaveDataDialog::tr("65,536 levels. Values below 0 and above 1 are clipped.");
        case StoredDepth::uint8:
            return encoding == StoredEncoding::linear
                       ? SaveDataDialog::tr("256 levels, few of them for dark values. Values below 0 and above 1 are clipped.")
                       : SaveDataDialog::tr("256 levels. Values below 0 and above 1 are clipped.");
        case StoredDepth::automatic: return SaveDataDialog::tr("Sample type of the source, where the format supports it.");
    }
    return {};
}

/// The name of a file without its extension, be it one of two parts.
QString baseOf(const QString& path) {
    const QFileInfo file(path);
    const auto extension = static_cast<qsizetype>(lowerExtension(path.toStdString()).size());
    return extension > 0 ? file.fileName().chopped(extension + 1) : file.fileName();
}

/// The format that the extension of a name belongs to; null if there is none.
const SavableFormat* formatNamed(const QString& name) {
    std::string extension = name.endsWith(QLatin1Char('/')) ? "/" : lowerExtension(name.toStdString());
    if (extension == "jpeg") extension = "jpg";
    if (extension == "tiff") extension = "tif";
    const auto& all = savableFormats();
    const auto found = std::find_if(all.begin(), all.end(), [&](const SavableFormat& f) { return f.extension == extension; });
    return found == all.end() ? nullptr : &*found;
}

/// A relative name is in the folder that the dialog started with, not in that of the process.
QString absolute(const QString& path) {
    return path.trimmed().isEmpty() ? QString() : QDir::cleanPath(QDir(exportFolder()).absoluteFilePath(path));
}

/// The extension of the format to start with.
QString saveFormat() {
    const QString chosen = Settings::instance().saveFormat();
    return chosen.isEmpty() ? Settings::instance().remembered(kFormatKey, QStringLiteral("exr")).toString() : chosen;
}

QString fill(QString pattern, const Session& session, PaneRole role) {
    QString result = role == PaneRole::difference ? QStringLiteral("difference") : QStringLiteral("original"), pane = result;
    if (const std::optional<Side> side = sideOf(role)) {
        result = QString::fromStdString(session.side(*side).target.label());
        pane = letterOf(*side);
    }
    return pattern.replace(kFields[1], result).replace(kFields[2], pane).replace(kFields[0], proposedBaseName(session));
}

}  // namespace

QString saveTitle(const Session& session, PaneRole role) {
    if (role == PaneRole::original) return SaveDataDialog::tr("Save original");
    if (role == PaneRole::difference) return SaveDataDialog::tr("Save difference %1").arg(differenceOf(session));
    return SaveDataDialog::tr("Save result %1").arg(letterOf(*sideOf(role)));
}

QString proposedBaseName(const Session& session) {
    // Names of medical files may identify a patient, so they are not used in suggested names.
    if (session.original() && session.original()->source.medical) return SaveDataDialog::tr("volume");
    const QString input = session.inputName();
    if (isGeneratedInput(input)) return input.section(QLatin1Char(':'), 1, 1);
    return input.isEmpty() ? QStringLiteral("parallax") : baseOf(fileOf(input));
}

QString proposedReportName(const Session& session) {
    QStringList parts{proposedBaseName(session)};
    for (const Step& step : session.pipeline().setup().stepsOf(Side::a).steps)
        if (step.enabled && parts.size() <= kStepsInName) parts << QString::fromStdString(step.operation->id());
    parts << QDate::currentDate().toString(Qt::ISODate);
    return parts.join(QLatin1Char('_'));
}

QString proposedImageName(const Session& session, PaneRole role, const QString& extension) {
    return fill(kPattern, session, role) + QLatin1Char('.') + extension;
}

SaveDataDialog::SaveDataDialog(Session& session, std::optional<PaneRole> role, std::function<QImage(PaneRole)> view, QWidget* parent)
    : QDialog(parent),
      session_(session),
      view_(std::move(view)),
      image_(new QComboBox),
      format_(new QComboBox),
      depth_(new QComboBox),
      encoding_(new QComboBox),
      path_(new QLineEdit),
      pattern_(new QLineEdit(Settings::instance().remembered(kPatternKey, kPattern).toString())),
      alpha_(new QCheckBox(tr("Leave &alpha out"))),
      regular_(new QCheckBox(tr("Resample to a regular &grid"))),
      patient_(new QCheckBox(tr("Copy &patient data"))),
      views_(new QCheckBox(tr("The &views, as PNG"))),
      report_(new QCheckBox(tr("The &report, as HTML"))),
      pathLabel_(new QLabel),
      note_(new QLabel),
      warning_(new QLabel),
      error_(errorLabel({}, "error")) {
    setObjectName(QStringLiteral("saveDialog"));
    image_->setObjectName(QStringLiteral("image"));
    format_->setObjectName(QStringLiteral("format"));
    depth_->setObjectName(QStringLiteral("depth"));
    encoding_->setObjectName(QStringLiteral("encoding"));
    path_->setObjectName(QStringLiteral("path"));
    pattern_->setObjectName(QStringLiteral("pattern"));
    alpha_->setObjectName(QStringLiteral("withoutAlpha"));
    alpha_->setToolTip(tr("Save the colour channels without alpha, for images whose alpha is meaningless, such as after edge detection"));
    regular_->setObjectName(QStringLiteral("regularGrid"));
    regular_->setToolTip(
        tr("Save uneven or sheared slices at equal distances with axes at right angles, by linear interpolation, for programs that know no "
           "others"));
    patient_->setObjectName(QStringLiteral("keepPatient"));
    patient_->setToolTip(tr(
        "Copy the attributes of the patient and of the study from the source, and name its images as the source; otherwise they are left "
        "out"));
    views_->setObjectName(QStringLiteral("views"));
    report_->setObjectName(QStringLiteral("report"));
    for (const PaneRole each : kAllPanes)
        if (there(session_, each)) image_->addItem(titleOf(session_, each), static_cast<int>(each));
    if (image_->count() > 1) image_->addItem(tr("Save all of these, one file each"), kAll);
    image_->setCurrentIndex(std::max(0, image_->findData(role ? static_cast<int>(*role) : kAll)));
    image_->setToolTip(tr("Image to save. Settings of the view (exposure, colours) are not applied."));
    image_->setAccessibleName(tr("Image"));
    const ImagePtr &original = session_.original(), picture = pictureOfVolume(session_);
    for (const SavableFormat& each : savableFormats())
        if (!original || canHold(each, original->shape()) || (picture && canHold(each, picture->shape())))
            format_->addItem(formatLabel(each), QString::fromStdString(each.extension));
    format_->setCurrentIndex(std::max(0, format_->findData(saveFormat())));
    format_->setToolTip(
        tr("File format. OpenEXR, TIFF and PFM store floats; OpenEXR also stores channel names, metadata and the pipeline."));
    format_->setAccessibleName(tr("Format"));
    depth_->setToolTip(tr("Sample type in the file"));
    depth_->setAccessibleName(tr("Depth"));
    encoding_->setToolTip(
        tr("Encoding of stored values. sRGB spaces them like perceived brightness; linear light is proportional to energy. The file states "
           "which one it uses."));
    encoding_->setAccessibleName(tr("Colour encoding"));
    pattern_->setToolTip(
        tr("Name of each file: {input} is the name of the image, {result} the backend, \"difference\" or \"original\", "
           "{pane} A, B, \"difference\" or \"original\""));
    pattern_->setAccessibleName(tr("File name pattern"));
    views_->setToolTip(tr("Also save the panes as displayed, with colours, labels and marks"));
    report_->setToolTip(session_.record() ? tr("Also save the report of the last benchmark")
                                          : tr("Nothing has been measured yet. Press Ctrl+B first."));
    report_->setEnabled(session_.record() != nullptr);
    views_->setChecked(Settings::instance().remembered(kViewsKey, false).toBool());
    report_->setChecked(report_->isEnabled() && Settings::instance().remembered(kReportKey, false).toBool());
    path_->setToolTip(tr("Destination: a file or, for several images, a folder"));
    auto* browse = new QPushButton(tr("&Choose …"));
    browse->setToolTip(tr("Select the destination in a file dialog"));
    browse->setAutoDefault(false);  // Enter triggers Save
    auto* place = new QHBoxLayout;
    place->addWidget(path_, 1);
    place->addWidget(browse);
    pathLabel_->setBuddy(path_);
    note_->setWordWrap(true);
    warning_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    save_ = buttons->addButton(tr("&Save"), QDialogButtonBox::AcceptRole);
    save_->setDefault(true);
    save_->setToolTip(tr("Save the file (Enter)"));
    buttons->button(QDialogButtonBox::Cancel)->setToolTip(tr("Close without saving (Esc)"));
    auto* also = new QHBoxLayout;
    also->addWidget(views_);
    also->addWidget(report_);
    also->addStretch();
    auto* form = form_ = new QFormLayout;
    form->addRow(tr("&Image"), image_);
    form->addRow(tr("&Format"), format_);
    form->addRow(tr("&Depth"), depth_);
    form->addRow(tr("Colour &encoding"), encoding_);
    form->addRow(QString(), alpha_);
    form->addRow(QString(), regular_);
    form->addRow(QString(), patient_);
    form->addRow(QString(), note_);
    form->addRow(pathLabel_, place);
    form->addRow(tr("&Names"), pattern_);
    form->addRow(tr("Also"), also);
    also_ = also;
    form->addRow(QString(), warning_);
    form->addRow(QString(), error_);
    form->setRowVisible(error_, false);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addStretch();
    layout->addWidget(buttons);
    setMinimumWidth(560);
    connect(image_, &QComboBox::currentIndexChanged, this, &SaveDataDialog::roleChanged);
    connect(format_, &QComboBox::currentIndexChanged, this, &SaveDataDialog::formatChanged);
    connect(depth_, &QComboBox::currentIndexChanged, this, &SaveDataDialog::depthChanged);
    connect(encoding_, &QComboBox::currentIndexChanged, this, &SaveDataDialog::refresh);
    connect(encoding_, &QComboBox::activated, this, [this] { chosenEncoding_ = encoding_->currentData(); });
    connect(path_, &QLineEdit::textEdited, this, &SaveDataDialog::nameTyped);
    connect(pattern_, &QLineEdit::textChanged, this, &SaveDataDialog::refresh);
    connect(views_, &QCheckBox::toggled, this, &SaveDataDialog::refresh);
    connect(report_, &QCheckBox::toggled, this, &SaveDataDialog::refresh);
    connect(path_, &QLineEdit::textChanged, this, &SaveDataDialog::refresh);
    connect(browse, &QPushButton::clicked, this, &SaveDataDialog::browse);
    connect(&session_.comparison(), &Comparison::sideChanged, this, &SaveDataDialog::refresh);
    connect(&session_.comparison(), &Comparison::differenceChanged, this, &SaveDataDialog::refresh);
    connect(&session_.saver(), &FileSaver::failed, this, [this](const QString& path, const Message& message) {
        if (saving_.contains(path)) errors_ << message.plainText();
    });
    connect(&session_.tasks(), &Tasks::busyChanged, this, &SaveDataDialog::followSaves);
    patience_.setSingleShot(true);
    patience_.setInterval(kPatienceMilliseconds);
    connect(&patience_, &QTimer::timeout, this, &QWidget::hide);
    connect(buttons, &QDialogButtonBox::accepted, this, &SaveDataDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &SaveDataDialog::reject);
    formatChanged();
    roleChanged();
    path_->setFocus();
}

bool SaveDataDialog::event(QEvent* event) {
    const bool done = QDialog::event(event);
    // Dialogs do not grow automatically when a text needs another line.
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) {
        const int needed = layout()->totalHeightForWidth(width());
        if (needed > height()) resize(width(), needed);
    }
    return done;
}

bool SaveDataDialog::all() const { return image_->currentData().toInt() == kAll; }

const SavableFormat& SaveDataDialog::format() const {
    const auto& all = savableFormats();
    const std::string extension = format_->currentData().toString().toStdString();
    const auto found = std::find_if(all.begin(), all.end(), [&](const SavableFormat& f) { return f.extension == extension; });
    return found == all.end() ? all.front() : *found;
}

StoredDepth SaveDataDialog::depth() const { return static_cast<StoredDepth>(depth_->currentData().toInt()); }

StoredEncoding SaveDataDialog::encoding() const { return static_cast<StoredEncoding>(encoding_->currentData().toInt()); }

std::vector<PaneRole> SaveDataDialog::roles() const {
    if (!all()) return {static_cast<PaneRole>(image_->currentData().toInt())};
    std::vector<PaneRole> roles;
    for (int i = 0; i + 1 < image_->count(); ++i) roles.push_back(static_cast<PaneRole>(image_->itemData(i).toInt()));
    return roles;
}

std::vector<SaveDataDialog::Item> SaveDataDialog::items() const {
    const QString ending = QString::fromStdString(format().ending());
    const auto saveData = [this](PaneRole role, const QString& path) {
        return [this, role, path](bool overwrite) {
            SaveOptions options;
            options.depth = depth();
            options.encoding = encoding();
            options.overwrite = overwrite;
            options.withoutAlpha = alpha_->isChecked() && format().alphaOptional;
            options.regularGrid = regular_->isChecked() && format().volumes;
            options.keepPatient = patient_->isChecked() && !patient_->isHidden();
            session_.saveImage(role, path, options);
        };
    };
    if (!all()) {
        const QString path = typedPath();
        return {{path, saveData(roles().front(), path)}};
    }
    std::vector<Item> items;
    QStringList names;
    const QDir folder(absolute(path_->text()));
    for (const PaneRole role : roles()) {
        QString name = fill(pattern_->text(), session_, role);
        // Names must differ, even if A and B have the same backend or the pattern has no fields.
        if (names.contains(name)) name += QLatin1Char('-') + fill(kFields[2], session_, role).toLower();
        names << name;
        const QString path = folder.filePath(name + ending);
        items.push_back({path, saveData(role, path)});
        const QImage view = views_->isChecked() ? pictureOf(role) : QImage();
        if (view.isNull()) continue;
        const QString picture = folder.filePath(name + QStringLiteral("-view.png"));
        items.push_back({picture, [this, picture, view](bool overwrite) {
                             session_.saver().saveBytes(picture, overwrite, [view] { return encodedPng(view); });
                         }});
    }
    if (report_->isChecked()) {
        const QString path = folder.filePath(proposedReportName(session_) + QStringLiteral(".html"));
        items.push_back({path, [this, path](bool overwrite) { session_.saveReport(path, overwrite); }});
    }
    return items;
}

QString SaveDataDialog::typedPath() const {
    const QString path = absolute(path_->text());
    // "x.v2" is a name without an extension of a format.
    return path.isEmpty() || formatNamed(path) ? path : path + QString::fromStdString(format().ending());
}

void SaveDataDialog::nameTyped(const QString& name) {
    const SavableFormat* named = all() ? nullptr : formatNamed(name);
    const int index = named ? format_->findData(QString::fromStdString(named->extension)) : -1;
    if (index < 0 || index == format_->currentIndex()) return;
    const QSignalBlocker quiet(format_);
    format_->setCurrentIndex(index);
    fillDepths();
}

QImage SaveDataDialog::pictureOf(PaneRole role) const {
    if (!pictures_.contains(role)) pictures_.insert(role, view_ ? view_(role) : QImage());
    return pictures_.value(role);
}

QStringList SaveDataDialog::paths() const {
    QStringList paths;
    for (const Item& item : items()) paths << item.path;
    return paths;
}

void SaveDataDialog::formatChanged() {
    if (!all()) {
        // Another extension than that of a format is a part of the name.
        const QString path = path_->text();
        const QString base = formatNamed(path) ? baseOf(path) : QFileInfo(path).fileName();
        path_->setText(QFileInfo(path).path() + QLatin1Char('/') + base +
                       (format().isFolder() ? QString() : QString::fromStdString(format().ending())));
    }
    fillDepths();
}

void SaveDataDialog::fillDepths() {
    const QSignalBlocker quiet(depth_);
    depth_->clear();
    // Most precise depth first.
    const auto& depths = format().depths;
    const std::vector<std::string> names = session_.original() ? session_.original()->channelNames() : std::vector<std::string>();
    form_->setRowVisible(regular_, format().volumes && session_.original() && !irregularityOf(*session_.original()).empty());
    form_->setRowVisible(alpha_, format().alphaOptional && std::find(names.begin(), names.end(), "A") != names.end());
    const bool dicom = format().dicom, fromDicom = session_.original() && session_.original()->source.format == "DICOM";
    form_->setRowVisible(patient_, dicom && fromDicom);
    form_->setRowVisible(depth_, !dicom);
    form_->setRowVisible(encoding_, !dicom);
    for (auto it = depths.rbegin(); it != depths.rend(); ++it)
        if (*it != StoredDepth::automatic) depth_->addItem(titleOf(*it), static_cast<int>(*it));
    depthChanged();
}

void SaveDataDialog::depthChanged() {
    {
        const QSignalBlocker quiet(encoding_);
        encoding_->clear();
        for (const StoredEncoding each : encodingsOf(format(), depth())) encoding_->addItem(titleOf(each), static_cast<int>(each));
        // Integers start as sRGB: that floats are linear is no choice of the user.
        encoding_->setCurrentIndex(std::max(0, encoding_->findData(chosenEncoding_)));
        // A choice that is unavailable is named too.
        encoding_->setEnabled(encoding_->count() > 1);
    }
    refresh();
}

void SaveDataDialog::roleChanged() {
    setWindowTitle(all() ? tr("Save all images") : saveTitle(session_, roles().front()));
    const QString folder = exportFolder();
    const QString ending = format().isFolder() ? QString() : QString::fromStdString(format().ending());
    path_->setText(all() ? folder : QDir(folder).filePath(fill(kPattern, session_, roles().front()) + ending));
    form_->setRowVisible(pattern_, all());
    form_->setRowVisible(also_, all());
    refresh();
}

void SaveDataDialog::refresh() {
    const bool toFolder = all() || format().isFolder();
    pathLabel_->setText(toFolder ? tr("F&older") : tr("Fi&le"));
    path_->setAccessibleName(toFolder ? tr("Folder") : tr("File"));
    note_->setText(noteOn(format(), depth(), encoding()));
    const QStringList files = paths();
    QStringList existing, names;
    agreed_.clear();
    for (const QString& path : files) {
        names << savedFile(path).fileName();
        // Some formats are two files.
        for (const std::string& each : filesOf(path.toStdString())) {
            const QString part = QString::fromStdString(each);
            if (!QFileInfo::exists(part)) continue;
            existing << savedFile(part).fileName();
            agreed_.insert(path);
        }
    }
    const std::vector<PaneRole> chosen = roles();
    const auto missing = std::find_if(chosen.begin(), chosen.end(), [this](PaneRole role) { return !there(session_, role); });
    const bool waits = std::any_of(chosen.begin(), chosen.end(), [this](PaneRole role) { return outdated(session_, role); });
    const bool folderThere = QFileInfo(savedFile(files.front()).path()).isDir();
    const QString pattern = pattern_->text();
    QString warning;
    if (path_->text().trimmed().isEmpty()) warning = tr("Enter a file name.");
    else if (!folderThere) warning = tr("This folder does not exist.");
    else if (all() && (pattern.trimmed().isEmpty() || pattern.contains(QLatin1Char('/'))))
        warning = tr("Enter a name pattern without a folder.");
    else if (!all() && !format().isFolder() && QFileInfo(absolute(path_->text())).isDir()) warning = tr("This is a folder.");
    else if (const SavableFormat* named = all() ? nullptr : formatNamed(files.front()); named && named->extension != format().extension)
        warning = tr("%1 cannot hold this image.").arg(QString::fromStdString(named->title));
    else if (waits) warning = tr("The result is still being computed.");
    else if (missing != chosen.end()) warning = tr("%1 is missing: it could not be computed.").arg(titleOf(session_, *missing));
    save_->setEnabled(warning.isEmpty() && saving_.isEmpty());
    if (warning.isEmpty() && !existing.isEmpty()) warning = tr("⚠ %1 exists and will be replaced").arg(existing.join(QStringLiteral(", ")));
    else if (warning.isEmpty() && all()) warning = names.join(QStringLiteral(", "));
    else if (warning.isEmpty() && QDir::cleanPath(files.front()) != path_->text()) warning = tr("Saves to %1").arg(files.front());
    warning_->setText(warning);
    save_->setText(!saving_.isEmpty() ? tr("Saving …") : existing.isEmpty() ? tr("&Save") : tr("&Replace"));
}

void SaveDataDialog::browse() {
    auto* dialog = new QFileDialog(this, windowTitle(), path_->text());
    leaveNoHistory(*dialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(all() ? QFileDialog::AcceptOpen : QFileDialog::AcceptSave);
    dialog->setFileMode(all() ? QFileDialog::Directory : QFileDialog::AnyFile);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);  // the dialog warns below
    if (!format().isFolder()) dialog->setDefaultSuffix(QString::fromStdString(format().extension));
    if (!all()) dialog->selectFile(path_->text());
    connect(dialog, &QFileDialog::fileSelected, path_, &QLineEdit::setText);
    dialog->open();
}

void SaveDataDialog::accept() {
    if (!save_->isEnabled()) return;
    const std::vector<Item> files = items();
    setExportFolder(savedFile(files.front().path).absolutePath());
    Settings& settings = Settings::instance();
    settings.remember(kFormatKey, format_->currentData());
    if (all()) {
        settings.remember(kPatternKey, pattern_->text());
        settings.remember(kViewsKey, views_->isChecked());
        if (report_->isEnabled()) settings.remember(kReportKey, report_->isChecked());
    }
    // Replace only files that were listed; one created since then is kept.
    for (const Item& item : files) item.save(agreed_.contains(item.path));
    for (const Item& item : files) saving_.insert(item.path);
    errors_.clear();
    form_->setRowVisible(error_, false);
    refresh();
    patience_.start();
    followSaves();
}

void SaveDataDialog::reject() {
    for (const QString& path : std::exchange(saving_, {})) session_.saver().cancel(path);
    QDialog::reject();
}

void SaveDataDialog::followSaves() {
    if (saving_.isEmpty()) return;
    saving_.removeIf([this](const QString& path) { return !session_.saver().saving(path); });
    if (!saving_.isEmpty()) return;
    patience_.stop();
    if (errors_.isEmpty()) {
        QDialog::accept();
        return deleteLater();  // it may be hidden, which is not closed
    }
    error_->setText(errors_.join(QLatin1Char('\n')));
    form_->setRowVisible(error_, true);
    refresh();
    open();
    path_->setFocus();
}

}  // namespace parallax::ui
