// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the time from accepting a contact sheet of nine values until all nine pictures are on screen, complete. Target on two cores,
// openmp: 1 s for 2048 x 2048 RGB.
//   bench_contact_sheet [SIZE [ROUNDS]]     QT_QPA_PLATFORM=offscreen as run.sh does
#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "ui/compare/compare_view.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/models/sheet/sheet_values.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/shell/main_window.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr double kTarget = 1000;  // ms

bool complete(MainWindow& window) {
    const Session& session = window.session();
    for (const Side side : session.sides()) {
        const ImagePane& pane = window.compareView().pane(roleOf(side));
        const SideState& state = session.side(side);
        if (state.pending || !state.result || !pane.pyramid() || pane.pyramid()->image() != state.result->image) return false;
        if (!pane.isVisible() || !pane.settled()) return false;
    }
    return session.sides().size() == static_cast<std::size_t>(kMaxSides);
}

}  // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    const int size = argc > 1 ? std::max(16, std::atoi(argv[1])) : 2048;
    const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
    applyTheme(ThemeChoice::light);
    MainWindow window(processCatalog());
    window.resize(1600, 1000);
    window.show();
    Session& session = window.session();
    for (const Side side : {Side::a, Side::b}) session.setTarget(side, QStringLiteral("openmp"));
    Pipeline pipeline;
    pipeline.steps.push_back(parseStep(session.catalog(), "convolve:kernel=gaussian,size=13,sigma=2"));
    session.pipeline().setPipeline(pipeline);
    window.openInputs({QStringLiteral("synthetic:noise:%1x%1,channels=3").arg(size)});
    const auto rest = [&] {
        while (!window.settled()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    };
    rest();
    std::vector<ParameterValue> values;
    for (int i = 0; i < kMaxSides; ++i) values.emplace_back(0.5 + 0.5 * i);
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        QElapsedTimer clock;
        clock.start();
        showSheet(session.pipeline(), sheetSteps(pipeline, 0, "sigma", values), QStringLiteral("Contact sheet"));
        while (!complete(window)) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        session.cancel();  // checks against the reference
        closeSheet(session.pipeline());
        rest();
    }
    std::sort(times.begin(), times.end());
    std::printf(
        "%d x %d RGB, 9 values of sigma, Gaussian 13 x 13, openmp: on screen in %.0f ms (median of %d), longest %.0f ms (target: %.0f)\n",
        size, size, times[times.size() / 2], rounds, times.back(), kTarget);
    return times[times.size() / 2] <= kTarget ? 0 : 1;
}
