// SPDX-License-Identifier: GPL-3.0-or-later
// Timeline of a typical run of each backend: start, end and overlap of its stages.
#pragma once

#include <memory>

#include "core/engine/run/run_record.hpp"
#include "ui/charts/chart.hpp"

namespace parallax::ui {

class TimelineChart : public Chart {
    Q_OBJECT
public:
    explicit TimelineChart(QWidget* parent = nullptr);
    void setRecord(std::shared_ptr<const RunRecord> record, const QString& source);

protected:
    void draw() override;

private:
    std::shared_ptr<const RunRecord> record_;
    QString source_;
};

}  // namespace parallax::ui
