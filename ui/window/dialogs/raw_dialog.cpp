// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/raw_dialog.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

#include "core/io/formats/raw/raw_guess.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kPictureSide = 280;        // logical pixels
constexpr int kDelayMilliseconds = 150;  // after the last keystroke
constexpr int kMaxSide = 1 << 20;
constexpr double kLargestOffset = 1LL << 53;  // largest integers that a double holds exactly
constexpr int kFlatFloat = -1, kAsEntered = -2;

QSpinBox* sizeBox(const QString& name, const QString& tip) {
    auto* box = new QSpinBox;
    box->setRange(1, kMaxSide);
    described(box, name, tip);
    return box;
}

QString bytesText(std::uint64_t bytes) { return QLocale().toString(static_cast<qulonglong>(bytes)); }

/// Describes a layout, with settings that differ from the defaults: "512 × 512 × 78, int16, big-endian, offset 352".
QString textOf(const RawRequest& r) {
    QString text =
        QStringLiteral("%1, %2").arg(formatExtent(r.shape.width, r.shape.height, r.shape.depth), QString::fromStdString(nameOf(r.type)));
    if (r.bigEndian) text += QStringLiteral(", ") + RawDialog::tr("big-endian");
    if (r.offset > 0) text += QStringLiteral(", ") + RawDialog::tr("offset %1").arg(bytesText(r.offset));
    if (const auto& s = r.geometry.spacing; s != Geometry{}.spacing)
        text += QStringLiteral(", ") + RawDialog::tr("%1 × %2 × %3 mm").arg(formatSample(s[0]), formatSample(s[1]), formatSample(s[2]));
    if (!r.geometry.unit.empty()) text += QStringLiteral(", ") + QString::fromStdString(r.geometry.unit);
    return text;
}

}  // namespace

RawDialog::RawDialog(std::uint64_t fileBytes, std::vector<RawRequest> proposed, QWidget* parent)
    : QDialog(parent),
      fileBytes_(fileBytes),
      path_(proposed.front().path),
      proposed_(std::move(proposed)),
      proposals_(new QComboBox),
      width_(sizeBox(tr("Width"), tr("Samples per row (cols)"))),
      height_(sizeBox(tr("Height"), tr("Rows per slice"))),
      depth_(sizeBox(tr("Slices"), tr("Number of slices (depth); 1 for an image"))),
      type_(new QComboBox),
      endian_(new QComboBox),
      offset_(new QDoubleSpinBox),
      unit_(new QComboBox),
      check_(new QLabel),
      remediesLabel_(new QLabel),
      picture_(new QLabel),
      pictureText_(new QLabel),
      delay_(new QTimer(this)) {
    setObjectName(QStringLiteral("rawDialog"));
    setWindowTitle(tr("Open raw samples"));
    const QString file = QString::fromStdString(path_);
    auto* heading =
        new QLabel(tr("%1 (%2 bytes) has no header that Parallax knows. Enter its layout.").arg(shortNameOf(file), bytesText(fileBytes_)));
    heading->setTextFormat(Qt::PlainText);
    heading->setWordWrap(true);
    heading->setToolTip(file);

    makeEntries();
    makePreview();
    auto* columns = new QHBoxLayout;
    columns->setSpacing(18);
    columns->addLayout(entriesLayout(), 1);
    columns->addLayout(previewLayout());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    open_ = buttons->button(QDialogButtonBox::Open);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(heading);
    layout->addSpacing(4);
    layout->addLayout(columns, 1);
    layout->addWidget(buttons);
    setMinimumWidth(760);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connectEntries();
    setRequest(proposed_.front());
}

