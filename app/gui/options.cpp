// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/options.hpp"

#include <QCommandLineParser>

#include "core/engine/run/build_info.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::app {
namespace {

constexpr int kUsageError = 2;

QString help() {
    return QStringLiteral(
               "Usage: parallax [OPTION]... [FILE|DIR]...\n"
               "Filter images and volumes on several backends, compare the results and their speed.\n"
               "FILE is an image, a volume, a report (.json), raw:WxHxD,type=T:FILE or synthetic:KIND:WxH[,channels=N][,seed=S];\n"
               "DIR opens its DICOM series or its images; DIR#N takes series N.\n\n"
               "  --demo               open the bundled sample, compare two backends and measure\n"
               "  --compare A,B        the two backends, or backends with variant and modes, as openmp,cuda.tiled+pinned\n"
               "  --op STEP            what is done, as convolve:kernel=gaussian,size=7; several run one after the other\n"
               "  --screenshot OUT.png open FILE or the sample, wait until all is done, write what is shown, and exit\n"
               "    --size WxH         of the window, default 1600x1000\n"
               "    --scale S          pixels of the screen per unit, as 2\n"
               "    --view NAME        %1, empty\n"
               "  --theme light|dark   colours of the window\n"
               "  --language CODE      en or de; as the desktop if not given\n"
               "  --help, --version\n\n"
               "Exit codes: 0 success, 1 failed, 2 usage, 3 input unreadable, 4 output not writable, 128 + n ended by signal n.\n"
               "Without a display: QT_QPA_PLATFORM=offscreen parallax --screenshot OUT.png\n")
        .arg(ui::MainWindow::viewNames().join(QStringLiteral(", ")));
}

Parsed usageError(const QString& what) { return {{}, QStringLiteral("parallax: %1\nTry 'parallax --help'.\n").arg(what), kUsageError}; }

}  // namespace

Parsed parseOptions(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    QCommandLineParser parser;
    for (const char* flag : {"help", "h", "version", "demo"}) parser.addOption(QCommandLineOption(QLatin1String(flag)));
    // The last two belong to Qt, which QApplication takes out later.
    for (const char* option : {"screenshot", "size", "scale", "theme", "view", "compare", "op", "language", "platform", "style"})
        parser.addOption(QCommandLineOption(QLatin1String(option), {}, QStringLiteral("value")));
    if (!parser.parse(arguments)) return usageError(parser.errorText());
    if (parser.isSet("help") || parser.isSet("h")) return {{}, help(), 0};
    if (parser.isSet("version")) return {{}, QStringLiteral("parallax %1\n").arg(QString::fromStdString(buildInfo().version)), 0};
    Options options;
    options.inputs = parser.positionalArguments();
    options.demo = parser.isSet("demo");
    options.screenshot = parser.value("screenshot");
    options.theme = parser.value("theme");
    options.view = parser.value("view");
    options.language = parser.value("language");
    if (parser.isSet("screenshot") && options.screenshot.isEmpty()) return usageError(QStringLiteral("--screenshot needs a file name"));
    if (!options.theme.isEmpty() && options.theme != "light" && options.theme != "dark")
        return usageError(QStringLiteral("--theme is light or dark, not '%1'").arg(options.theme));
    if (!options.view.isEmpty() && options.view != "empty" && !ui::MainWindow::viewNames().contains(options.view))
        return usageError(QStringLiteral("--view is one of %1, empty, not '%2'")
                              .arg(ui::MainWindow::viewNames().join(QStringLiteral(", ")), options.view));
    if (parser.isSet("compare")) {
        options.compare = parser.value("compare").split(QLatin1Char(','));
        if (options.compare.size() != 2 || options.compare.contains(QString()))
            return usageError(QStringLiteral("--compare takes two backends, as openmp,cuda, not '%1'").arg(parser.value("compare")));
    }
    options.steps = parser.values("op");
    if (parser.isSet("size")) {
        const QStringList parts = parser.value("size").split(QLatin1Char('x'));
        options.size = QSize(parts.value(0).toInt(), parts.value(1).toInt());
        if (parts.size() != 2 || options.size.width() < 400 || options.size.height() < 300 || options.size.width() > 10000 ||
            options.size.height() > 10000)
            return usageError(QStringLiteral("--size is WIDTHxHEIGHT, from 400x300 to 10000x10000, not '%1'").arg(parser.value("size")));
    }
    if (parser.isSet("scale")) {
        bool ok = false;
        options.scale = parser.value("scale").toDouble(&ok);
        if (!ok || !(options.scale >= 0.5 && options.scale <= 4)) return usageError(QStringLiteral("--scale is a number from 0.5 to 4"));
    }
    return {options, {}, 0};
}

}  // namespace parallax::app
