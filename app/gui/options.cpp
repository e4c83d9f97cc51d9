// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/options.hpp"

#include <QCommandLineParser>

#include "app/version_text.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::app {
namespace {

constexpr int kUsageError = 2;

QString help() {
    return QStringLiteral(
               "Usage: parallax [OPTION]... [FILE|DIR]...\n"
               "Process images and volumes on several backends and compare results and speed.\n"
               "FILE is an image, a volume, a session (.parallax), a report (.json), raw:WxHxD,type=T:FILE or\n"
               "synthetic:KIND:WxH[,channels=N][,seed=S];\n"
               "DIR opens its DICOM series or its images; DIR#N opens series N.\n\n"
               "  --demo               open the bundled sample, compare two backends and benchmark them\n"
               "  --compare A,B        set backends A and B, optionally with variant and modes: openmp,cuda.tiled+pinned\n"
               "  --op STEP            add a step to the pipeline, such as convolve:kernel=gaussian,size=7 (repeatable)\n"
               "  --screenshot OUT.png open FILE or the sample, wait until all work is done, save a picture of the window and exit\n"
               "    --force            replace OUT.png if it exists\n"
               "    --size WxH         set the window size in pixels [1600x1000]\n"
               "    --scale S          set device pixels per logical pixel, 0.5 to 4 [that of the desktop]\n"
               "    --view NAME        choose the layout: %1, empty [compare]\n"
               "  --allow-large        open files that unpack to more than 1 GiB and 100 times their size\n"
               "  --theme NAME         choose the theme: light, dark or high-contrast [that of the settings; light for screenshots]\n"
               "  --language CODE      choose the language: en or de [that of the settings or the desktop]\n"
               "  --help, --version    show this help, or version, build and backends\n\n"
               "Exit codes: 0 success, 1 failed, 2 usage, 3 cannot read input, 4 cannot write output, 128 + n terminated by signal n.\n"
               "Without a display: QT_QPA_PLATFORM=offscreen parallax --screenshot OUT.png\n")
        .arg(ui::MainWindow::viewNames().join(QStringLiteral(", ")));
}

Parsed usageError(const QString& what) { return {{}, QStringLiteral("parallax: %1\nTry 'parallax --help'.\n").arg(what), kUsageError}; }

}  // namespace

Parsed parseOptions(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    QCommandLineParser parser;
    for (const char* flag : {"help", "h", "version", "demo", "force", "allow-large"})
        parser.addOption(QCommandLineOption(QLatin1String(flag)));
    // The last two belong to Qt: QApplication reads them later.
    for (const char* option : {"screenshot", "size", "scale", "theme", "view", "compare", "op", "language", "platform", "style"})
        parser.addOption(QCommandLineOption(QLatin1String(option), {}, QStringLiteral("value")));
    if (!parser.parse(arguments)) return usageError(parser.errorText());
    if (parser.isSet("help") || parser.isSet("h")) return {{}, help(), 0};
    if (parser.isSet("version")) return {{}, QString::fromStdString(versionText("parallax")), 0};
    Options options;
    options.inputs = parser.positionalArguments();
    options.demo = parser.isSet("demo");
    options.screenshot = parser.value("screenshot");
    options.force = parser.isSet("force");
    options.allowLarge = parser.isSet("allow-large");
    options.theme = parser.value("theme");
    options.view = parser.value("view");
    options.language = parser.value("language");
    if (parser.isSet("screenshot") && options.screenshot.isEmpty()) return usageError(QStringLiteral("--screenshot needs a file name"));
    if (!options.theme.isEmpty() && options.theme != "light" && options.theme != "dark" && options.theme != "high-contrast")
        return usageError(QStringLiteral("--theme must be light, dark or high-contrast, not '%1'").arg(options.theme));
    if (!options.view.isEmpty() && options.view != "empty" && !ui::MainWindow::viewNames().contains(options.view))
        return usageError(QStringLiteral("--view must be one of %1, empty, not '%2'")
                              .arg(ui::MainWindow::viewNames().join(QStringLiteral(", ")), options.view));
    if (parser.isSet("compare")) {
        options.compare = parser.value("compare").split(QLatin1Char(','));
        if (options.compare.size() != 2 || options.compare.contains(QString()))
            return usageError(QStringLiteral("--compare needs two backends, such as openmp,cuda, not '%1'").arg(parser.value("compare")));
    }
    options.steps = parser.values("op");
    if (parser.isSet("size")) {
        const QStringList parts = parser.value("size").split(QLatin1Char('x'));
        options.size = QSize(parts.value(0).toInt(), parts.value(1).toInt());
        if (parts.size() != 2 || options.size.width() < 400 || options.size.height() < 300 || options.size.width() > 10000 ||
            options.size.height() > 10000)
            return usageError(
                QStringLiteral("--size must be WIDTHxHEIGHT from 400x300 to 10000x10000, not '%1'").arg(parser.value("size")));
    }
    if (parser.isSet("scale")) {
        bool ok = false;
        options.scale = parser.value("scale").toDouble(&ok);
        if (!ok || !(options.scale >= 0.5 && options.scale <= 4))
            return usageError(QStringLiteral("--scale must be a number from 0.5 to 4"));
    }
    return {options, {}, 0};
}

}  // namespace parallax::app
