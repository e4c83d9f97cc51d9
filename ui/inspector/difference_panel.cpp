// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/difference_panel.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include "ui/inspector/stale_notice.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/tips.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

QString fixed(double value, int decimals) { return withMinus(QLocale().toString(value, 'f', decimals)); }

QString ssimSource() {
    return DifferencePanel::tr(
        "Structural similarity (Wang et al. 2004), 1 if equal: 11 × 11 Gaussian window of sigma 1.5, K1 = 0.01, K2 = 0.03.");
}

QString flipTip(const ImageMetrics& m) {
    const FlipMetrics& f = *m.flip;
    QString tip = m.highDynamicRange ? DifferencePanel::tr(
                                           "Mean HDR-FLIP (Andersson et al. 2021), 0 if equal: the largest FLIP of each pixel over %1 "
                                           "exposures from %2 to %3 EV, at %4 pixels per degree.")
                                           .arg(f.exposures)
                                           .arg(fixed(f.startExposure, 2), fixed(f.stopExposure, 2), formatSample(f.pixelsPerDegree))
                                     : DifferencePanel::tr(
                                           "Mean FLIP (Andersson et al. 2020), 0 if equal: the difference that is seen when flipping "
                                           "between both, at %1 pixels per degree, colours clamped to 0 to 1.")
                                           .arg(formatSample(f.pixelsPerDegree));
    return tip + QLatin1Char('\n') +
           DifferencePanel::tr("Weighted median %1, quartiles %2 to %3, max %4")
               .arg(fixed(f.weightedMedian, 4), fixed(f.weightedQuartile1, 4), fixed(f.weightedQuartile3, 4), fixed(f.maximum, 4));
}

}  // namespace

DifferencePanel::DifferencePanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), stale_(new StaleNotice(session, this)), notice_(new QLabel), table_(new QWidget) {
    notice_->setObjectName(QStringLiteral("differenceNotice"));
    notice_->setWordWrap(true);
    auto* grid = makeLayout<QGridLayout>(table_);
    grid->setVerticalSpacing(1);
    grid->setHorizontalSpacing(14);
    addRows(*grid);
    grid->setColumnStretch(2, 1);
    auto* layout = makeLayout<QVBoxLayout>(this, 3);
    layout->addWidget(table_);
    layout->addWidget(notice_);
    auto* copyAll = new QAction(tr("Copy metrics"), this);
    connect(copyAll, &QAction::triggered, this, &DifferencePanel::copy);
    addAction(copyAll);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(&session_.comparison(), &Comparison::differenceChanged, this, &DifferencePanel::refresh);
    connect(&session_.comparison().metrics(), &PairMetrics::changed, this, &DifferencePanel::refresh);
    connect(&session_, &Session::originalChanged, this, &DifferencePanel::refresh);
    connect(stale_, &StaleNotice::changed, this, &DifferencePanel::showNotice);
    refresh();
}

DifferencePanel::Row DifferencePanel::addRow(QGridLayout& grid, const QString& name, const char* objectName, const QString& tip) {
    const Row row{new QLabel(name), selectable(new QLabel)};
    row.value->setObjectName(QLatin1String(objectName));
    row.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const int line = static_cast<int>(rows_.size());
    grid.addWidget(row.name, line, 0);
    grid.addWidget(row.value, line, 1);
    for (QLabel* label : {row.name, row.value}) {
        label->setTextFormat(Qt::PlainText);
        showTipBeside(label);
    }
    setTip(row, tip);
    rows_ << row;
    return row;
}

void DifferencePanel::addRows(QGridLayout& grid) {
    largest_ = addRow(grid, tr("Largest"), "metricLargest", tr("Largest magnitude of the difference over all channels"));
    mean_ = addRow(grid, tr("Mean"), "metricMean", tr("Mean magnitude of the difference over all channels"));
    rmse_ = addRow(grid, tr("RMSE"), "metricRmse", tr("Root of the mean squared difference"));
    relative_ = addRow(grid, tr("Relative L2"), "metricRelative", tr("Euclidean norm of the difference divided by that of the reference"));
    psnr_ =
        addRow(grid, tr("PSNR"), "metricPsnr", tr("Peak signal-to-noise ratio; the peak is the largest finite magnitude of the reference"));
    ssim_ = addRow(grid, tr("SSIM"), "metricSsim",
                   ssimSource() + QLatin1Char('\n') + tr("Computed from the luminance as a display shows it: clamped to 0 to 1, sRGB."));
    ssimLinear_ = addRow(grid, tr("SSIM, linear"), "metricSsimLinear", {});
    flip_ = addRow(grid, tr("FLIP"), "metricFlip", {});
    ulp_ = addRow(grid, tr("Largest ULP distance"), "metricUlp", {});
    border_ = addRow(grid, tr("Border / interior"), "metricBorder",
                     tr("Largest difference in the frame of pixels that the border mode influences, and inside of it"));
    mismatches_ =
        addRow(grid, tr("NaN or infinity differs"), "metricMismatches", tr("Samples that are NaN or infinite in one result only"));
}

