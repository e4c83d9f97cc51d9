// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how many coarse pictures a second a rendering shows while a user turns it: mouse events come every 16 ms, in the application's
// window of 1920 x 1080 with three planes and the rendering of one volume. Target: 10 a second with two processors, drawn in software.
//   bench_volume_rendering [SIZE [SECONDS]]     SIZE^3 float, a head phantom; QT_QPA_PLATFORM=offscreen
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

#include "core/engine/backend/catalog.hpp"
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
        QThread::msleep(16);
    }
    sendMouse(pane, QEvent::MouseButtonRelease, at);
    QObject::disconnect(counted);
    result.perSecond = pictures / (static_cast<double>(clock.elapsed()) / 1000);
    result.width = widths / std::max(1, pictures);
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    const int size = argc > 1 ? std::max(32, std::atoi(argv[1])) : 256;
    const double seconds = argc > 2 ? std::max(0.5, std::atof(argv[2])) : 4;
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
    std::printf("%d^3 float, pane of %d x %d\n", size, pane.width(), pane.height());
    state.set("curve", std::string("0.1:0:#4f86c6 0.22:0.01:#c0504d 0.3:0.2:#e46c5a 0.8:0.5:#f5e6c8"));
    bool good = true;
    for (const char* mode : {"maximum", "mean", "surface", "transfer"}) {
        state.setMode(mode, 0.15);
        settle(window);
        turn(pane, 1);  // the sizes of pictures settle
        const Turn found = turn(pane, seconds);
        settle(window);
        std::printf("%-10s %5.1f pictures a second, %4.0f pixels wide on average; the window waits %.1f ms at most\n", mode,
                    found.perSecond, found.width, found.longestWait);
        good = good && found.perSecond >= 10;
    }
    return good ? 0 : 1;
}
