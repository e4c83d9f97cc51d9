// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how many pictures a second a rendering shows while a user turns it: mouse events come every 8 ms, in the application's window of
// 1920 x 1080 with three planes and the rendering of one volume. Then renders in full resolution, one picture after another, as often as
// possible. Targets, drawn in software: 30 a second on a GPU, 10 (coarser) with two processors.
//   bench_volume_rendering [--size N] [--seconds S] [--backend automatic|cpu]     N^3 float, a head phantom; QT_QPA_PLATFORM=offscreen
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QStandardPaths>
#include <QThread>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <QCommandLineParser>
#include "core/engine/backend/catalog.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/shell/main_window.hpp"

namespace {

using namespace parallax;
using namespace parallax::ui;

void settle(MainWindow& window) {
    do QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    while (!window.settled());
}

void sendMouse(RenderPane& pane, QEvent::Type type, QPointF at) {
    const bool move = type == QEvent::MouseMove;
    QMouseEvent event(type, at, pane.mapToGlobal(at), move ? Qt::NoButton : Qt::LeftButton,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&pane, &event);
}

struct Turn {
    double perSecond = 0, width = 0, longestWait = 0;  ///< wait of the window for its own events, ms
};

Turn turn(RenderPane& pane, double seconds) {
    int pictures = 0;
    double widths = 0;
    const auto counted = QObject::connect(&pane, &RenderPane::pictureChanged, [&] {
        ++pictures;
        widths += static_cast<double>(pane.picture()->shape().width);
    });
    Turn result;
    QElapsedTimer clock, event;
    clock.start();
    QPointF at = pane.rect().center();
    sendMouse(pane, QEvent::MouseButtonPress, at);
    while (clock.elapsed() < 1000 * seconds) {
        const double time = static_cast<double>(clock.elapsed()) / 1000;
        event.start();
        sendMouse(pane, QEvent::MouseMove, at + QPointF(80 * std::sin(time), 40 * std::sin(0.7 * time)));
        QCoreApplication::processEvents();
        result.longestWait = std::max(result.longestWait, static_cast<double>(event.nsecsElapsed()) / 1e6);
        QThread::msleep(8);
    }
    sendMouse(pane, QEvent::MouseButtonRelease, at);
    QObject::disconnect(counted);
    result.perSecond = pictures / (static_cast<double>(clock.elapsed()) / 1000);
    result.width = widths / std::max(1, pictures);
    return result;
}

/// Pictures a second in the resolution of the pane, each of another camera.
double fullPerSecond(MainWindow& window, RenderPane& pane, double seconds) {
    const Settings& settings = Settings::instance();
    LiveRenderer renderer(window.session().engine(), window.session().catalog().operation("render"), pane.image(),
                          settings.rendersOnProcessor(), settings.device());
    ParameterBlock parameters = pane.fullParameters();
    RunContext context;
    (void)renderer.render(parameters, false, context);
    QElapsedTimer clock;
    clock.start();
    int pictures = 0;
    for (; pictures < 2 || static_cast<double>(clock.elapsed()) < 1000 * seconds; ++pictures) {
        parameters.set("azimuth", static_cast<double>(pictures % 120 * 3 - 180));
        (void)renderer.render(parameters, false, context);
    }
    return pictures / (static_cast<double>(clock.nsecsElapsed()) / 1e9);
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QCommandLineParser parser;
    parser.addOptions({{QStringLiteral("size"), QString(), QStringLiteral("N"), QStringLiteral("256")},
                       {QStringLiteral("seconds"), QString(), QStringLiteral("S"), QStringLiteral("4")},
                       {QStringLiteral("backend"), QString(), QStringLiteral("NAME"), QStringLiteral("automatic")}});
    parser.process(application);
    const int size = std::max(32, parser.value(QStringLiteral("size")).toInt());
    const double seconds = std::max(0.5, parser.value(QStringLiteral("seconds")).toDouble());
    Settings::instance().set(QStringLiteral("compute/rendering"), parser.value(QStringLiteral("backend")));
    MainWindow window(processCatalog());
    window.resize(1920, 1080);
    window.show();
    window.session().pipeline().setEnabled(0, false);
    window.openInputs({QStringLiteral("synthetic:shepp-logan:%1x%1x%1").arg(size)});
    settle(window);
    if (!window.showsVolume()) {
        std::fputs("the volume did not open\n", stderr);
        return 2;
    }
    window.findChild<QAction*>(QStringLiteral("original"))->setChecked(false);
    window.setViewName(QStringLiteral("single"));
    window.findChild<QAction*>(QStringLiteral("rendering"))->trigger();
    settle(window);
    RenderState& state = window.volumeView().renderings().state();
    RenderPane& pane = window.volumeView().renderings().pane(PaneRole::a);
    std::printf("%d^3 float, pane of %d x %d, rendered by %s\n", size, pane.width(), pane.height(), pane.backend().c_str());
    const double target = pane.backend() == "cuda" ? 30 : 10;
    state.set("curve", std::string("0.1:0:#4f86c6 0.22:0.01:#c0504d 0.3:0.2:#e46c5a 0.8:0.5:#f5e6c8"));
    bool good = true;
    for (const char* mode : {"maximum", "mean", "surface", "transfer"}) {
        state.setMode(mode, 0.15);
        settle(window);
        turn(pane, 1);  // the sizes of pictures settle
        const Turn found = turn(pane, seconds);
        settle(window);
        std::printf(
            "%-10s %5.1f pictures a second, %4.0f pixels wide on average; the window waits %.1f ms at most; full resolution alone: %.1f a "
            "second\n",
            mode, found.perSecond, found.width, found.longestWait, fullPerSecond(window, pane, seconds / 4));
        good = good && found.perSecond >= target;
    }
    std::printf("target: %.0f pictures a second\n", target);
    return good ? 0 : 1;
}
