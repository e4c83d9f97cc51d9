// SPDX-License-Identifier: GPL-3.0-or-later
// parallax: the window.
#include <QApplication>
#include <QScreen>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <vector>

#include "app/gui/end_in_time.hpp"
#include "app/gui/options.hpp"
#include "app/gui/quit_signals.hpp"
#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/image/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/limits.hpp"
#include "core/kernels/backend.hpp"
#include "ui/desktop/long_work.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/lab.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/shell/language.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/screenshot.hpp"
#include "ui/window/shell/session_keeper.hpp"

using namespace parallax;

namespace {

/// Exit codes of signals as in a shell: 143 for SIGTERM.
constexpr int kSignalBase = 128;

/// Returns the first available backend other than the reference, and one on another device or else the reference.
QStringList demoTargets(const Catalog& catalog) {
    QString first, second, reference;
    std::string device;
    for (const auto& backend : catalog.backends()) {
        if (!backend->availability().yes || runsOnlyWhenNamed(backend->id())) continue;
        const QString id = QString::fromStdString(backend->id());
        const std::string name = backend->devices().front().name;
        if (id == QLatin1String(kReferenceBackend)) {
            reference = id;
        } else if (first.isEmpty()) {
            first = id;
            device = name;
        } else if (second.isEmpty() && name != device) {
            second = id;
        }
    }
    return {first.isEmpty() ? reference : first, second.isEmpty() ? reference : second};
}

void setTargets(ui::Session& session, const QStringList& targets) {
    for (const QString& name : targets) {
        const Target target = parseTarget(name.toStdString());
        (void)session.catalog().backend(target.backend);  // throws if unknown
        session.catalog().checkModes(target);
    }
    session.setTarget(ui::Side::a, targets[0]);
    session.setTarget(ui::Side::b, targets[1]);
    session.pipeline().clearHistory();
}

void setSteps(ui::Session& session, const QStringList& steps) {
    std::vector<std::string> texts;
    for (const QString& step : steps) texts.push_back(step.toStdString());
    session.pipeline().setPipeline(parsePipeline(session.catalog(), texts));
}

void startDemo(ui::MainWindow& window) {
    // Measures when all computing is done, so that nothing disturbs the times.
    auto* wait = new QTimer(&window);
    QObject::connect(wait, &QTimer::timeout, &window, [&window, wait] {
        if (!window.session().original() || !window.session().idle()) return;
        wait->stop();
        wait->deleteLater();
        window.showTiming();
        window.session().benchmark().measure(QStringLiteral("quick"));
    });
    wait->start(100);
}

int run(int argc, char** argv, const app::Options& options) {
    if (options.scale > 0) qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale));
    // The name of its windows for X11, as StartupWMClass of the desktop entry has it; Wayland takes setDesktopFileName().
    char option[] = "-name", id[] = "io.github.parallax.Parallax";
    std::vector<char*> named(argv, argv + argc);
    named.insert(named.end(), {option, id, nullptr});
    argc += 2;
    QApplication application(argc, named.data());
    app::QuitSignals quitSignals;
    QCoreApplication::setOrganizationName(QStringLiteral("parallax"));
    QCoreApplication::setApplicationName(QStringLiteral("parallax"));
    QCoreApplication::setApplicationVersion(QString::fromStdString(buildInfo().version));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Parallax"));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.parallax.Parallax"));
    QApplication::setWindowIcon(QIcon::fromTheme(QStringLiteral("io.github.parallax.Parallax")));

    const ui::Settings& settings = ui::Settings::instance();
    const QString kept = settings.language();
    const bool known = kept == QLatin1String("en") || ui::builtInLanguages().contains(kept);
    const QString language = options.language.isEmpty() && known ? kept : options.language;
    if (!ui::useLanguage(language))
        throw Error(
            ErrorCode::usage, "The language '" + language.toStdString() + "' is not built in",
            "Take en" + (ui::builtInLanguages().isEmpty() ? std::string() : " or " + ui::builtInLanguages().join(", ").toStdString()));
    const bool screenshot = !options.screenshot.isEmpty();
    if (screenshot) checkWritable(options.screenshot.toStdString(), options.force);
    allowLargeFiles(options.allowLarge);
    ui::applyTheme(options.theme == "dark"            ? ui::ThemeChoice::dark
                   : options.theme == "light"         ? ui::ThemeChoice::light
                   : options.theme == "high-contrast" ? ui::ThemeChoice::highContrast
                   : screenshot                       ? ui::ThemeChoice::light
                                                      : settings.theme());
    ui::MainWindow window(processCatalog());
    if (screenshot) {
        window.setUnattended();
        window.session().lab().ignoreHistory();  // a screenshot leaves no trace, and shows no earlier runs
        window.resize(options.size);
        window.resetLayout();
    } else {
        // Initially no larger than the screen, less the frame of a window manager.
        window.resize(window.size().boundedTo(window.screen()->availableSize() - QSize(0, 40)));
        window.restoreLayout();
    }
    if (!options.view.isEmpty() && options.view != "empty") window.setViewName(options.view);
    if (!screenshot) window.keepSession(ui::SessionKeeper::defaultFolder());
    window.show();
    if (screenshot) window.resetLayout();
    else window.checkSettings();
    // A report brings its own measurements, and may come without an image; a session brings its own pipeline.
    const bool complete = !options.inputs.isEmpty() && std::all_of(options.inputs.begin(), options.inputs.end(), [](const QString& input) {
        return ui::isReport(input) || ui::isSessionFile(input);
    });
    const bool demo = !complete && (options.demo || (screenshot && options.view != "empty"));
    if (!options.compare.isEmpty()) setTargets(window.session(), options.compare);
    else if (demo) setTargets(window.session(), demoTargets(processCatalog()));
    if (!options.steps.isEmpty()) setSteps(window.session(), options.steps);
    else if (demo) setSteps(window.session(), {QStringLiteral("convolve:kernel=gaussian,size=7")});
    if (demo) startDemo(window);
    QStringList inputs = options.inputs;
    if (inputs.isEmpty() && (options.demo || screenshot) && options.view != "empty") inputs << ui::defaultSample();
    if (!inputs.isEmpty()) window.openInputs(inputs);
    else if (options.compare.isEmpty() && options.steps.isEmpty() && !screenshot) window.restoreAtStart();
    if (screenshot) ui::takeScreenshot(window, {options.screenshot, options.force, demo});
    QObject::connect(&quitSignals, &app::QuitSignals::quitRequested, &window, [&window, screenshot] {
        // Closing saves the layout, which a screenshot must not change. It waits for files that are being saved, unless repeated.
        if (screenshot) window.session().cancel();
        else if (!window.closeWithoutAsking()) return;
        QApplication::exit();  // dialogs have their own event loops
    });
    std::optional<ui::LongWork> longWork;
    if (!screenshot) longWork.emplace(window.session());
    int code = QApplication::exec();
    endKernelProcesses();
    if (quitSignals.received() != 0) code = kSignalBase + quitSignals.received();
    app::endInTime(code);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    const app::Parsed parsed = app::parseOptions(argc, argv);
    if (!parsed.output.isEmpty()) std::fputs(parsed.output.toLocal8Bit().constData(), parsed.exitCode == 0 ? stdout : stderr);
    if (!parsed.options) return parsed.exitCode;
    try {
        return run(argc, argv, *parsed.options);
    } catch (const Error& e) {
        std::fprintf(stderr, "parallax: %s\n", e.what());
        return e.code() == ErrorCode::usage ? 2 : e.code() == ErrorCode::output ? 4 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "parallax: %s\n", e.what());
        return 1;
    }
}
