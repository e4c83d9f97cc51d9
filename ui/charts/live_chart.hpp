// SPDX-License-Identifier: GPL-3.0-or-later
// Every single run as it arrives: drift, outliers and warming up are seen at once.
#pragma once

#include <memory>

#include "core/engine/run/run_record.hpp"
#include "ui/charts/chart.hpp"

namespace parallax::ui {

class LiveChart : public Chart {
    Q_OBJECT
public:
    explicit LiveChart(QWidget* parent = nullptr);
    void setRecord(std::shared_ptr<const RunRecord> record, const QString& source);
    /// One row a run: all of them, also where the chart has no room for each.
    QString csv() const override;

protected:
    void draw() override;

private:
    std::shared_ptr<const RunRecord> record_;
    QString source_;
};

}  // namespace parallax::ui
