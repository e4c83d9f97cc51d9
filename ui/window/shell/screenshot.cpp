// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/screenshot.hpp"

#include <QApplication>
#include <QBuffer>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>
#include <cstdio>
#include <memory>

#include "core/image/error.hpp"
#include "core/io/atomic_file.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"

namespace parallax::ui {
namespace {

constexpr int kInterval = 100, kCalmTicks = 4;
constexpr qint64 kLongestWait = 5 * 60 * 1000;

struct Wait {
    QElapsedTimer clock;
    int calm = 0;
    int exitCode = -1;
    bool measurementFailed = false;
};

int write(MainWindow& window, const ScreenshotRequest& request) {
    // Information such as "saved" does not belong into the picture.
    window.messageBar().closeInformation();
    QApplication::processEvents();
    QByteArray png;
    QBuffer buffer(&png);
    window.grab().save(&buffer, "PNG");
    try {
        AtomicFile file(request.path.toStdString(), request.overwrite);
        file.write(png.constData(), static_cast<std::size_t>(png.size()));
        file.commit();
        return 0;
    } catch (const Error& e) {
        std::fprintf(stderr, "parallax: %s\n", e.what());
        return 4;
    }
}

}  // namespace

void takeScreenshot(MainWindow& window, const ScreenshotRequest& request) {
    auto wait = std::make_shared<Wait>();
    wait->clock.start();
    auto* timer = new QTimer(&window);
    QObject::connect(&window.session().tasks(), &Tasks::messageRaised, timer, [wait](const Message& message) {
        if (message.kind == Message::Kind::error && message.source == sourceOf({TaskKind::measure})) wait->measurementFailed = true;
        if (message.kind != Message::Kind::error || (message.source != QLatin1String("load") && message.source != QLatin1String("report")))
            return;
        std::fprintf(stderr, "parallax: %s\n", qPrintable(message.plainText()));
        wait->exitCode = 3;
    });
    QObject::connect(timer, &QTimer::timeout, &window, [&window, request, wait, timer] {
        const bool measured = wait->measurementFailed || (window.session().record() && !window.session().measuring());
        const bool ready = window.settled() && (!request.withMeasurement || measured);
        wait->calm = ready ? wait->calm + 1 : 0;
        const bool late = wait->clock.elapsed() > kLongestWait;
        if (late) std::fputs("parallax: the window was still busy after 5 minutes\n", stderr);
        if (wait->exitCode < 0 && wait->calm < kCalmTicks && !late) return;
        timer->stop();
        // Without an image there is nothing to show but the error.
        if (wait->exitCode > 0) return QApplication::exit(wait->exitCode);
        const int written = write(window, request);
        QApplication::exit(written != 0 ? written : late ? 1 : 0);
    });
    timer->start(kInterval);
}

}  // namespace parallax::ui