void RawDialog::makeEntries() {
    proposals_->setObjectName(QStringLiteral("rawProposals"));
    for (std::size_t i = 0; i < proposed_.size(); ++i) proposals_->addItem(textOf(proposed_[i]), static_cast<int>(i));
    proposals_->addItem(tr("Flat float32 file: index depth*rows*cols + row*cols + col"), kFlatFloat);
    proposals_->addItem(tr("Custom (as entered below)"), kAsEntered);
    proposals_->setToolTip(
        tr("Suggested formats, from earlier entries, the file name and the file size. A flat float32 file is little-endian and has no "
           "header."));
    proposals_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (int t = static_cast<int>(StoredType::int8); t <= static_cast<int>(StoredType::float64); ++t)
        type_->addItem(QString::fromStdString(nameOf(static_cast<StoredType>(t))), t);
    type_->setObjectName(QStringLiteral("rawType"));
    type_->setToolTip(tr("Sample type as stored: signed (int) or unsigned (uint) integers with their bits, or floating-point numbers"));
    endian_->addItem(tr("little-endian"), false);
    endian_->addItem(tr("big-endian"), true);
    endian_->setObjectName(QStringLiteral("rawEndian"));
    endian_->setToolTip(
        tr("Byte order of the samples: little-endian (Intel, ARM) or big-endian. A wrong choice makes the preview look like noise."));
    width_->setObjectName(QStringLiteral("rawWidth"));
    height_->setObjectName(QStringLiteral("rawHeight"));
    depth_->setObjectName(QStringLiteral("rawDepth"));
    offset_->setObjectName(QStringLiteral("rawOffset"));
    offset_->setDecimals(0);
    offset_->setRange(0, kLargestOffset);
    offset_->setSuffix(tr(" bytes"));
    offset_->setToolTip(tr("Number of bytes before the first sample, such as a header"));
    for (std::size_t a = 0; a < 3; ++a) {
        spacing_[a] = new QDoubleSpinBox;
        spacing_[a]->setObjectName(QStringLiteral("rawSpacing%1").arg(a));
        spacing_[a]->setDecimals(5);
        spacing_[a]->setRange(0.00001, 10000);
        spacing_[a]->setSuffix(tr(" mm"));
        described(spacing_[a],
                  a == 0   ? tr("Column spacing")
                  : a == 1 ? tr("Row spacing")
                           : tr("Slice spacing"),
                  tr("Voxel spacing along x, y and z; sets the aspect ratio"));
    }
    unit_->setObjectName(QStringLiteral("rawUnit"));
    unit_->setEditable(true);
    unit_->addItems({QString(), QStringLiteral("HU")});
    unit_->setToolTip(tr("Unit of the values, such as HU for computed tomography (optional)"));
    unit_->lineEdit()->setMaxLength(16);
    check_->setObjectName(QStringLiteral("rawCheck"));
    check_->setWordWrap(true);
    check_->setTextFormat(Qt::PlainText);
    remediesLabel_->setObjectName(QStringLiteral("rawRemedies"));
    remediesLabel_->setWordWrap(true);
    remediesLabel_->setTextFormat(Qt::RichText);
    remediesLabel_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    described(remediesLabel_, tr("Suggested changes"), tr("Click a change to make the entries fit the file"));
    // Room for two lines, so that the layout stays still.
    check_->setMinimumHeight(2 * fontMetrics().lineSpacing() + 2);
    remediesLabel_->setMinimumHeight(2 * fontMetrics().lineSpacing() + 2);
    remediesLabel_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    check_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
}

void RawDialog::makePreview() {
    picture_->setObjectName(QStringLiteral("rawPicture"));
    picture_->setFixedSize(kPictureSide, kPictureSide);
    picture_->setAlignment(Qt::AlignCenter);
    picture_->setWordWrap(true);
    picture_->setMargin(0);
    described(picture_, tr("Middle slice"),
              tr("Preview of the middle slice. A wrong width makes it slanted; a wrong type or byte order makes it noise."));
    picture_->setStyleSheet(QStringLiteral("background: %1; color: %2")
                                .arg(currentTheme().canvas.name(), currentTheme().palette.color(QPalette::WindowText).name()));
    pictureText_->setObjectName(QStringLiteral("rawPictureText"));
    pictureText_->setWordWrap(true);
    pictureText_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    pictureText_->setFixedWidth(kPictureSide);
    pictureText_->setMinimumHeight(2 * fontMetrics().lineSpacing() + 2);
}

