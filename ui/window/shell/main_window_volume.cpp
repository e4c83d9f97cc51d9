// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window about volumes, folders and raw files: the view of a document, dialogs, the Volume menu.
#include <QAction>
#include <QActionGroup>
#include <QDir>
#include <QFileDialog>
#include <QLocale>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <optional>

#include "ui/compare/compare_view.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/dialogs/raw_dialog.hpp"
#include "ui/window/dialogs/raw_entries.hpp"
#include "ui/window/dialogs/series_dialog.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::ui {

bool MainWindow::showsVolume() const { return session_->original() && session_->original()->isVolume(); }

void MainWindow::showDocument() {
    const Image& image = *session_->original();
    const bool volume = image.isVolume();
    if (holdsMeasurements(image)) {
        // Display settings stay when the file is reloaded, and from one volume of a file to another.
        const QString name = image.source.volumes > 1 ? pathOnDisk(session_->inputName()) : session_->inputName();
        const bool again = shownMeasured_ == name;
        if (shownMeasured_.isEmpty()) imageDisplay_ = view_.display();
        shownMeasured_ = name;
        const DisplaySettings first = firstDisplay(image);
        view_.setFirstDisplay(first);
        if (!again) {
            DisplaySettings display = first;
            display.differenceMode = view_.display().differenceMode;
            display.differenceScale = view_.display().differenceScale;
            view_.setDisplay(display);
        }
    } else if (!shownMeasured_.isEmpty()) {
        shownMeasured_.clear();
        view_.setFirstDisplay({});
        view_.setDisplay(imageDisplay_);
    }
    fillWindowMenu();
    stack_->setCurrentWidget(volume ? static_cast<QWidget*>(volumeView_) : compare_);
}

void MainWindow::openVolume(int volume) {
    if (!session_->original()) return;
    const QString input = pathOnDisk(session_->inputName()) + QLatin1Char('#') + QString::number(volume);
    cancelPendingOpen();
    if (currentInput_ >= 0 && currentInput_ < inputs_.size()) inputs_[currentInput_] = input;
    session_->open(input);
}

void MainWindow::askOpenFolder() {
    const QString key = QStringLiteral("open/folder");
    auto* dialog = new QFileDialog(this, tr("Open folder"), QSettings().value(key, QDir::homePath()).toString());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::filesSelected, this, [this, key](const QStringList& folders) {
        if (folders.isEmpty()) return;
        QSettings().setValue(key, folders.front());
        openInputs({folders.front()});
    });
    dialog->open();
}

void MainWindow::cancelPendingOpen() {
    ++opening_;
    inspecting_ = false;
}

void MainWindow::openFolders(const QStringList& inputs) {
    inspecting_ = true;
    folderQueue_.submit("folder", [this, address = inbox_.address(), inputs, number = opening_](std::stop_token stop) {
        auto series = std::make_shared<std::vector<SeriesSummary>>();
        auto files = std::make_shared<QStringList>();
        LoadOptions options;
        options.stop = stop;
        // Errors are reported when the folder is opened.
        guarded(
            {},
            [&] {
                for (const QString& input : inputs) *files << expandInput(input);
                if (files->size() == 1 && QFileInfo(files->front()).isDir()) *series = listSeries(files->front().toStdString(), options);
            },
            [](ErrorCode, const Message&) {});
        address.post([this, inputs, files, series, number] {
            if (number != opening_) return;  // something else was opened meanwhile
            inspecting_ = false;
            if (series->size() < 2 || unattended_) return showInputs(files->isEmpty() ? inputs : *files);
            auto* dialog = new SeriesDialog(std::move(*series), this);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            connect(dialog, &QDialog::accepted, this, [this, dialog] { showInputs({dialog->chosen()}); });
            dialog->open();
        });
    });
}

void MainWindow::askOpenRaw() {
    const QString key = QStringLiteral("open/folder");
    auto* dialog = new QFileDialog(this, tr("Open raw samples"), QSettings().value(key, QDir::homePath()).toString());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("All files (*)"), tr("Raw samples (*.raw *.bin *.dat *.img)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this, key](const QStringList& files) {
        if (files.isEmpty()) return;
        QSettings().setValue(key, QFileInfo(files.front()).absolutePath());
        ++opening_;
        askRaw(
            files.front(), true, [this](const QString& entered) { showInputs({entered}); }, [] {});
    });
    dialog->open();
}

