// SPDX-License-Identifier: GPL-3.0-or-later
// Every timing sample as it arrives; shows drift, outliers and warm-up.
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
    /// One row per timing sample, including those that the chart has no room for.
    QString csv() const override;

protected:
    void draw() override;

private:
    std::shared_ptr<const RunRecord> record_;
    QString source_;
};

}  // namespace parallax::ui