QLayout* RawDialog::entriesLayout() {
    const auto row = [](std::initializer_list<QWidget*> widgets) {
        auto* line = new QHBoxLayout;
        line->setSpacing(6);
        for (QWidget* w : widgets) line->addWidget(w, 1);
        return line;
    };
    const auto labelled = [](const QString& text, QWidget* buddy) {
        auto* label = new QLabel(text);
        label->setBuddy(buddy);
        return label;
    };
    auto* form = new QFormLayout;
    form->setVerticalSpacing(8);
    form->addRow(labelled(tr("Suggested &formats"), proposals_), proposals_);
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Height"), height_);
    form->addRow(tr("&Slices"), depth_);
    form->addRow(tr("&Type"), type_);
    form->addRow(tr("&Byte order"), endian_);
    form->addRow(tr("&Offset"), offset_);
    form->addRow(labelled(tr("S&pacing"), spacing_[0]), row({spacing_[0], spacing_[1], spacing_[2]}));
    form->addRow(tr("&Unit"), unit_);
    auto* left = new QVBoxLayout;
    left->addLayout(form);
    left->addWidget(check_);
    left->addWidget(remediesLabel_);
    left->addStretch(1);
    return left;
}

QLayout* RawDialog::previewLayout() {
    auto* right = new QVBoxLayout;
    right->addWidget(picture_);
    right->addWidget(pictureText_);
    right->addStretch(1);
    return right;
}

void RawDialog::connectEntries() {
    connect(proposals_, &QComboBox::activated, this, &RawDialog::takeProposal);
    connect(remediesLabel_, &QLabel::linkActivated, this, &RawDialog::takeRemedy);
    for (QSpinBox* box : {width_, height_, depth_}) connect(box, &QSpinBox::valueChanged, this, &RawDialog::entriesChanged);
    for (QDoubleSpinBox* box : {offset_, spacing_[0], spacing_[1], spacing_[2]})
        connect(box, &QDoubleSpinBox::valueChanged, this, &RawDialog::entriesChanged);
    for (QComboBox* box : {type_, endian_}) connect(box, &QComboBox::currentIndexChanged, this, &RawDialog::entriesChanged);
    connect(unit_, &QComboBox::currentTextChanged, this, &RawDialog::entriesChanged);
    delay_->setSingleShot(true);
    delay_->setInterval(kDelayMilliseconds);
    connect(delay_, &QTimer::timeout, this, &RawDialog::askPreview);
}

RawRequest RawDialog::request() const {
    RawRequest r{.path = path_,
                 .shape = {width_->value(), height_->value(), depth_->value(), 1},
                 .type = static_cast<StoredType>(type_->currentData().toInt()),
                 .bigEndian = endian_->currentData().toBool(),
                 .offset = static_cast<std::uint64_t>(offset_->value()),
                 .geometry = geometry_};
    for (std::size_t a = 0; a < 3; ++a) r.geometry.spacing[a] = spacing_[a]->value();
    // Commas and colons separate entries in the text form.
    r.geometry.unit = unit_->currentText().trimmed().remove(QLatin1Char(',')).remove(QLatin1Char(':')).toStdString();
    return r;
}

void RawDialog::setRequest(const RawRequest& request) {
    {
        const QSignalBlocker blockers[] = {QSignalBlocker(width_),      QSignalBlocker(height_),     QSignalBlocker(depth_),
                                           QSignalBlocker(type_),       QSignalBlocker(endian_),     QSignalBlocker(offset_),
                                           QSignalBlocker(spacing_[0]), QSignalBlocker(spacing_[1]), QSignalBlocker(spacing_[2]),
                                           QSignalBlocker(unit_)};
        const auto side = [](std::int64_t value) { return static_cast<int>(std::clamp<std::int64_t>(value, 1, kMaxSide)); };
        width_->setValue(side(request.shape.width));
        height_->setValue(side(request.shape.height));
        depth_->setValue(side(request.shape.depth));
        type_->setCurrentIndex(type_->findData(static_cast<int>(request.type)));
        endian_->setCurrentIndex(endian_->findData(request.bigEndian));
        offset_->setValue(static_cast<double>(request.offset));
        for (std::size_t a = 0; a < 3; ++a) spacing_[a]->setValue(request.geometry.spacing[a]);
        geometry_ = request.geometry;
        unit_->setCurrentText(QString::fromStdString(request.geometry.unit));
    }
    entriesChanged();
}

void RawDialog::entriesChanged() {
    // Select the suggestion that equals the entries.
    const QString text = textOf(request());
    const int same = proposals_->findText(text);
    proposals_->setCurrentIndex(same >= 0 ? same : proposals_->findData(kAsEntered));
    showCheck();
    settled_ = false;
    delay_->start();
}

