// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/status_area.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>

#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/elided_label.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {

StatusArea::StatusArea(Session& session, ViewState& view, QStatusBar& bar, QAction& cancel)
    : QObject(&bar),
      session_(session),
      view_(view),
      summary_(new ElidedLabel),
      zoom_(new QLabel),
      activity_(new QLabel),
      progress_(new QProgressBar),
      cancel_(new QToolButton) {
    summary_->setToolTip(tr("Compute and end-to-end time of A and B, and their error against the reference"));
    zoom_->setToolTip(tr("Device pixels per image pixel"));
    progress_->setFixedWidth(160);
    progress_->setTextVisible(false);
    described(progress_, tr("Progress"),
              tr("Progress of the current stage. A moving bar means that the remaining time is unknown. Esc cancels."));
    activity_->setObjectName(QStringLiteral("activity"));
    clock_.start();
    cancel_->setDefaultAction(&cancel);
    cancel_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    cancel_->setAutoRaise(true);
    bar.setSizeGripEnabled(false);
    bar.addWidget(summary_, 1);
    for (QWidget* w :
         {static_cast<QWidget*>(activity_), static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancel_), static_cast<QWidget*>(zoom_)})
        bar.addPermanentWidget(w);
    showProgress(-1, {});
    connect(&session_, &Session::originalChanged, this, &StatusArea::updateSummary);
    for (const auto signal : {&Comparison::differenceChanged, &Comparison::referenceChanged})
        connect(&session_.comparison(), signal, this, &StatusArea::updateSummary);
    connect(&session_.comparison(), &Comparison::sideChanged, this, &StatusArea::updateSummary);
    connect(&session_.tasks(), &Tasks::progressChanged, this, &StatusArea::showProgress);
    connect(&view_, &ViewState::viewChanged, this, &StatusArea::updateZoom);
    updateSummary();
    updateZoom();
}

void StatusArea::updateSummary() {
    if (!session_.original()) return summary_->setText(tr("No image"));
    QStringList parts;
    const std::array pair{session_.comparison().reference(), session_.comparison().subject()};
    for (const Side side : pair) {
        const SideState& s = session_.side(side);
        const QString name = letterOf(side);
        const QString target = QString::fromStdString(s.target.label());
        if (s.pending) parts << tr("%1 %2: computing").arg(name, target);
        else if (s.error) parts << tr("%1 %2: no result").arg(name, target);
        else if (s.result && !s.result->plan.empty())
            parts << tr("%1 %2: %3 compute, %4 end to end")
                         .arg(name, target, formatDuration(static_cast<double>(s.result->times.compute())),
                              formatDuration(static_cast<double>(s.result->times.endToEnd())));
    }
    parts << checkTexts({&session_.comparison().referenceCheck(pair[0]), &session_.comparison().referenceCheck(pair[1])});
    summary_->setText(parts.join(QStringLiteral("   ·   ")));
}

QStringList StatusArea::checkTexts(const std::array<const ReferenceCheck*, 2>& checks) const {
    // Show the side whose error is nearest to its tolerance.
    const ReferenceCheck* nearest = nullptr;
    double share = -1;
    std::uint64_t mismatches = 0;
    bool tooSlow = false, judged = true, known = false;
    for (const ReferenceCheck* check : checks) {
        tooSlow = tooSlow || check->state == ReferenceCheck::State::tooSlow;
        known = known || check->state == ReferenceCheck::State::known;
        if (check->state != ReferenceCheck::State::known || !check->metrics) continue;
        const DifferenceMetrics& m = check->judged();
        mismatches = std::max(mismatches, m.mismatches());
        judged = judged && check->verification() != Verification::inconclusive;
        const double part = check->allowed() > 0 ? m.maxAbs / check->allowed() : m.maxAbs;
        if (part <= share) continue;
        share = part;
        nearest = check;
    }
    if (!known) return tooSlow ? QStringList{tr("not checked against the reference (slow; Benchmark does it)")} : QStringList();
    QStringList parts;
    const double worst = nearest ? nearest->judged().maxAbs : 0, allowed = nearest ? nearest->allowed() : 0;
    const QString error = ui::formatError(worst);
    if (!judged) parts << tr("error against reference %1 (inconclusive)").arg(error);
    else if (nearest && nearest->step)
        parts << tr("error against reference %1 in %2 alone (allowed %3)")
                     .arg(error, catalogText(session_.catalog().operation(nearest->step->step).title()), ui::formatError(allowed));
    else if (nearest) parts << tr("error against reference %1 (allowed %2)").arg(error, ui::formatError(allowed));
    if (mismatches > 0) parts << tr("%1 samples differ in NaN or infinity").arg(formatCount(mismatches));
    return parts;
}

