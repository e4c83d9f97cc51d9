// SPDX-License-Identifier: GPL-3.0-or-later
// How long from a moved slider to the new picture in the window, and how long does an event have to wait meanwhile? A slider
// is moved as a person does, again and again before everything has come to rest; a timer of one millisecond watches the event
// loop. Targets on a machine with two cores, 2048 x 2048 RGB, 7 x 7 weights, openmp: 60 ms, and no event waits more than 16 ms.
//   bench_live_preview [SIZE [MOVES]]     QT_QPA_PLATFORM=offscreen as run.sh does
#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "parallax/engine/catalog.hpp"
#include "parallax/ui/compare/compare_view.hpp"
#include "parallax/ui/theme/theme.hpp"
#include "parallax/ui/window/main_window.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

double milliseconds(const QElapsedTimer& clock) { return static_cast<double>(clock.nsecsElapsed()) / 1e6; }

/// Remembers which event took longest: the one to look at when others have to wait.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        const QEvent::Type type = event->type();
        const char* name = receiver->metaObject()->className();
        QElapsedTimer clock;
        clock.start();
        const bool done = QApplication::notify(receiver, event);
        if (const double time = milliseconds(clock); watching && time > slowest) {
            slowest = time;
            std::snprintf(what, sizeof what, "%s, event %d", name, static_cast<int>(type));
        }
        return done;
    }
    bool watching = false;
    double slowest = 0;
    char what[200] = "";
};

double percentile(std::vector<double> values, double p) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

void rest(MainWindow& window) {
    while (!window.settled()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

}  // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    TimedApplication application(argc, argv);
    const int size = argc > 1 ? std::max(16, std::atoi(argv[1])) : 2048, moves = argc > 2 ? std::max(2, std::atoi(argv[2])) : 40;
    applyTheme(ThemeChoice::light);
    MainWindow window(processCatalog());
    window.resize(1600, 1000);
    window.show();
    Session& session = window.session();
    session.setTarget(Side::a, QStringLiteral("openmp"));
    session.setTarget(Side::b, QStringLiteral("openmp"));
    Pipeline pipeline;
    pipeline.steps.push_back(parseStep(session.catalog(), "convolve:kernel=gaussian,size=7"));
    session.pipeline().setPipeline(std::move(pipeline));
    window.openInputs({QStringLiteral("synthetic:noise:%1x%1,channels=3").arg(size)});
    rest(window);

    // The longest time that a due timer waits is what any other event would have to wait.
    double longestWait = 0;
    QElapsedTimer sinceTick;
    QTimer watchdog;
    watchdog.setTimerType(Qt::PreciseTimer);
    QObject::connect(&watchdog, &QTimer::timeout, [&] {
        longestWait = std::max(longestWait, milliseconds(sinceTick) - 1);
        sinceTick.start();
    });
    sinceTick.start();
    watchdog.start(1);
    application.watching = true;

    std::vector<double> toPicture, toRest;
    const ImagePane& pane = window.compareView().pane(PaneRole::a);
    for (int i = 0; i < moves; ++i) {
        const ImagePtr before = pane.pyramid()->image();
        QElapsedTimer clock;
        clock.start();
        session.pipeline().setParameter(0, "sigma", ParameterValue(1 + 0.05 * i));
        while (pane.pyramid()->image() == before || !pane.settled()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
        toPicture.push_back(milliseconds(clock));
        // Every second time the next move comes before the rest of the work is done.
        if (i % 2 == 0) continue;
        rest(window);
        toRest.push_back(milliseconds(clock));
    }
    std::printf("%d x %d RGB, gaussian 7 x 7, openmp on both sides, %d moves of a slider\n", size, size, moves);
    std::printf("to the new picture  median %.1f ms, 95 %% %.1f ms, longest %.1f ms (target: 60 ms)\n", percentile(toPicture, 0.5),
                percentile(toPicture, 0.95), percentile(toPicture, 1));
    std::printf("until all is shown  median %.1f ms (both sides, difference, check against the reference unless it takes too long)\n",
                percentile(toRest, 0.5));
    std::printf("longest wait of an event %.1f ms (target: 16 ms); slowest event %.1f ms: %s\n", longestWait, application.slowest,
                application.what);
    return percentile(toPicture, 0.95) <= 60 && longestWait <= 16 ? 0 : 1;
}