void RawDialog::showCheck() {
    const RawRequest r = request();
    const RawSize size = sizeOf(r);
    const bool fits = size.fits(fileBytes_);
    QString text;
    if (!size.countable) text = tr("✕ Too large: the number of bytes exceeds 64 bits.");
    else if (fits) text = tr("✓ Fits the file: %1 bytes of samples at offset %2.").arg(bytesText(size.samples), bytesText(r.offset));
    else if (size.needed > fileBytes_)
        text = tr("✕ Does not fit: %1 bytes are needed, the file is %2 bytes too short.")
                   .arg(bytesText(size.needed), bytesText(size.needed - fileBytes_));
    else
        text = tr("✕ Does not fit: %1 bytes are needed, the file has %2 bytes more.")
                   .arg(bytesText(size.needed), bytesText(fileBytes_ - size.needed));
    check_->setText(text);
    QPalette palette = currentTheme().palette;
    palette.setColor(QPalette::WindowText, fits ? currentTheme().success : currentTheme().error);
    check_->setPalette(palette);
    open_->setEnabled(fits);
    remedies_ = fits ? std::vector<RawRequest>{} : fittingRaw(r, fileBytes_);
    QStringList links;
    for (std::size_t i = 0; i < remedies_.size(); ++i) {
        const RawRequest& candidate = remedies_[i];
        const QString change = candidate.shape.depth != r.shape.depth
                                   ? candidate.shape.depth == 1 ? tr("1 slice") : tr("%1 slices").arg(candidate.shape.depth)
                               : candidate.type != r.type                 ? QString::fromStdString(nameOf(candidate.type))
                               : candidate.offset != r.offset             ? tr("offset %1").arg(bytesText(candidate.offset))
                               : candidate.shape.height != r.shape.height ? tr("height %1").arg(candidate.shape.height)
                                                                          : tr("width %1").arg(candidate.shape.width);
        links
            << QStringLiteral("<a href=\"%1\" style=\"color: %2\">%3</a>").arg(i).arg(currentTheme().accent.name(), change.toHtmlEscaped());
    }
    remediesLabel_->setText(fits            ? QString()
                            : links.empty() ? tr("No single change fits the file.")
                                            : tr("Would fit: %1").arg(links.join(QStringLiteral(" · "))));
}

void RawDialog::askPreview() {
    const QSize limit = QSize(kPictureSide, kPictureSide) * devicePixelRatioF();
    previews_.request(
        "preview", [layout = request(), limit](const std::stop_token& stop) { return makeRawPreview(layout, limit, stop); },
        [this](const RawPreview& preview) { showPreview(preview); });
}

void RawDialog::showPreview(const RawPreview& preview) {
    if (delay_->isActive()) return;  // the entries have changed since
    settled_ = true;
    const std::int64_t slices = depth_->value();
    if (preview.picture.isNull()) {
        picture_->setPixmap({});
        picture_->setText(tr("No preview"));
        pictureText_->setText(tr("Slice %1 / %2: %3").arg(preview.slice + 1).arg(slices).arg(preview.problem));
        return;
    }
    QPixmap pixmap = QPixmap::fromImage(preview.picture);
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    picture_->setPixmap(pixmap);
    const QString unit = unit_->currentText().trimmed();
    QString text = tr("Slice %1 / %2: values %3 to %4")
                       .arg(preview.slice + 1)
                       .arg(slices)
                       .arg(formatSample(preview.values.min), formatSample(preview.values.max));
    if (!unit.isEmpty()) text += QLatin1Char(' ') + unit;
    if (preview.values.nonFinite() > 0) text += QStringLiteral(", ") + tr("%1 NaN or infinite").arg(bytesText(preview.values.nonFinite()));
    pictureText_->setText(text);
}

void RawDialog::takeProposal(int index) {
    const int which = proposals_->itemData(index).toInt();
    if (which == kAsEntered) return entriesChanged();
    setRequest(which == kFlatFloat ? flatFloatRaw(request(), fileBytes_) : proposed_[static_cast<std::size_t>(which)]);
}

void RawDialog::takeRemedy(const QString& link) {
    const auto which = static_cast<std::size_t>(link.toInt());
    if (which < remedies_.size()) setRequest(RawRequest(remedies_[which]));
}

}  // namespace parallax::ui
