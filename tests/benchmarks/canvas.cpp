// SPDX-License-Identifier: GPL-3.0-or-later
// Measures frame times while a user zooms and pans a very large image. Real wheel and mouse events go to a pane of a 1920 x 1080 window; a
// frame is an event with its painting, and each further painting until the picture is complete. Target: 95 % of the frames within 16.7 ms,
// drawn in software on one core.
//   bench_canvas [SIZE [ROUNDS]]     SIZE x SIZE, RGB, float; QT_QPA_PLATFORM=offscreen and taskset -c 0 as run.sh does
#include <sys/resource.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "core/image/synthetic.hpp"
#include "ui/canvas/image_pane.hpp"

namespace {

using namespace parallax;
using namespace parallax::ui;

constexpr double kFrame = 16.7;  // ms

class Session {
public:
    explicit Session(ImagePane& pane) : pane_(pane) {}

    void wheel(QPoint at, int delta) {
        QWheelEvent event(at, pane_.mapToGlobal(QPointF(at)), {}, {0, delta}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        frames(event);
    }
    void mouse(QEvent::Type type, QPointF at) {
        const bool move = type == QEvent::MouseMove;
        QMouseEvent event(type, at, pane_.mapToGlobal(at), move ? Qt::NoButton : Qt::LeftButton,
                          type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
        frames(event);
    }
    std::vector<double> times;  ///< ms
    int most = 0;               ///< frames until a picture was complete

private:
    void frames(QEvent& event) {
        clock_.start();
        QApplication::sendEvent(&pane_, &event);
        for (int n = 1;; ++n) {
            QCoreApplication::processEvents();
            times.push_back(static_cast<double>(clock_.nsecsElapsed()) / 1e6);
            most = std::max(most, n);
            if (pane_.settled()) return;
            clock_.start();
        }
    }
    ImagePane& pane_;
    QElapsedTimer clock_;
};

double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

void report(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const auto at = [&](double p) { return times[static_cast<std::size_t>(p * static_cast<double>(times.size() - 1))]; };
    const auto within = std::upper_bound(times.begin(), times.end(), kFrame) - times.begin();
    std::printf("%-28s %5zu frames: median %5.2f ms, 95 %% %5.2f ms, longest %5.2f ms; %.1f %% within %.1f ms\n", what, times.size(),
                at(0.5), at(0.95), times.back(), 100.0 * static_cast<double>(within) / static_cast<double>(times.size()), kFrame);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const std::int64_t size = argc > 1 ? std::max(256, std::atoi(argv[1])) : 16384;
    const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 3;

    auto image = std::make_shared<const Image>(makeSynthetic({SyntheticKind::zonePlate, {size, size, 1, 3}, 1}));
    const double before = peakMegabytes();
    QElapsedTimer clock;
    clock.start();
    const auto pyramid = std::make_shared<const Pyramid>(image, Reduction::mean, std::stop_token());
    const double samples = static_cast<double>(image->shape().samples()) * sizeof(float) / 1e6;
    std::printf("%lld x %lld RGB float, %.0f MB; pyramid in %lld ms\n", static_cast<long long>(size), static_cast<long long>(size), samples,
                static_cast<long long>(clock.elapsed()));

    ViewState view;
    ImagePane pane(view);
    pane.resize(1920, 1080);
    view.setImageSize(QSizeF(static_cast<double>(size), static_cast<double>(size)));
    pane.show();
    view.fit();
    clock.start();
    pane.setPyramid(pyramid);
    do QCoreApplication::processEvents();
    while (!pane.settled());
    std::printf("first complete picture in %lld ms\n", static_cast<long long>(clock.elapsed()));

    std::mt19937 random(1);
    const auto place = [&] { return QPoint(200 + static_cast<int>(random() % 1520), 140 + static_cast<int>(random() % 800)); };
    std::vector<double> all;
    int most = 0;
    for (int round = 0; round < rounds; ++round) {
        Session in(pane), drag(pane), out(pane);
        const QPoint target = place();
        for (int i = 0; i < 36; ++i) in.wheel(target, 120);
        // At several scales: far in, 1:1, far out.
        for (int stop = 0; stop < 4; ++stop) {
            QPointF at = place();
            drag.mouse(QEvent::MouseButtonPress, at);
            const QPointF step(static_cast<double>(random() % 41) - 20, static_cast<double>(random() % 41) - 20);
            for (int i = 0; i < 60; ++i) drag.mouse(QEvent::MouseMove, at += step);
            drag.mouse(QEvent::MouseButtonRelease, at);
            for (int i = 0; i < 9; ++i) out.wheel(place(), -120);
        }
        if (round == rounds - 1) {
            report("zoom in (last round)", in.times);
            report("drag (last round)", drag.times);
            report("zoom out (last round)", out.times);
        }
        for (const Session* s : {&in, &drag, &out}) {
            all.insert(all.end(), s->times.begin(), s->times.end());
            most = std::max(most, s->most);
        }
    }
    report("all", all);
    std::printf("at most %d frames until a picture is complete; memory %.2f x the samples (target: at most 1.5)\n", most,
                (peakMegabytes() - before + samples) / samples);
    std::sort(all.begin(), all.end());
    return all[static_cast<std::size_t>(0.95 * static_cast<double>(all.size() - 1))] <= kFrame ? 0 : 1;
}
