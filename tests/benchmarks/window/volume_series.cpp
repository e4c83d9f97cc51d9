// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how many volumes a second of a 4-D series are read in their order, and how many pictures a second the window shows while it
// plays them: uncompressed NIfTI, and .nii.gz as written by other programs (one deflate stream). Target: .nii.gz plays at 10 a second with
// two processors, drawn in software, and as fast at the end of the file as at its beginning.
//   bench_volume_series [WIDTH HEIGHT DEPTH VOLUMES [SECONDS]]     int16, a phantom with noise; QT_QPA_PLATFORM=offscreen
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QSpinBox>
#include <QStandardPaths>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/loader.hpp"
#include "tests/support/nifti_writer.hpp"
#include "tests/support/temporary_folder.hpp"
#include "ui/window/parts/series_bar.hpp"
#include "ui/window/shell/main_window.hpp"

namespace {

using namespace parallax;
using namespace parallax::ui;

/// Values of a few thousand with a noise of a few units, as of MR; each volume is brighter than the one before.
std::vector<std::uint8_t> seriesBytes(const Shape& shape, int volumes) {
    const Image phantom = makeSynthetic({SyntheticKind::sheppLogan, shape, 1}), noise = makeSynthetic({SyntheticKind::noise, shape, 7});
    const auto count = static_cast<std::size_t>(shape.samples());
    test::MadeNifti file;
    file.dims = {shape.width, shape.height, shape.depth, volumes};
    file.sample = [&](std::size_t i) {
        const auto at = static_cast<std::int64_t>(i % count), other = static_cast<std::int64_t>((i + 977 * (i / count)) % count);
        const double value = 2000 * static_cast<double>(phantom.view().data[at]) + 20 * static_cast<double>(noise.view().data[other]);
        return value + static_cast<double>(i / count);
    };
    return file.bytes();
}

/// Volumes a second of the first and of the last quarter of a file, read in their order.
std::pair<double, double> readingRates(const std::string& path, int volumes) {
    const int quarter = std::max(1, volumes / 4);
    std::pair<double, double> rates;
    QElapsedTimer clock;
    for (int i = 0; i < volumes; ++i) {
        if (i == 0 || i == volumes - quarter) clock.start();
        (void)loadImage(path + "#" + std::to_string(i));
        const double rate = quarter * 1e9 / static_cast<double>(std::max<qint64>(1, clock.nsecsElapsed()));
        if (i + 1 == quarter) rates.first = rate;
        if (i + 1 == volumes) rates.second = rate;
    }
    return rates;
}

void settle(const MainWindow& window) {
    do QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    while (!window.settled());
}

/// Pictures a second while the window plays from a volume on.
double playingRate(MainWindow& window, const std::string& path, int from, double seconds) {
    window.openInputs({QString::fromStdString(path + "#" + std::to_string(from))});
    settle(window);
    int shown = 0;
    const auto counted = QObject::connect(&window.session(), &Session::originalChanged, [&] { ++shown; });
    QAction& play = *window.findChild<QAction*>(QStringLiteral("play-series"));
    QElapsedTimer clock;
    clock.start();
    play.trigger();
    while (clock.elapsed() < 1000 * seconds) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    const double rate = shown * 1e3 / static_cast<double>(clock.elapsed());
    play.trigger();
    QObject::disconnect(counted);
    settle(window);
    return rate;
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    const auto argument = [&](int index, int otherwise) { return argc > index ? std::max(1, std::atoi(argv[index])) : otherwise; };
    const Shape shape{argument(1, 128), argument(2, 128), argument(3, 40), 1};
    const int volumes = std::max(8, argument(4, 100));
    const double seconds = argc > 5 ? std::max(0.5, std::atof(argv[5])) : 4;
    const test::TemporaryFolder folder;
    const std::string plain = folder / "series.nii", packed = folder / "series.nii.gz";
    {
        const std::vector<std::uint8_t> bytes = seriesBytes(shape, volumes);
        AtomicFile one(plain, true), other(packed, true);
        one.write(bytes.data(), bytes.size());
        writeGzip(other, bytes, {}, {});
        one.commit();
        other.commit();
    }
    // Access points are kept of files that were not written just now.
    for (const std::string& path : {plain, packed})
        std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - std::chrono::seconds(10));
    std::printf("%lld x %lld x %lld x %d, int16, %.0f MiB, compressed %.0f MiB\n", static_cast<long long>(shape.width),
                static_cast<long long>(shape.height), static_cast<long long>(shape.depth), volumes,
                static_cast<double>(std::filesystem::file_size(plain)) / (1 << 20),
                static_cast<double>(std::filesystem::file_size(packed)) / (1 << 20));
    MainWindow window(processCatalog());
    window.resize(1300, 850);
    window.show();
    settle(window);
    window.session().pipeline().setEnabled(0, false);
    bool good = true;
    for (const std::string& path : {plain, packed}) {
        const auto [early, late] = readingRates(path, volumes);
        window.openInputs({QString::fromStdString(path)});
        settle(window);
        window.findChild<QSpinBox*>(QStringLiteral("framesPerSecond"))->setValue(SeriesBar::kMaxFrames);
        const double begin = playingRate(window, path, 0, seconds), end = playingRate(window, path, volumes / 2, seconds);
        std::printf(
            "%-7s read: %6.1f volumes a second at the beginning, %6.1f at the end; played: %5.1f pictures a second from the first, "
            "%5.1f from the middle\n",
            path == plain ? ".nii" : ".nii.gz", early, late, begin, end);
        good = good && std::min(begin, end) >= 10;
    }
    return good ? 0 : 1;
}
