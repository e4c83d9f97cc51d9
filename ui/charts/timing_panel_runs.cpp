// SPDX-License-Identifier: GPL-3.0-or-later
// Shows in a pane what a run of a chart computed.
#include <QFileInfo>

#include "core/image/synthetic.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/step_text.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {

QString TimingPanel::showInput(const RunRecord& record) {
    const Image& shown = *session_.original();
    const Shape& size = record.input.shape;
    const QString extent = formatExtent(size.width, size.height, size.depth);
    const std::string& name = record.input.name;
    if (isSynthetic(name) && isSynthetic(shown.source.path) && parseSynthetic(name).kind == parseSynthetic(shown.source.path).kind) {
        // Opening an image would stop the measurement.
        if (session_.measuring())
            return tr("That run used an image generated at %1. It can be opened when the current measurement has finished.").arg(extent);
        session_.open(QString::fromStdString(name));
        return tr("Opened the image generated at %1 that this run used.").arg(extent);
    }
    if (name != shown.source.path || isSynthetic(name))
        return tr("That run used another image: %1, %2.").arg(QFileInfo(QString::fromStdString(name)).fileName(), extent);
    const QRect part = QRect(0, 0, static_cast<int>(size.width), static_cast<int>(size.height)) &
                       QRect(0, 0, static_cast<int>(shown.shape().width), static_cast<int>(shown.shape().height));
    if (part.width() < size.width || part.height() < size.height)
        return tr("That run used this image, repeated and cropped to %1. The pane shows the result of the original image.").arg(extent);
    emit partChosen(part);
    return tr("That run used the selected part, %1. The pane shows the result of the whole image; it differs at the edges of the part and "
              "for operations that use statistics of the whole image.")
        .arg(extent);
}

QStringList TimingPanel::useRun(const RunRecord& record, const Target& target, Side side) {
    PipelineModel& pipeline = session_.pipeline();
    CompareSetup setup = pipeline.setup();
    QString edit = tr("Show %1 in %2").arg(QString::fromStdString(target.label()), letterOf(side));
    QStringList remarks;
    // A point of a sweep over a parameter has its own value; using it is an edit that can be undone.
    const std::string& axis = record.sweep.axis;
    const auto dot = axis.find('.');
    for (Step& step : setup.stepsOf(side).steps) {
        if (dot == std::string::npos || step.operation->id() != axis.substr(0, dot) ||
            step.parameters.text(axis.substr(dot + 1)) == record.sweep.value)
            continue;
        step.parameters.setText(axis.substr(dot + 1), record.sweep.value);
        edit = QStringLiteral("%1 → %2").arg(axisTitle(session_.catalog(), axis), QString::fromStdString(record.sweep.value));
        remarks << tr("The pipeline now uses %1, as at this point. Undo reverts this.").arg(edit);
    }
    // Two panes with the same result show nothing: they exchange their backends instead.
    PaneSetup &pane = setup.pane(side), &opposite = setup.pane(side == Side::a ? Side::b : Side::a);
    if (opposite.target == target && pane.target != target) {
        opposite.target = pane.target;
        opposite.automatic = false;
    }
    pane.target = target;
    pane.automatic = false;
    pipeline.replaceSetup(std::move(setup), edit);
    return remarks;
}

void TimingPanel::showRun(const RunRecord& record, int entry, Side side) {
    if (entry < 0 || entry >= static_cast<int>(record.entries.size()) || !session_.original()) return;
    const RunEntry& e = record.entries[static_cast<std::size_t>(entry)];
    const QString label = QString::fromStdString(e.label);
    QStringList remarks;
    const QString source = QStringLiteral("show run");
    try {
        const Backend& backend = session_.catalog().backend(targetOfLabel(e.label).backend);
        if (!backend.availability().yes)
            throw Error(ErrorCode::unavailable, "'" + e.label + "' is not available here", backend.availability().reason);
        remarks = useRun(record, targetOfLabel(e.label), side);
    } catch (const Error& error) {
        return session_.tasks().raise(toMessage(error, source));
    }
    if (record.input.shape != session_.original()->shape()) remarks << showInput(record);
    if (remarks.isEmpty()) return session_.tasks().clear(source);
    session_.tasks().raise(
        {Message::Kind::information, tr("%1 shows %2").arg(letterOf(side), label), remarks.join(QLatin1Char(' ')), {}, source});
}

}  // namespace parallax::ui
