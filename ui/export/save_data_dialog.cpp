// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/export/save_data_dialog.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

#include "parallax/ui/export/export_folder.hpp"

namespace parallax::ui {
namespace {

constexpr int kAll = -1;
const QString kFormatKey = QStringLiteral("export/format");

QString titleOf(PaneRole role) {
    switch (role) {
        case PaneRole::a: return SaveDataDialog::tr("Result A");
        case PaneRole::b: return SaveDataDialog::tr("Result B");
        case PaneRole::difference: return SaveDataDialog::tr("Difference B − A");
        case PaneRole::original: return SaveDataDialog::tr("Original");
    }
    return {};
}

bool there(const Session& session, PaneRole role) {
    switch (role) {
        case PaneRole::a: return session.side(Side::a).result != nullptr;
        case PaneRole::b: return session.side(Side::b).result != nullptr;
        case PaneRole::difference: return session.difference().has_value();
        case PaneRole::original: return session.original() != nullptr;
    }
    return false;
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

/// How values are stored, and what that loses.
QString noteOn(const SavableFormat& format, StoredDepth depth) {
    if (format.extension == "hdr")
        return SaveDataDialog::tr("Linear light with a shared exponent: about 1 % of precision, no negative values, no alpha.");
    if (format.extension == "jpg") return SaveDataDialog::tr("sRGB, compressed with loss: to look at, not to compute with.");
    switch (depth) {
        case StoredDepth::float32: return SaveDataDialog::tr("Linear light: every sample as it was computed.");
        case StoredDepth::half: return SaveDataDialog::tr("Linear light: 11 bits of precision, values up to 65504.");
        case StoredDepth::uint16:
            return SaveDataDialog::tr("sRGB, or the encoding of the source, in 65536 steps. Values below 0 and above 1 are clipped.");
        case StoredDepth::uint8:
            return SaveDataDialog::tr("sRGB, or the encoding of the source, in 256 steps. Values below 0 and above 1 are clipped.");
        case StoredDepth::automatic: return SaveDataDialog::tr("As the source was stored, where the format can.");
    }
    return {};
}

}  // namespace

QString proposedImageName(const Session& session, PaneRole role, const QString& extension) {
    const QString input = session.inputName();
    const QString base =
        input.startsWith(QLatin1String("synthetic:")) ? input.section(QLatin1Char(':'), 1, 1) : QFileInfo(input).completeBaseName();
    const auto target = [&](Side side) { return QLatin1Char('-') + QString::fromStdString(session.side(side).target.label()); };
    QString name = base;
    if (role == PaneRole::a) name += target(Side::a);
    if (role == PaneRole::b) name += target(Side::b);
    if (role == PaneRole::difference) name += QStringLiteral("-difference");
    if (role == PaneRole::original) name += QStringLiteral("-original");
    return name + QLatin1Char('.') + extension;
}

SaveDataDialog::SaveDataDialog(Session& session, std::optional<PaneRole> role, QWidget* parent)
    : QDialog(parent),
      session_(session),
      image_(new QComboBox),
      format_(new QComboBox),
      depth_(new QComboBox),
      path_(new QLineEdit),
      pathLabel_(new QLabel),
      note_(new QLabel),
      warning_(new QLabel) {
    setWindowTitle(tr("Save data"));
    image_->setObjectName(QStringLiteral("image"));
    format_->setObjectName(QStringLiteral("format"));
    depth_->setObjectName(QStringLiteral("depth"));
    path_->setObjectName(QStringLiteral("path"));
    for (const PaneRole each : kAllPanes)
        if (there(session_, each)) image_->addItem(titleOf(each), static_cast<int>(each));
    if (image_->count() > 1) image_->addItem(tr("All of these, one file each"), kAll);
    image_->setCurrentIndex(std::max(0, image_->findData(role ? static_cast<int>(*role) : kAll)));
    image_->setToolTip(tr("Whose samples are saved; what the view does to them (exposure, colours) stays out of it"));
    image_->setAccessibleName(tr("Image"));
    for (const SavableFormat& each : savableFormats())
        format_->addItem(QStringLiteral("%1 (*.%2)").arg(QString::fromStdString(each.title), QString::fromStdString(each.extension)),
                         QString::fromStdString(each.extension));
    format_->setCurrentIndex(std::max(0, format_->findData(QSettings().value(kFormatKey, QStringLiteral("exr")))));
    format_->setToolTip(tr("OpenEXR, TIFF and PFM keep floats; OpenEXR keeps channel names, metadata and how the image was made"));
    format_->setAccessibleName(tr("Format"));
    depth_->setToolTip(tr("Type of a stored sample"));
    depth_->setAccessibleName(tr("Depth"));
    path_->setToolTip(tr("Where to: a file or, for several images, a folder"));
    auto* browse = new QPushButton(tr("&Choose …"));
    browse->setToolTip(tr("Choose the place in a list of folders"));
    browse->setAutoDefault(false);  // Enter saves
    auto* place = new QHBoxLayout;
    place->addWidget(path_, 1);
    place->addWidget(browse);
    pathLabel_->setBuddy(path_);
    note_->setWordWrap(true);
    warning_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    save_ = buttons->addButton(tr("&Save"), QDialogButtonBox::AcceptRole);
    save_->setDefault(true);
    save_->setToolTip(tr("Write the file (Enter)"));
    buttons->button(QDialogButtonBox::Cancel)->setToolTip(tr("Write nothing (Esc)"));
    auto* form = new QFormLayout;
    form->addRow(tr("&Image"), image_);
    form->addRow(tr("&Format"), format_);
    form->addRow(tr("&Depth"), depth_);
    form->addRow(QString(), note_);
    form->addRow(pathLabel_, place);
    form->addRow(QString(), warning_);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addStretch();
    layout->addWidget(buttons);
    setMinimumWidth(560);
    connect(image_, &QComboBox::currentIndexChanged, this, &SaveDataDialog::roleChanged);
    connect(format_, &QComboBox::currentIndexChanged, this, &SaveDataDialog::formatChanged);
    connect(depth_, &QComboBox::currentIndexChanged, this, &SaveDataDialog::refresh);
    connect(path_, &QLineEdit::textChanged, this, &SaveDataDialog::refresh);
    connect(browse, &QPushButton::clicked, this, &SaveDataDialog::browse);
    connect(buttons, &QDialogButtonBox::accepted, this, &SaveDataDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &SaveDataDialog::reject);
    formatChanged();
    roleChanged();
    path_->setFocus();
}

bool SaveDataDialog::all() const { return image_->currentData().toInt() == kAll; }

const SavableFormat& SaveDataDialog::format() const { return savableFormats()[static_cast<std::size_t>(format_->currentIndex())]; }

StoredDepth SaveDataDialog::depth() const { return static_cast<StoredDepth>(depth_->currentData().toInt()); }

std::vector<PaneRole> SaveDataDialog::roles() const {
    if (!all()) return {static_cast<PaneRole>(image_->currentData().toInt())};
    std::vector<PaneRole> roles;
    for (int i = 0; i + 1 < image_->count(); ++i) roles.push_back(static_cast<PaneRole>(image_->itemData(i).toInt()));
    return roles;
}

QStringList SaveDataDialog::paths() const {
    const QString extension = QString::fromStdString(format().extension);
    if (all()) {
        QStringList list;
        for (const PaneRole role : roles()) list << QDir(path_->text()).filePath(proposedImageName(session_, role, extension));
        // A and B of the same backend must not become one file.
        for (int i = 1; i < list.size(); ++i)
            if (list.mid(0, i).contains(list[i])) list[i].insert(list[i].lastIndexOf(QLatin1Char('.')), QStringLiteral("-b"));
        return list;
    }
    QString path = path_->text();
    if (QFileInfo(path).suffix().isEmpty()) path += QLatin1Char('.') + extension;
    return {path};
}

void SaveDataDialog::formatChanged() {
    depth_->clear();
    // The most precise first: what is computed is worth more than what fits.
    const auto& depths = format().depths;
    for (auto it = depths.rbegin(); it != depths.rend(); ++it)
        if (*it != StoredDepth::automatic) depth_->addItem(titleOf(*it), static_cast<int>(*it));
    if (!all()) {
        const QFileInfo file(path_->text());
        path_->setText(file.path() + QLatin1Char('/') + file.completeBaseName() + QLatin1Char('.') +
                       QString::fromStdString(format().extension));
    }
    refresh();
}

void SaveDataDialog::roleChanged() {
    pathLabel_->setText(all() ? tr("F&older") : tr("Fi&le"));
    path_->setAccessibleName(all() ? tr("Folder") : tr("File"));
    const QString folder = exportFolder();
    path_->setText(all() ? folder
                         : QDir(folder).filePath(proposedImageName(session_, roles().front(), QString::fromStdString(format().extension))));
    refresh();
}

void SaveDataDialog::refresh() {
    note_->setText(noteOn(format(), depth()));
    QStringList existing;
    for (const QString& path : paths())
        if (QFileInfo::exists(path)) existing << QFileInfo(path).fileName();
    const bool folderThere = QFileInfo(QFileInfo(paths().front()).path()).isDir();
    QString warning;
    if (path_->text().trimmed().isEmpty()) warning = tr("Give a name.");
    else if (!folderThere) warning = tr("There is no such folder.");
    else if (!all() && QFileInfo(path_->text()).isDir()) warning = tr("This is a folder.");
    else if (!all() && QFileInfo(paths().front()).suffix().toLower() != QString::fromStdString(format().extension))
        warning = tr("The name does not end in .%1, as the format does.").arg(QString::fromStdString(format().extension));
    save_->setEnabled(warning.isEmpty());
    if (warning.isEmpty() && !existing.isEmpty())
        warning = tr("⚠ There already, and will be replaced: %1").arg(existing.join(QStringLiteral(", ")));
    else if (warning.isEmpty() && all()) {
        QStringList names;
        for (const QString& path : paths()) names << QFileInfo(path).fileName();
        warning = names.join(QStringLiteral(", "));
    }
    warning_->setText(warning);
    save_->setText(existing.isEmpty() ? tr("&Save") : tr("&Replace"));
}

void SaveDataDialog::browse() {
    auto* dialog = new QFileDialog(this, windowTitle(), path_->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(all() ? QFileDialog::AcceptOpen : QFileDialog::AcceptSave);
    dialog->setFileMode(all() ? QFileDialog::Directory : QFileDialog::AnyFile);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);  // said below, with what it means
    dialog->setDefaultSuffix(QString::fromStdString(format().extension));
    if (!all()) dialog->selectFile(path_->text());
    connect(dialog, &QFileDialog::fileSelected, path_, &QLineEdit::setText);
    dialog->open();
}

void SaveDataDialog::accept() {
    if (!save_->isEnabled()) return;
    const QStringList files = paths();
    const std::vector<PaneRole> images = roles();
    setExportFolder(QFileInfo(files.front()).absolutePath());
    QSettings().setValue(kFormatKey, format_->currentData());
    for (std::size_t i = 0; i < images.size(); ++i) session_.saveImage(images[i], files[static_cast<qsizetype>(i)], true, depth());
    QDialog::accept();
}

}  // namespace parallax::ui