void StatusArea::updateZoom() {
    const double scale = view_.scale();
    // The planes of a volume have their own scales.
    const ImagePtr& original = session_.original();
    zoom_->setText(original && !original->isVolume()
                       ? (scale >= 0.1 ? tr("%1 %").arg(scale * 100, 0, 'f', 0) : tr("%1 %").arg(scale * 100, 0, 'f', 1))
                       : QString());
}

void StatusArea::showProgress(double fraction, const QString& text) {
    const bool busy = !text.isEmpty();
    activity_->setVisible(busy);
    progress_->setVisible(busy);
    cancel_->setVisible(busy);
    timeLeft_.update(text, fraction, clock_.elapsed());
    const QString shown = timeLeft_.text().isEmpty() ? text : tr("%1 · %2").arg(text, timeLeft_.text());
    activity_->setText(shown);
    progress_->setAccessibleDescription(shown);
    // A range of 0 makes the bar move continuously: the fraction is unknown.
    progress_->setRange(0, fraction > 0 ? 1000 : 0);
    if (fraction > 0) progress_->setValue(static_cast<int>(fraction * 1000));
}

DeviceBadge::DeviceBadge(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 0, 6, 0);
    layout->setSpacing(8);
    for (const std::size_t side : {0, 1}) {
        badges_[side] = new QLabel;
        labels_[side] = new ElidedLabel;
        labels_[side]->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
        layout->addWidget(badges_[side]);
        layout->addWidget(labels_[side]);
    }
    setAccessibleName(tr("Backends and devices"));
    setToolTip(tr("Backend and device that computed each result. Parallax never substitutes another backend silently."));
    connect(&session_.comparison(), &Comparison::sideChanged, this, &DeviceBadge::refresh);
    connect(&session_.pipeline(), &PipelineModel::pairChanged, this, &DeviceBadge::refresh);
    connect(&session_, &Session::originalChanged, this, &DeviceBadge::refresh);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &DeviceBadge::refresh);
    refresh();
}

void DeviceBadge::refresh() {
    const std::array pair{session_.comparison().reference(), session_.comparison().subject()};
    for (std::size_t i = 0; i < pair.size(); ++i) {
        const SideState& s = session_.side(pair[i]);
        const QString name = letterOf(pair[i]);
        QString text = QString::fromStdString(s.target.label());
        QString tip = text;
        if (s.error) {
            text += s.error->kind == Message::Kind::information ? tr(" – cancelled") : tr(" – failed");
            tip = s.error->plainText();
        } else if (s.result && !s.result->device.isEmpty() && s.result->target == s.target) {
            tip = tr("%1 ran on %2").arg(text, s.result->device);
            text +=
                s.result->threads > 0 ? tr(" · CPU, %1").arg(formatThreads(s.result->threads)) : QStringLiteral(" · ") + s.result->device;
        }
        QLabel &badge = *badges_[i], &label = *labels_[i];
        badge.setText(QStringLiteral("<span style='background:%1; color:white'><b>&nbsp;%2&nbsp;</b></span>")
                          .arg(currentTheme().badge(name).name(), name));
        label.setText(text);
        for (QLabel* each : {&badge, &label}) each->setToolTip(tip);
    }
}

}  // namespace parallax::ui
