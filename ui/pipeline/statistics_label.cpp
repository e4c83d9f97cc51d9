// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/statistics_label.hpp"

#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {

StatisticsLabel::StatisticsLabel(Session& session, QWidget* parent) : QLabel(parent), session_(session) {
    setObjectName(QStringLiteral("statistics"));
    setAccessibleName(tr("Statistics of the last run:"));
    setTextFormat(Qt::RichText);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setForegroundRole(QPalette::PlaceholderText);
    setWordWrap(true);
    hide();
    connect(&session_, &Session::sideChanged, this, &StatisticsLabel::refresh);
}

void StatisticsLabel::setRow(int row) {
    row_ = row;
    refresh();
}

void StatisticsLabel::refresh() {
    const Pipeline& pipeline = session_.pipeline().pipeline();
    const SideState& a = session_.side(Side::a);
    const SideState& shown = a.result && !a.error ? a : session_.side(Side::b);
    const bool known =
        row_ >= 0 && row_ < static_cast<int>(pipeline.steps.size()) && pipeline.steps[static_cast<std::size_t>(row_)].enabled;
    QString rows, tips;
    if (known && shown.result && !shown.error && !shown.result->plan.empty()) {
        int step = 0;  // index among the enabled steps
        for (int i = 0; i < row_; ++i) step += pipeline.steps[static_cast<std::size_t>(i)].enabled;
        for (const StatisticRecord& f : shown.result->statistics) {
            if (f.step != step) continue;
            const QString title = catalogText(f.title).toHtmlEscaped(), unit = QString::fromStdString(f.unit).toHtmlEscaped();
            rows += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td align='right'>%2</td></tr>")
                        .arg(title, unit.isEmpty() ? formatSample(f.value) : formatSample(f.value) + QLatin1Char(' ') + unit);
            tips += QStringLiteral("<b>%1</b>: %2<br>").arg(title, catalogText(f.help).toHtmlEscaped());
        }
    }
    // Keep the old statistics until a new result arrives, so that the form does not move.
    if (rows.isEmpty() && shown.pending && isVisible()) return;
    setText(QStringLiteral("<table>%1</table>").arg(rows));
    setToolTip(rows.isEmpty() ? QString()
                              : QStringLiteral("<qt>%1</qt>").arg(tr("Statistics of the last run:") + QStringLiteral("<br>") + tips));
    setVisible(!rows.isEmpty());
}

}  // namespace parallax::ui
