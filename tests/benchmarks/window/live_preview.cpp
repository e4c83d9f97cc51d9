// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the time from a moved slider to the new picture, and how long events wait meanwhile. The slider moves repeatedly, before
// previous work is complete; a timer of one millisecond watches the event loop. Targets on two cores, openmp: 60 ms for 2048 x 2048 RGB
// with 7 x 7 weights, 100 ms for tone mapping 3840 x 2160 RGB, and no event waits more than 16 ms. For steps that iterate the new picture
// is a first one, if the window shows one; --op diffuse:weights=edges --parameter lambda has the target of 60 ms on a GPU.
//   bench_live_preview [--size WxH] [--moves N] [--op STEP --parameter KEY --from X --to Y] [--target MS] [--image FILE]
//                      [--backend NAME]
// QT_QPA_PLATFORM=offscreen as run.sh does. STEP as on the command line; KEY is the number that the slider moves. The default image is
// generated: noise for convolution, hdr-ramp for other operations, since noise has no highlights.
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <QCommandLineParser>
#include "core/engine/backend/catalog.hpp"
#include "core/image/error.hpp"
#include "tests/support/timed_application.hpp"
#include "ui/compare/compare_view.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/shell/main_window.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

double milliseconds(const QElapsedTimer& clock) { return static_cast<double>(clock.nsecsElapsed()) / 1e6; }

double percentile(std::vector<double> values, double p) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

/// Sleeps until an event arrives, as the application does; the watchdog timer wakes it. (With a timeout, processEvents() would poll and
/// take a CPU from the workers.)
void handleEvents() { QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents); }

/// Longest time in ms that the system or a hypervisor withholds the CPU from a busy thread.
double longestGap(double duration) {
    QElapsedTimer clock;
    clock.start();
    double last = 0, longest = 0;
    while (last < duration) {
        const double now = milliseconds(clock);
        longest = std::max(longest, now - last);
        last = now;
    }
    return longest;
}

void rest(MainWindow& window) {
    while (!window.settled()) handleEvents();
}

}  // namespace

int main(int argc, char** argv) {
    QStandardPaths::setTestModeEnabled(true);
    TimedApplication application(argc, argv);
    QCommandLineParser parser;
    const auto option = [&](const char* name, const char* value, const char* byDefault) {
        parser.addOption({QLatin1String(name), QString(), QLatin1String(value), QLatin1String(byDefault)});
    };
    option("size", "WxH", "2048x2048");
    option("moves", "N", "40");
    option("op", "STEP", "convolve:kernel=gaussian,size=7");
    option("parameter", "KEY", "sigma");
    option("from", "X", "1");
    option("to", "Y", "3");
    option("target", "MS", "60");
    option("image", "FILE", "");
    option("backend", "NAME", "openmp");
    parser.process(application);
    const QString step = parser.value("op"), key = parser.value("parameter");
    const int moves = std::max(2, parser.value("moves").toInt());
    const double from = parser.value("from").toDouble(), to = parser.value("to").toDouble(), target = parser.value("target").toDouble();
    const QString kind = step.startsWith(QLatin1String("convolve")) ? QStringLiteral("noise") : QStringLiteral("hdr-ramp");
    const QString input = parser.value("image").isEmpty() ? QStringLiteral("synthetic:%1:%2,channels=3").arg(kind, parser.value("size"))
                                                          : parser.value("image");
    applyTheme(ThemeChoice::light);
    MainWindow window(processCatalog());
    window.resize(1600, 1000);
    window.show();
    Session& session = window.session();
    const QString backend = parser.value("backend");
    for (const Side side : {Side::a, Side::b}) session.setTarget(side, backend);
    Pipeline pipeline;
    try {
        pipeline.steps.push_back(parseStep(session.catalog(), step.toStdString()));
        (void)pipeline.steps.front().parameters.get(key.toStdString());
    } catch (const Error& e) {
        std::fprintf(stderr, "--op or --parameter: %s\n", e.what());
        return 2;
    }
    session.pipeline().setPipeline(std::move(pipeline));
    // The longest delay of a due timer is the longest delay of any event.
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
    window.openInputs({input});
    rest(window);
    if (!session.original() || session.side(Side::a).error) {
        std::fprintf(stderr, "no result: %s\n",
                     session.side(Side::a).error ? qPrintable(session.side(Side::a).error->plainText()) : "no image");
        return 2;
    }
    const Shape shape = session.original()->shape();

    longestWait = 0;
    application.watch();
    QElapsedTimer sinceStart;
    sinceStart.start();

    std::vector<double> toPicture, toResult, toRest, waits;  // waits: the longest of each move
    int first = 0;                                           // number of moves with a first picture
    const ImagePane& pane = window.compareView().pane(PaneRole::a);
    for (int i = 0; i < moves; ++i) {
        const ImagePtr before = pane.pyramid()->image();
        QElapsedTimer clock;
        clock.start();
        session.pipeline().setParameter(0, key.toStdString(), ParameterValue(from + (to - from) * i / moves));
        while (pane.pyramid()->image() == before || !pane.settled()) handleEvents();
        toPicture.push_back(milliseconds(clock));
        if (session.side(Side::a).first) ++first;
        // Every second time the next move comes before the rest of the work is done.
        if (i % 2 == 1) {
            while (session.side(Side::a).pending || !pane.settled()) handleEvents();
            toResult.push_back(milliseconds(clock));
            rest(window);
            toRest.push_back(milliseconds(clock));
        }
        waits.push_back(std::exchange(longestWait, 0));
    }
    const double watched = milliseconds(sinceStart);
    std::printf("%lld x %lld, %lld channels, %s, %s on both sides, %d moves of the slider of %s\n", static_cast<long long>(shape.width),
                static_cast<long long>(shape.height), static_cast<long long>(shape.channels), qPrintable(step), qPrintable(backend), moves,
                qPrintable(key));
    std::printf("to the new picture  median %.1f ms, 95 %% %.1f ms, longest %.1f ms (target: %g ms)\n", percentile(toPicture, 0.5),
                percentile(toPicture, 0.95), percentile(toPicture, 1), target);
    if (first > 0)
        std::printf("to the result       median %.1f ms, 95 %% %.1f ms (%d of %d new pictures were first pictures, which are refined)\n",
                    percentile(toResult, 0.5), percentile(toResult, 0.95), first, moves);
    std::printf("until all is shown  median %.1f ms (both sides, difference, check against the reference unless it takes too long)\n",
                percentile(toRest, 0.5));
    // For comparison: the longest wait of a loop that only reads the clock shows what the machine itself does.
    std::printf("longest wait of an event  95 %% of moves %.1f ms, median %.1f ms, longest of all %.1f ms (target: 16 ms)\n",
                percentile(waits, 0.95), percentile(waits, 0.5), percentile(waits, 1));
    std::printf("longest event %s; longest processor time of one %s; longest of those that waited for something %s\n",
                qPrintable(application.elapsed.text()), qPrintable(application.processor.text()), qPrintable(application.waited.text()));
    std::printf("what the machine takes from a thread that only looks at the clock, as long as the moves took: up to %.1f ms at a time\n",
                longestGap(watched));
    return percentile(toPicture, 0.95) <= target && percentile(waits, 1) <= 16 ? 0 : 1;
}
