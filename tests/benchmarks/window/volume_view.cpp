// SPDX-License-Identifier: GPL-3.0-or-later
// Measures frame times while a user scrolls through a large volume. Real wheel and mouse events go to the planes of the application's
// window of 1920 x 1080, panels included; a frame is an event with all its painting. Target: 95 % of the frames within 16.7 ms, drawn in
// software on one core.
//   bench_volume_view [SIZE [ROUNDS]]     SIZE^3 float; QT_QPA_PLATFORM=offscreen and taskset -c 0 as run.sh does
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QStandardPaths>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/shell/main_window.hpp"

namespace {

using namespace parallax;
using namespace parallax::ui;

constexpr double kFrame = 16.7;  // ms

class Frames {
public:
    explicit Frames(MainWindow& window) : window_(window) {}

    void wheel(VolumePane& pane, int delta, Qt::KeyboardModifiers modifiers = {}) {
        const QPointF at = pane.rect().center();
        QWheelEvent event(at, pane.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        frame(pane, event);
    }
    void mouse(VolumePane& pane, QEvent::Type type, QPointF at, Qt::MouseButton button) {
        const bool move = type == QEvent::MouseMove;
        QMouseEvent event(type, at, pane.mapToGlobal(at), move ? Qt::NoButton : button,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : button, Qt::NoModifier);
        frame(pane, event);
    }
    std::vector<double> times;  ///< ms

private:
    void frame(QWidget& target, QEvent& event) {
        QElapsedTimer clock;
        clock.start();
        QApplication::sendEvent(&target, &event);
        do QCoreApplication::processEvents();
        while (!window_.volumeView().settled());
        times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }
    MainWindow& window_;
};

bool report(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const auto at = [&](double p) { return times[static_cast<std::size_t>(p * static_cast<double>(times.size() - 1))]; };
    const auto within = std::upper_bound(times.begin(), times.end(), kFrame) - times.begin();
    std::printf("%-34s %4zu frames: median %5.2f ms, 95 %% %5.2f ms, longest %6.2f ms; %.1f %% within %.1f ms\n", what, times.size(),
                at(0.5), at(0.95), times.back(), 100.0 * static_cast<double>(within) / static_cast<double>(times.size()), kFrame);
    return at(0.95) <= kFrame;
}

void settle(MainWindow& window) {
    do QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    while (!window.settled());
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    const int size = argc > 1 ? std::max(32, std::atoi(argv[1])) : 512;
    const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 2;
    MainWindow window(processCatalog());
    window.resize(1920, 1080);
    window.show();
    window.session().pipeline().setEnabled(0, false);  // only the view is measured
    window.openInputs({QStringLiteral("synthetic:zone-plate:%1x%1x%1").arg(size)});
    settle(window);
    if (!window.showsVolume()) {
        std::fputs("the volume did not open\n", stderr);
        return 2;
    }
    std::printf("%d^3 float, %.0f MB, window of 1920 x 1080\n", size, 4e-6 * size * size * size);
    window.findChild<QAction*>(QStringLiteral("original"))->setChecked(false);
    bool good = true;
    for (const char* view : {"single", "compare"}) {
        window.setViewName(QLatin1String(view));
        settle(window);
        for (const PlaneKind kind : kAllPlanes) {
            VolumePane& pane = window.volumeView().pane(PaneRole::a, kind);
            window.volume().setCrosshair({size / 2, size / 2, size / 2});
            settle(window);
            Frames wheel(window);
            for (int round = 0; round < rounds; ++round) {
                for (int i = 0; i < 100; ++i) wheel.wheel(pane, 120);
                for (int i = 0; i < 100; ++i) wheel.wheel(pane, -120);
            }
            const QString what = QStringLiteral("%1, wheel, %2").arg(QLatin1String(view), planeName(kind, true).toLower());
            good = report(qPrintable(what), wheel.times) && good;
        }
    }
    // For information: actions that change everything at once or read more.
    window.setViewName(QStringLiteral("single"));
    settle(window);
    VolumePane& axial = window.volumeView().pane(PaneRole::a, PlaneKind::axial);
    for (const Qt::MouseButton button : {Qt::LeftButton, Qt::RightButton}) {
        Frames drag(window);
        QPointF at = axial.rect().center();
        drag.mouse(axial, QEvent::MouseButtonPress, at, button);
        for (int i = 0; i < 60; ++i) drag.mouse(axial, QEvent::MouseMove, at += QPointF(1, 1), button);
        for (int i = 0; i < 60; ++i) drag.mouse(axial, QEvent::MouseMove, at -= QPointF(1, 1), button);
        drag.mouse(axial, QEvent::MouseButtonRelease, at, button);
        (void)report(button == Qt::LeftButton ? "crosshair dragged, three planes" : "window dragged, three planes", drag.times);
    }
    window.volume().setSlabMode(SlabMode::maximum);
    window.volume().setSlabThickness(20);
    settle(window);
    for (const PlaneKind kind : kAllPlanes) {
        Frames wheel(window);
        for (int i = 0; i < 60; ++i) wheel.wheel(window.volumeView().pane(PaneRole::a, kind), 120);
        (void)report(qPrintable(QStringLiteral("MIP of 20 mm, wheel, %1").arg(planeName(kind, true).toLower())), wheel.times);
    }
    return good ? 0 : 1;
}