void MainWindow::askRaw(const QString& file, bool always, std::function<void(const QString&)> open, std::function<void()> cancelled) {
    struct Found {
        FileStamp stamp;
        bool described = false;
        std::optional<RawRequest> description;
    };
    inspecting_ = true;
    folderQueue_.submit("folder", [this, address = inbox_.address(), file, always, open = std::move(open), cancelled = std::move(cancelled),
                                   number = opening_](const std::stop_token&) {
        auto found = std::make_shared<Found>();
        found->stamp = stampOf(file);
        const std::string description = describingFile(file.toStdString());
        found->described = !description.empty();
        // Errors are reported when the description is used. Only our own format holds what the dialog asks for.
        if (always && description == rawDescriptionPath(file.toStdString()))
            guarded(
                {}, [&] { found->description = readRawDescription(description); }, [](ErrorCode, const Message&) {});
        address.post([this, file, always, open, cancelled, found, number] {
            if (number != opening_) return;  // something else was opened meanwhile
            inspecting_ = false;
            // Missing, empty and described files are opened (or refused) without a dialog.
            if (unattended_ || found->stamp.size <= 0 || (found->described && !always)) return open(file);
            std::vector<RawRequest> proposed = proposedRaw(file.toStdString(), static_cast<std::uint64_t>(found->stamp.size));
            if (found->description) proposed.insert(proposed.begin(), *found->description);
            auto* dialog = new RawDialog(static_cast<std::uint64_t>(found->stamp.size), std::move(proposed), this);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            connect(dialog, &QDialog::accepted, this, [this, dialog, open, number, found, file] {
                if (number != opening_) return;
                const RawRequest request = dialog->request();
                // A description holds more than can be entered.
                if (found->description && toText(request) == toText(*found->description)) return open(file);
                rememberRaw(request);
                open(QString::fromStdString(toText(request)));
            });
            connect(dialog, &QDialog::rejected, this, [this, cancelled, number] {
                if (number == opening_) cancelled();
            });
            dialog->open();
        });
    });
}

void MainWindow::makeVolumeActions() {
    using K = QKeySequence;
    auto* group = new QActionGroup(this);
    const auto planes = [&](const char* name, const QString& text, const QString& key, const QString& tip, PlaneChoice choice) {
        QAction* a = makeAction(name, text, {}, {K(key)}, tip);
        a->setCheckable(true);
        group->addAction(a);
        connect(a, &QAction::triggered, this, [this, choice] { volume_.setPlanes(choice); });
        connect(&volume_, &VolumeState::planesChanged, a, [this, a, choice] { a->setChecked(volume_.planes() == choice); });
        a->setChecked(volume_.planes() == choice);
    };
    planes("planes-all", tr("&Three planes"), tr("Alt+1"), tr("Show the axial, coronal and sagittal planes"), PlaneChoice::all);
    planes("planes-axial", tr("&Axial plane"), tr("Alt+2"), tr("Show only the axial plane"), PlaneChoice::axial);
    planes("planes-coronal", tr("C&oronal plane"), tr("Alt+3"), tr("Show only the coronal plane"), PlaneChoice::coronal);
    planes("planes-sagittal", tr("&Sagittal plane"), tr("Alt+4"), tr("Show only the sagittal plane"), PlaneChoice::sagittal);
    QAction* crosshair = makeAction("crosshair", tr("Cross&hair"), {}, {K(Qt::Key_H)}, tr("Show the crosshair that links the planes"));
    QAction* invert = makeAction("invert", tr("&Invert"), {}, {K(Qt::Key_I)}, tr("Show small values bright and large values dark"));
    for (QAction* a : {crosshair, invert}) a->setCheckable(true);
    connect(crosshair, &QAction::triggered, &volume_, &VolumeState::setCrosshairShown);
    connect(invert, &QAction::triggered, &volume_, &VolumeState::setInverted);
    const auto showChecks = [this, crosshair, invert] {
        crosshair->setChecked(volume_.crosshairShown());
        invert->setChecked(volume_.inverted());
    };
    connect(&volume_, &VolumeState::optionsChanged, this, showChecks);
    showChecks();
    windowMenu_ = new QMenu(tr("&Window"), this);
    windowMenu_->setToolTipsVisible(true);
    fillWindowMenu();
}

QMenu* MainWindow::makeVolumeMenu() {
    auto* menu = new QMenu(tr("V&olume"), this);
    menu->setToolTipsVisible(true);
    for (const char* name : {"planes-all", "planes-axial", "planes-coronal", "planes-sagittal"}) menu->addAction(action(name));
    menu->addSeparator();
    menu->addMenu(windowMenu_);
    menu->addSeparator();
    for (const char* name : {"crosshair", "invert"}) menu->addAction(action(name));
    return menu;
}

void MainWindow::fillWindowMenu() {
    windowMenu_->clear();
    const QLocale locale;
    const auto image = session_->original();
    const bool measured = image && holdsMeasurements(*image);
    for (const WindowPreset& preset : windowPresets(image.get())) {
        QAction* a = windowMenu_->addAction(preset.name);
        a->setObjectName(QStringLiteral("window-") + preset.id);
        a->setToolTip(tr("Window width %2, level %1").arg(locale.toString(preset.centre, 'g', 6), locale.toString(preset.width, 'g', 6)));
        a->setStatusTip(a->toolTip());
        a->setEnabled(measured);
        connect(a, &QAction::triggered, this,
                [this, preset] { view_.setDisplay(withWindow(view_.display(), preset.centre, preset.width)); });
    }
}

}  // namespace parallax::ui
