// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/selection_panel.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>
#include <functional>
#include <vector>

#include "ui/models/document/formatting.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/box_edit.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kDelayMilliseconds = 40;  // delay while dragging
constexpr double kNumberRoom = 7;       // widths of a digit

QString cell(const QString& text) { return QStringLiteral("<td align='right' style='padding-left:8px'>%1</td>").arg(text); }

/// A channel of one of the images, with its name.
struct Column {
    QString title;
    const ChannelStatistics* statistics;
};

/// The original if there are no results, else both results and their difference.
std::vector<Column> columnsOf(const RegionStatistics& region, const QString& reference, const QString& subject) {
    std::vector<Column> columns;
    const auto add = [&](const QString& image, const std::vector<ChannelStatistics>& channels) {
        for (const ChannelStatistics& s : channels) {
            const QString channel = channels.size() > 1 ? QLatin1Char(' ') + QString::fromStdString(s.channel) : QString();
            columns.push_back({image + channel, &s});
        }
    };
    if (region.a.empty() && region.b.empty()) add(SelectionPanel::tr("Original"), region.original);
    add(reference, region.a);
    add(subject, region.b);
    add(QStringLiteral("%1 − %2").arg(subject, reference), region.bMinusA);
    return columns;
}

/// A statistic with its title.
struct Line {
    QString title;
    std::function<double(const ChannelStatistics&)> value;
};

std::vector<Line> statisticLines() {
    std::vector<Line> lines{{SelectionPanel::tr("mean"), [](const ChannelStatistics& s) { return s.mean; }},
                            {SelectionPanel::tr("σ"), [](const ChannelStatistics& s) { return s.deviation; }},
                            {SelectionPanel::tr("min"), [](const ChannelStatistics& s) { return s.minimum; }}};
    for (std::size_t i = 0; i < kPercentiles.size(); ++i)
        lines.push_back({kPercentiles[i] == 50 ? SelectionPanel::tr("median") : SelectionPanel::tr("%1 %").arg(kPercentiles[i]),
                         [i](const ChannelStatistics& s) { return s.percentiles[i]; }});
    lines.push_back({SelectionPanel::tr("max"), [](const ChannelStatistics& s) { return s.maximum; }});
    return lines;
}

}  // namespace

SelectionPanel::SelectionPanel(Session& session, ViewState& view, VolumeState& volume, QWidget* parent)
    : QWidget(parent),
      session_(session),
      view_(view),
      volume_(volume),
      text_(new QLabel),
      copy_(iconButton(QStringLiteral("copy"), tr("Copy all statistics as a table"))),
      delay_(new QTimer(this)) {
    auto* layout = makeLayout<QVBoxLayout>(this);
    layout->addWidget(text_);
    layout->addWidget(copy_, 0, Qt::AlignRight);
    copy_->setObjectName(QStringLiteral("copySelection"));
    connect(copy_, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(table()); });
    text_->setTextFormat(Qt::RichText);
    text_->setWordWrap(true);
    selectable(text_);
    described(text_, tr("Statistics of the selection"),
              tr("Finite samples of the selection; σ is their standard deviation, percentages are percentiles"));
    delay_->setSingleShot(true);
    delay_->setInterval(kDelayMilliseconds);
    connect(delay_, &QTimer::timeout, this, &SelectionPanel::request);
    const auto later = [this] { delay_->start(); };
    connect(&view_, &ViewState::selectionChanged, this, later);
    connect(&volume_, &VolumeState::boxChanged, this, later);
    connect(&session_, &Session::originalChanged, this, later);
    connect(&session_.comparison(), &Comparison::differenceChanged, this, later);
    connect(&session_.comparison(), &Comparison::sideChanged, this, [this, later](Side side) {
        if (!session_.side(side).pending) later();
    });
    connect(&session_.panes(), &PaneData::regionChanged, this, &SelectionPanel::showStatistics);
    showStatistics();
}

QString SelectionPanel::text() const { return text_->text(); }

bool SelectionPanel::isVolume() const { return session_.original() && session_.original()->isVolume(); }

void SelectionPanel::request() { session_.requestRegion(isVolume() ? volume_.box().value_or(SampleBox{}) : boxOf(view_.selection())); }

void SelectionPanel::showStatistics() {
    const auto& region = session_.panes().region();
    copy_->setVisible(region != nullptr);
    if (region) return text_->setText(isVolume() ? boxText(*region) : rectangleText(*region));
    text_->setText(isVolume() ? tr("No selection. Press S and drag over a plane to draw a box; Ctrl+A selects everything.")
                              : tr("No selection. Shift+drag over an image, or press S and drag; Ctrl+A selects everything."));
}

