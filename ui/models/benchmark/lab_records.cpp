// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/benchmark/lab_records.hpp"

#include <QCoreApplication>

#include "ui/models/pipeline/catalog_text.hpp"

namespace parallax::ui {

std::shared_ptr<const LabRecords> makeLabRecords(std::vector<RunRecord> records, const QString& source) {
    LabRecords lab;
    lab.series = seriesOf(records);
    lab.computeCrossings = crossovers(lab.series, Time::compute);
    lab.endToEndCrossings = crossovers(lab.series, Time::endToEnd);
    lab.source = source;
    lab.records = std::move(records);
    return std::make_shared<const LabRecords>(std::move(lab));
}

QString axisTitle(const Catalog& catalog, const std::string& axis) {
    if (axis == "size") return QCoreApplication::translate("lab", "Width and height [px]");
    if (axis == "threads") return QCoreApplication::translate("lab", "Threads");
    if (axis == "parts") return QCoreApplication::translate("lab", "Parts");
    if (axis == "weak") return QCoreApplication::translate("lab", "Parts, growing image");
    const auto dot = axis.find('.');
    for (const auto& operation : catalog.operations()) {
        if (dot == std::string::npos || operation->id() != axis.substr(0, dot)) continue;
        const int index = operation->parameters().find(axis.substr(dot + 1));
        if (index < 0) continue;
        const ParameterInfo& info = operation->parameters().infos()[static_cast<std::size_t>(index)];
        const QString title = QCoreApplication::translate("lab", "%1: %2").arg(catalogText(operation->title()), catalogText(info.title));
        return info.unit.empty() ? title : title + QStringLiteral(" [%1]").arg(QString::fromStdString(info.unit));
    }
    return QString::fromStdString(axis);
}

}  // namespace parallax::ui
