// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/selection_panel.hpp"

#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/models/document/formatting.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kDelayMilliseconds = 40;  // delay while dragging

QString cell(const QString& text) { return QStringLiteral("<td align='right' style='padding-left:8px'>%1</td>").arg(text); }

}  // namespace

SelectionPanel::SelectionPanel(Session& session, ViewState& view, QWidget* parent)
    : QWidget(parent), session_(session), view_(view), text_(new QLabel), delay_(new QTimer(this)) {
    auto* layout = makeLayout<QVBoxLayout>(this);
    layout->addWidget(text_);
    text_->setTextFormat(Qt::RichText);
    text_->setWordWrap(true);
    selectable(text_);
    described(text_, tr("Statistics of the selection"), tr("Finite samples of the selected pixels; σ is their standard deviation"));
    delay_->setSingleShot(true);
    delay_->setInterval(kDelayMilliseconds);
    connect(delay_, &QTimer::timeout, this, &SelectionPanel::request);
    const auto later = [this] { delay_->start(); };
    connect(&view_, &ViewState::selectionChanged, this, later);
    connect(&session_, &Session::originalChanged, this, later);
    connect(&session_.comparison(), &Comparison::differenceChanged, this, later);
    connect(&session_.comparison(), &Comparison::sideChanged, this, [this, later](Side side) {
        if (!session_.side(side).pending) later();
    });
    connect(&session_.panes(), &PaneData::regionChanged, this, &SelectionPanel::showStatistics);
    showStatistics();
}

QString SelectionPanel::text() const { return text_->text(); }

void SelectionPanel::request() { session_.requestRegion(view_.selection()); }

void SelectionPanel::showStatistics() {
    const auto& region = session_.panes().region();
    if (!region) return text_->setText(tr("No selection. Shift+drag over an image, or press S and drag; Ctrl+A selects everything."));
    const QRect& p = region->pixels;
    QString table =
        QStringLiteral("<tr><td></td>") + cell(tr("min")) + cell(tr("max")) + cell(tr("mean")) + cell(tr("σ")) + QStringLiteral("</tr>");
    const auto add = [&](const QString& image, const std::vector<ChannelStatistics>& channels) {
        for (const ChannelStatistics& s : channels) {
            table += QStringLiteral("<tr><td>%1 %2</td>").arg(image, QString::fromStdString(s.channel).toHtmlEscaped());
            if (s.finite == 0) table += cell(tr("no finite samples"));
            else
                table += cell(formatError(s.minimum)) + cell(formatError(s.maximum)) + cell(ui::formatError(s.mean)) +
                         cell(ui::formatError(s.deviation));
            table += QStringLiteral("</tr>");
            if (s.finite > 0 && s.notFinite > 0)
                table += QStringLiteral("<tr><td></td><td colspan='4' align='right'>%1</td></tr>")
                             .arg(tr("%1 NaN or infinite").arg(formatCount(s.notFinite)));
        }
    };
    if (region->a.empty() && region->b.empty()) add(tr("Original"), region->original);
    const QString reference = letterOf(session_.comparison().reference()), subject = letterOf(session_.comparison().subject());
    add(reference, region->a);
    add(subject, region->b);
    QString text = tr("%1 pixels from x %2, y %3").arg(formatExtent(p.width(), p.height(), 1)).arg(p.left()).arg(p.top());
    text += QStringLiteral("<table cellspacing='0'>%1</table>").arg(table);
    if (region->difference)
        text += tr("%1 − %2: max %3, RMSE %4")
                    .arg(subject, reference, ui::formatError(region->difference->maxAbs), ui::formatError(region->difference->rmse));
    text_->setText(text);
}

}  // namespace parallax::ui
