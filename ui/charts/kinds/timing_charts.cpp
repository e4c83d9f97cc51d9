// SPDX-License-Identifier: GPL-3.0-or-later
// Names and help of the charts; each is drawn in a file of its own.
#include "ui/charts/kinds/timing_charts.hpp"

namespace parallax::ui {

StageChart::StageChart(QWidget* parent)
    : ChartOf(QStringLiteral("stages"), tr("Stages chart"),
              tr("Median time of each stage, per backend. The whole bar is end to end, the solid part is compute. Double-click a "
                 "bar, or press Enter, to show that run in B; right-click for more."),
              parent) {
    rebuild();
}

SpeedupChart::SpeedupChart(QWidget* parent)
    : ChartOf(QStringLiteral("speedup"), tr("Speedup chart"),
              tr("Time of the baseline divided by the time of each backend, with 95 % intervals. Wrong results have no bar. Double-click "
                 "a bar, or press Enter, to show that run in B; right-click for more."),
              parent) {
    rebuild();
}

LiveChart::LiveChart(QWidget* parent)
    : RecordChart(
          QStringLiteral("runs"), tr("Chart of runs"),
          tr("Compute time of every timing sample, in order. A trend means drift, isolated points are disturbances; none is dropped."),
          parent) {
    rebuild();
}

TimelineChart::TimelineChart(QWidget* parent)
    : RecordChart(
          QStringLiteral("timeline"), tr("Timeline chart"),
          tr("Start and end of each stage in the run with the median time, per backend. Stages that overlap in time are drawn below each "
             "other. Gaps are time between stages."),
          parent) {
    rebuild();
}

ConvergenceChart::ConvergenceChart(const Catalog& catalog, QWidget* parent)
    : ChartOf(
          QStringLiteral("convergence"), tr("Convergence chart"),
          tr("Residual of iterative operations after each iteration of their first run, per backend. The dashed line is the tolerance at "
             "which a run ends. Double-click a point, or select it with the arrow keys and press Enter, to show that run in B."),
          parent),
      catalog_(catalog) {
    rebuild();
}

LapsChart::LapsChart(const Catalog& catalog, QWidget* parent)
    : RecordChart(
          QStringLiteral("parts"), tr("Chart of parts"),
          tr("Parts of the compute stage of the last timing sample, per backend, such as the passes of a solver. Double-click a bar, "
             "or press Enter, to show that run in B; right-click for more."),
          parent),
      catalog_(catalog) {
    rebuild();
}

ScalingChart::ScalingChart(QWidget* parent)
    : ChartOf(
          QStringLiteral("scaling"), tr("Scaling chart"),
          tr("Speedup of compute over one thread, with 95 % intervals. The straight line is ideal scaling. Thin lines are Amdahl's law "
             "with the serial share that fits best. Dashed coloured lines are predictions of the cost model for more parts; nothing was "
             "measured there."),
          parent) {
    rebuild();
}

SweepChart::SweepChart(const Catalog& catalog, QWidget* parent)
    : ChartOf(QStringLiteral("sweep"), tr("Sweep chart"),
              tr("Median time of each backend over the values of the sweep, with 95 % intervals. A dashed line marks where the fastest "
                 "backend changes. Double-click a point, or select it with the arrow keys and press Enter, to show that run in B: a "
                 "generated image is opened in that size, in other images the measured part is selected."),
              parent),
      catalog_(catalog) {
    rebuild();
}

RooflineChart::RooflineChart(const Catalog& catalog, QWidget* parent)
    : ChartOf(QStringLiteral("roofline"), tr("Roofline chart"),
              tr("Operations per second over operations per byte. Slanted lines are measured memory bandwidths, level lines measured "
                 "arithmetic rates. Operations and bytes follow a model of the least work; no hardware counters are read. Large filled "
                 "points: last benchmark; small connected points: last sweep. Double-click a point to show that run in B."),
              parent),
      catalog_(catalog) {
    rebuild();
}

CompareChart::CompareChart(QWidget* parent)
    : ChartOf(
          QStringLiteral("history"), tr("Comparison with a past run"),
          tr("Current compute time divided by that of the selected past run, with 95 % intervals. Bars left of the line are faster than "
             "before."),
          parent) {
    rebuild();
}

}  // namespace parallax::ui