void DifferencePanel::setTip(const Row& row, const QString& tip) {
    row.name->setToolTip(tip);
    row.value->setToolTip(tip);
}

void DifferencePanel::show(const Row& row, const QString& value) {
    row.value->setText(value);
    row.value->setAccessibleName(row.name->text() + QLatin1Char(' ') + value);
    row.name->setVisible(!value.isEmpty());
    row.value->setVisible(!value.isEmpty());
}

void DifferencePanel::refresh() {
    const auto& m = session_.comparison().difference();
    table_->setVisible(m.has_value());
    if (m) {
        showErrors(*m);
        showPerceived();
    }
    showNotice();
}

void DifferencePanel::showErrors(const DifferenceMetrics& m) {
    show(largest_, ui::formatError(m.maxAbs));
    show(mean_, ui::formatError(m.meanAbs));
    show(rmse_, ui::formatError(m.rmse));
    show(relative_, ui::formatError(m.relativeL2));
    psnr_.name->setText(tr("PSNR (peak %1)").arg(formatSample(m.peak)));
    show(psnr_, tr("%1 dB").arg(formatPsnr(m.psnr)));
    show(border_,
         m.borderWidth > 0 ? ui::formatError(m.maxAbsBorder) + QStringLiteral(" / ") + ui::formatError(m.maxAbsInterior) : QString());
    show(mismatches_, m.mismatches() > 0 ? formatCount(m.mismatches()) : QString());
}

void DifferencePanel::showPerceived() {
    const PairMetrics& metrics = session_.comparison().metrics();
    if (metrics.values()) return showValues(*metrics.values());
    const bool failed = metrics.state() == PairMetrics::State::failed;
    const QString text = failed ? QStringLiteral("–") : tr("computing …");
    flip_.name->setText(tr("FLIP"));
    show(ssim_, metrics.light() ? text : QString());
    show(ssimLinear_, metrics.light() ? QString() : text);
    show(flip_, metrics.light() ? text : QStringLiteral("–"));
    show(ulp_, text);
    for (const Row& row : {ssimLinear_, flip_, ulp_}) setTip(row, metrics.failure());
}

QString DifferencePanel::noFlipReason() {
    return tr("FLIP compares colours as an observer sees them; these samples are measurements or other channels.");
}

void DifferencePanel::showValues(const ImageMetrics& m) {
    show(ssim_, m.ssim ? fixed(*m.ssim, 6) : QString());
    show(ssimLinear_, m.ssimLinear ? fixed(*m.ssimLinear, 6) : QString());
    setTip(ssimLinear_, ssimSource() + QLatin1Char('\n') +
                            (m.light ? tr("Computed from the linear luminance, with the range %1 of the reference.")
                                     : tr("Computed from the samples, with the range %1 of the reference."))
                                .arg(formatNumber(m.linearRange)));
    flip_.name->setText(m.highDynamicRange ? tr("HDR-FLIP") : tr("FLIP"));
    show(flip_, m.flip ? fixed(m.flip->mean, 6) : QStringLiteral("–"));
    setTip(flip_, m.flip ? flipTip(m) : noFlipReason());
    show(ulp_, formatCount(m.ulp.largest));
    setTip(ulp_, tr("Steps between neighbouring floating-point numbers from one sample to the other.") + QLatin1Char('\n') +
                     tr("%1 equal, %2 within 1, %3 within 4, %4 within 256")
                         .arg(formatPercent(100 * m.ulp.shareWithin(0)), formatPercent(100 * m.ulp.shareWithin(1)),
                              formatPercent(100 * m.ulp.shareWithin(3)), formatPercent(100 * m.ulp.shareWithin(9))));
}

void DifferencePanel::showNotice() {
    const bool old = stale_->stale() && session_.comparison().difference();
    table_->setEnabled(!old);
    notice_->setText(old                                  ? tr("Previous result. Computing …")
                     : stale_->stale()                    ? tr("Computing …")
                     : session_.comparison().difference() ? QString()
                                                          : tr("No comparison yet"));
    notice_->setVisible(!notice_->text().isEmpty());
}

void DifferencePanel::copy() const {
    QString text;
    for (const Row& row : rows_)
        if (!row.value->text().isEmpty()) text += row.name->text() + QLatin1Char('\t') + row.value->text() + QLatin1Char('\n');
    QApplication::clipboard()->setText(text);
}

}  // namespace parallax::ui
