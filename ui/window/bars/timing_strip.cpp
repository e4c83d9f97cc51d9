// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/timing_strip.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QToolButton>

#include "ui/models/benchmark/timing_model.hpp"
#include "ui/models/document/core_text.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/elided_label.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

/// The fastest correct backends: "openmp 0.64 ms · opencv 0.9 ms · reference 12 ms".
QString headlineOf(const TimingSummary& summary) {
    constexpr std::size_t shown = 3;
    std::vector<const SummaryRow*> rows;
    for (const SummaryRow& row : summary.rows)
        if (measured(row) && row.verification != Verification::disagrees) rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const SummaryRow* a, const SummaryRow* b) { return a->compute.median < b->compute.median; });
    QStringList parts;
    for (const SummaryRow* row : rows) {
        if (static_cast<std::size_t>(parts.size()) == shown) break;
        QString part = QString::fromStdString(row->label) + QLatin1Char(' ') + formatDuration(row->compute.median);
        if (row->computeSpeedup) part += QStringLiteral(" (%1)").arg(formatFactor(row->computeSpeedup->ratio));
        parts << part;
    }
    return parts.join(QStringLiteral("  ·  "));
}

}  // namespace

TimingStrip::TimingStrip(Session& session, QAction& benchmark, QWidget* parent)
    : QWidget(parent), session_(session), headline_(new ElidedLabel) {
    setObjectName(QStringLiteral("timingStrip"));
    QToolButton* expand = iconButton(QStringLiteral("up"), tr("Open the Timing panel"));
    expand->setObjectName(QStringLiteral("expandTiming"));
    expand->setText(tr("Timing"));
    expand->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* run = new QToolButton;
    run->setDefaultAction(&benchmark);
    run->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    run->setAutoRaise(true);
    headline_->setObjectName(QStringLiteral("timingHeadline"));
    auto* layout = makeLayout<QHBoxLayout>(this, 6);
    layout->setContentsMargins(4, 1, 4, 1);
    layout->addWidget(expand);
    layout->addWidget(headline_, 1);
    layout->addWidget(run);
    connect(expand, &QToolButton::clicked, this, &TimingStrip::expandRequested);
    connect(&session_.benchmark(), &Benchmark::recordChanged, this, &TimingStrip::refresh);
    connect(&session_, &Session::busyChanged, this, &TimingStrip::refresh);
    refresh();
}

void TimingStrip::refresh() {
    const auto& summary = session_.benchmark().summary();
    QString text = summary ? headlineOf(*summary) : QString();
    if (session_.measuring()) text = tr("Measuring …");
    else if (text.isEmpty()) text = tr("No benchmark yet");
    else if (session_.benchmark().outdated()) text = tr("Outdated: %1").arg(text);
    // Conditions that make the times doubtful, such as a busy processor.
    QStringList warnings;
    if (summary && !session_.measuring())
        for (const std::string& warning : summary->record->warnings) warnings << coreText(warning);
    headline_->setText(warnings.isEmpty() ? text : QStringLiteral("⚠ ") + text);
    headline_->setToolTip(warnings.join(QLatin1Char('\n')));
}

void TimingStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) emit expandRequested();
}

}  // namespace parallax::ui