QString SelectionPanel::boxText(const RegionStatistics& region) const {
    const QString reference = letterOf(session_.comparison().reference()), subject = letterOf(session_.comparison().subject());
    const SampleBox& box = region.box;
    QString text = tr("%1 voxels from x %2, y %3, z %4")
                       .arg(formatExtent(box.extent[0], box.extent[1], box.extent[2]))
                       .arg(box.first[0])
                       .arg(box.first[1])
                       .arg(box.first[2]);
    const QString count = formatCount(static_cast<std::uint64_t>(box.samples()));
    text += QStringLiteral("<br>");
    if (volume_.frame().geometry()) text += tr("%1 voxels, %2 mm³").arg(count, formatSample(volumeOf(box, volume_.frame())));
    else text += tr("%1 voxels").arg(count);
    const std::vector<Column> columns = columnsOf(region, reference, subject);
    QString table = QStringLiteral("<tr><td></td>");
    for (const Column& column : columns) table += cell(column.title.toHtmlEscaped());
    for (const Line& line : statisticLines()) {
        table += QStringLiteral("</tr><tr><td>%1</td>").arg(line.title);
        for (const Column& column : columns)
            table += cell(column.statistics->finite > 0 ? formatShort(line.value(*column.statistics), kNumberRoom) : QStringLiteral("–"));
    }
    text += QStringLiteral("<table cellspacing='0'>%1</tr></table>").arg(table);
    for (const Column& column : columns)
        if (column.statistics->notFinite > 0)
            text += tr("%1: %2 NaN or infinite").arg(column.title.toHtmlEscaped(), formatCount(column.statistics->notFinite)) +
                    QStringLiteral("<br>");
    if (region.difference)
        text += tr("%1 − %2: max %3, RMSE %4")
                    .arg(subject, reference, ui::formatError(region.difference->maxAbs), ui::formatError(region.difference->rmse));
    return text;
}

QString SelectionPanel::table() const {
    const auto& region = session_.panes().region();
    if (!region) return {};
    const QString reference = letterOf(session_.comparison().reference()), subject = letterOf(session_.comparison().subject());
    const std::vector<Column> columns = columnsOf(*region, reference, subject);
    const auto number = [](double value) { return QString::number(value, 'g', 9); };
    QStringList rows;
    const auto add = [&](const QString& title, auto&& value) {
        QStringList cells{title};
        for (const Column& column : columns) cells << value(column);
        rows << cells.join(QLatin1Char('\t'));
    };
    const SampleBox& box = region->box;
    const QString axes = QStringLiteral("xyz");
    for (std::size_t a = 0; a < 3; ++a)
        rows << QStringLiteral("%1\t%2\t%3").arg(axes[static_cast<qsizetype>(a)]).arg(box.first[a]).arg(box.last(a));
    if (isVolume() && volume_.frame().geometry()) rows << tr("mm³") + QLatin1Char('\t') + number(volumeOf(box, volume_.frame()));
    add({}, [](const Column& c) { return c.title; });
    add(tr("finite"), [](const Column& c) { return QString::number(c.statistics->finite); });
    add(tr("NaN or infinite"), [](const Column& c) { return QString::number(c.statistics->notFinite); });
    for (const Line& line : statisticLines())
        add(line.title, [&](const Column& c) { return c.statistics->finite > 0 ? number(line.value(*c.statistics)) : QString(); });
    return rows.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString SelectionPanel::rectangleText(const RegionStatistics& region) const {
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
    if (region.a.empty() && region.b.empty()) add(tr("Original"), region.original);
    const QString reference = letterOf(session_.comparison().reference()), subject = letterOf(session_.comparison().subject());
    add(reference, region.a);
    add(subject, region.b);
    const SampleBox& box = region.box;
    QString text = tr("%1 pixels from x %2, y %3").arg(formatExtent(box.extent[0], box.extent[1])).arg(box.first[0]).arg(box.first[1]);
    text += QStringLiteral("<table cellspacing='0'>%1</table>").arg(table);
    if (region.difference)
        text += tr("%1 − %2: max %3, RMSE %4")
                    .arg(subject, reference, ui::formatError(region.difference->maxAbs), ui::formatError(region.difference->rmse));
    return text;
}

}  // namespace parallax::ui
