// SPDX-License-Identifier: GPL-3.0-or-later
// Measures frame times while a user zooms and pans very large images. Real wheel and mouse events go to a pane of a 1920 x 1080 window; a
// frame is an event with the painting of all panes, and each further painting at 60 Hz until all pictures are complete. Target: 95 % of the
// frames within 16.7 ms, drawn in software on one core.
//   bench_canvas [SIZE [ROUNDS [PANES]]]     SIZE x SIZE, RGB, float; QT_QPA_PLATFORM=offscreen and taskset -c 0 as run.sh does
#include <sys/resource.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QThread>
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
    /// Events go to the first pane; all follow.
    explicit Session(const std::vector<ImagePane*>& panes) : panes_(panes), pane_(*panes.front()) {}

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
            if (std::all_of(panes_.begin(), panes_.end(), [](const ImagePane* pane) { return pane->settled(); })) return;
            // The next frame of the screen.
            QThread::usleep(static_cast<unsigned long>(std::max(0.0, 1e3 * (kFrame - times.back()))));
            clock_.start();
        }
    }
    const std::vector<ImagePane*>& panes_;
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

    const int count = argc > 3 ? std::clamp(std::atoi(argv[3]), 1, 9) : 1;

    std::vector<std::shared_ptr<const Image>> images;
    for (int i = 0; i < count; ++i)
        images.push_back(std::make_shared<const Image>(makeSynthetic(
            {i == 0 ? SyntheticKind::zonePlate : SyntheticKind::noise, {size, size, 1, 3}, static_cast<std::uint64_t>(i + 1)})));
    const double before = peakMegabytes();
    QElapsedTimer clock;
    clock.start();
    std::vector<PyramidPtr> pyramids;
    for (const auto& image : images) pyramids.push_back(std::make_shared<const Pyramid>(image, Reduction::mean, std::stop_token()));
    const double samples = count * static_cast<double>(images.front()->shape().samples()) * sizeof(float) / 1e6;
    std::printf("%d of %lld x %lld RGB float, %.0f MB; pyramids in %lld ms\n", count, static_cast<long long>(size),
                static_cast<long long>(size), samples, static_cast<long long>(clock.elapsed()));

    ViewState view;
    QWidget window;
    window.resize(1920, 1080);
    const int columns = count == 1 ? 1 : count <= 4 ? 2 : 3, rows = (count + columns - 1) / columns;
    const QSize each(1920 / columns, 1080 / rows);
    std::vector<ImagePane*> panes;
    for (int i = 0; i < count; ++i) {
        panes.push_back(new ImagePane(view, &window));
        panes.back()->setGeometry(QRect(QPoint(i % columns * each.width(), i / columns * each.height()), each));
    }
    view.setImageSize(QSizeF(static_cast<double>(size), static_cast<double>(size)));
    window.show();
    view.fit();
    clock.start();
    for (int i = 0; i < count; ++i) panes[static_cast<std::size_t>(i)]->setPyramid(pyramids[static_cast<std::size_t>(i)]);
    const auto settled = [&] { return std::all_of(panes.begin(), panes.end(), [](const ImagePane* pane) { return pane->settled(); }); };
    do QCoreApplication::processEvents();
    while (!settled());
    std::printf("first complete picture in %lld ms\n", static_cast<long long>(clock.elapsed()));

    std::mt19937 random(1);
    const auto within = [&](int length) { return length / 9 + static_cast<int>(random() % static_cast<unsigned>(length * 7 / 9)); };
    const auto place = [&] { return QPoint(within(each.width()), within(each.height())); };
    std::vector<double> all;
    int most = 0;
    for (int round = 0; round < rounds; ++round) {
        Session in(panes), drag(panes), out(panes);
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
