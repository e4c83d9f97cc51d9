// SPDX-License-Identifier: GPL-3.0-or-later
// Energy of each sub-band on a logarithmic scale: result, and original where the operation changes the sub-bands.
#pragma once

#include <memory>
#include <vector>

#include "ui/charts/chart.hpp"
#include "ui/session/region_study.hpp"

namespace parallax::ui {

class EnergyChart : public Chart {
    Q_OBJECT
public:
    explicit EnergyChart(QWidget* parent = nullptr);
    /// Null: nothing to show.
    void setContent(std::shared_ptr<const StudiedRegions> content, int channel, std::vector<double> gains);

protected:
    void draw() override;

private:
    std::shared_ptr<const StudiedRegions> content_;
    int channel_ = 0;
    std::vector<double> gains_;
};

}  // namespace parallax::ui
