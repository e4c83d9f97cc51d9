// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window about volumes, folders and raw files: the view of a document, dialogs, the Volume menu.
#include <QAction>
#include <QActionGroup>
#include <QDir>
#include <QLocale>
#include <QMenu>
#include <QStackedWidget>
#include <optional>

#include "ui/compare/compare_view.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/volume/own_windows.hpp"
#include "ui/session/compare/shown_kind.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/volume/presets/window_preset_dialog.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/dialogs/file_dialog.hpp"
#include "ui/window/dialogs/raw_dialog.hpp"
#include "ui/window/dialogs/raw_entries.hpp"
#include "ui/window/dialogs/series_dialog.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"

namespace parallax::ui {

bool MainWindow::showsVolume() const { return session_->original() && session_->original()->isVolume() && !pictureOfVolume(*session_); }

void MainWindow::showDocument() {
    if (!session_->original()) return stack_->setCurrentIndex(0);  // the empty state
    const Image& image = *session_->original();
    const bool volume = showsVolume();
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
            session_->pipeline().forgetViewEdits();
        }
    } else if (!shownMeasured_.isEmpty()) {
        shownMeasured_.clear();
        view_.setFirstDisplay({});
        view_.setDisplay(imageDisplay_);
        session_->pipeline().forgetViewEdits();
    }
    fillWindowMenu();
    messages_->setClearance(volume ? volumeView_->controlsHeight() : 0);
    stack_->setCurrentWidget(volume ? static_cast<QWidget*>(volumeView_) : compare_);
}

void MainWindow::followQuantity() {
    const SideState& a = session_->side(Side::a);
    const ImagePtr& original = session_->original();
    if (!original || a.pending) return;
    if (QWidget* const view = showsVolume() ? static_cast<QWidget*>(volumeView_) : compare_; stack_->currentWidget() != view) {
        messages_->setClearance(showsVolume() ? volumeView_->controlsHeight() : 0);
        stack_->setCurrentWidget(view);
        updateActions();
    }
    const bool quantity = a.result && a.result->changesQuantity && !a.error;
    if (!quantity && !showsQuantity_) return;
    showsQuantity_ = quantity;
    // Colours of a rendered volume are light, whatever its values are.
    const bool colours = quantity && pictureOfVolume(*session_) && a.result->image->shape().channels == 3;
    DisplaySettings first = colours                        ? DisplaySettings{}
                            : quantity                     ? quantityDisplay(*a.result->image)
                            : holdsMeasurements(*original) ? firstDisplay(*original)
                                                           : DisplaySettings{};
    // How the difference is shown is another choice.
    const auto withDifference = [this](DisplaySettings settings) {
        settings.differenceMode = view_.display().differenceMode;
        settings.differenceScale = view_.display().differenceScale;
        return settings;
    };
    const bool untouched = view_.display() == withDifference(view_.firstDisplay());
    view_.setFirstDisplay(first);
    if (!untouched) return;
    view_.setDisplay(withDifference(first));
    session_->pipeline().forgetViewEdits();
}

void MainWindow::askOpenFolder() {
    askForFiles(this, {tr("Open folder"), kOpenFolderKey, QFileDialog::Directory, {}},
                [this](const QStringList& folders) { openInputs({folders.front()}); });
}

void MainWindow::cancelPendingOpen() {
    ++opening_;
    inspecting_ = false;
}

void MainWindow::openFolders(const QStringList& inputs, std::function<void(const QStringList&)> open) {
    struct Found {
        QStringList files;
        std::vector<SeriesSummary> series;
    };
    inspecting_ = true;
    const auto find = [inputs](const std::stop_token& stop) {
        Found found;
        LoadOptions options;
        options.stop = stop;
        // Errors are reported when the folder is opened.
        guarded(
            {},
            [&] {
                for (const QString& input : inputs) found.files << expandInput(input);
                if (found.files.size() == 1 && QFileInfo(found.files.front()).isDir())
                    found.series = listSeries(found.files.front().toStdString(), options);
            },
            [](ErrorCode, const Message&) {});
        return found;
    };
    background_.request("folder", find, [this, inputs, open, number = opening_](Found found) {
        if (number != opening_) return;  // something else was opened meanwhile
        inspecting_ = false;
        if (found.series.size() < 2 || unattended_) return open(found.files.isEmpty() ? inputs : found.files);
        auto* dialog = new SeriesDialog(std::move(found.series), this);
        connect(dialog, &QDialog::accepted, this, [open, dialog] { open({dialog->chosen()}); });
        openOnce(dialog);
    });
}

void MainWindow::askOpenRaw() {
    const QStringList filters{tr("All files (*)"), tr("Raw samples (*.raw *.bin *.dat *.img)")};
    askForFiles(this, {tr("Open raw samples"), kOpenFolderKey, QFileDialog::ExistingFile, filters}, [this](const QStringList& files) {
        ++opening_;
        askRaw(
            files.front(), true, [this](const QString& entered) { showInputs({entered}); }, [] {});
    });
}

void MainWindow::askRaw(const QString& file, bool always, std::function<void(const QString&)> open, std::function<void()> cancelled) {
    struct Found {
        FileStamp stamp;
        bool described = false;
        std::optional<RawRequest> description;
    };
    inspecting_ = true;
    const auto inspect = [file, always](const std::stop_token&) {
        Found found{.stamp = stampOf(file), .described = false, .description = {}};
        const std::string description = describingFile(file.toStdString());
        found.described = !description.empty();
        // Errors are reported when the description is used. Only our own format holds what the dialog asks for.
        if (always && description == rawDescriptionPath(file.toStdString()))
            guarded(
                {}, [&] { found.description = readRawDescription(description); }, [](ErrorCode, const Message&) {});
        return found;
    };
    background_.request("folder", inspect, [this, file, always, open, cancelled, number = opening_](const Found& found) {
        if (number != opening_) return;  // something else was opened meanwhile
        inspecting_ = false;
        // Missing, empty and described files are opened (or refused) without a dialog.
        if (unattended_ || found.stamp.size <= 0 || (found.described && !always)) return open(file);
        const auto bytes = static_cast<std::uint64_t>(found.stamp.size);
        std::vector<RawRequest> proposed = proposedRaw(file.toStdString(), bytes);
        if (found.description) proposed.insert(proposed.begin(), *found.description);
        auto* dialog = new RawDialog(bytes, std::move(proposed), this);
        connect(dialog, &QDialog::accepted, this, [this, dialog, open, number, file, description = found.description] {
            if (number != opening_) return;
            const RawRequest request = dialog->request();
            // A description holds more than can be entered.
            if (description && toText(request) == toText(*description)) return open(file);
            rememberRaw(request);
            open(QString::fromStdString(toText(request)));
        });
        connect(dialog, &QDialog::rejected, this, [this, cancelled, number] {
            if (number == opening_) cancelled();
        });
        openOnce(dialog);
    });
}

void MainWindow::makeVolumeActions() {
    using K = QKeySequence;
    auto* group = new QActionGroup(this);
    const auto planes = [&](const char* name, const QString& text, const QString& key, const QString& tip, PlaneChoice choice) {
        QAction* a = makeCheck(name, text, {}, {K(key)}, tip, [this, choice] { volume_.setPlanes(choice); });
        group->addAction(a);
        connect(&volume_, &VolumeState::planesChanged, a, [this, a, choice] { a->setChecked(volume_.planes() == choice); });
        a->setChecked(volume_.planes() == choice);
    };
    planes("planes-all", tr("&Three planes"), tr("Alt+1"), tr("Show the axial, coronal and sagittal planes"), PlaneChoice::all);
    planes("planes-axial", tr("&Axial plane"), tr("Alt+2"), tr("Show only the axial plane"), PlaneChoice::axial);
    planes("planes-coronal", tr("C&oronal plane"), tr("Alt+3"), tr("Show only the coronal plane"), PlaneChoice::coronal);
    planes("planes-sagittal", tr("&Sagittal plane"), tr("Alt+4"), tr("Show only the sagittal plane"), PlaneChoice::sagittal);
    RenderState& renderings = volumeView_->renderings().state();
    QAction* rendering =
        makeCheck("rendering", tr("&Rendering"), {}, {K(tr("Alt+5"))}, tr("Show a rendering of each volume beside its planes"),
                  [&renderings](bool shown) { renderings.setShown(shown); });
    connect(&renderings, &RenderState::shownChanged, rendering, [rendering, &renderings] { rendering->setChecked(renderings.shown()); });
    QAction* crosshair = makeCheck("crosshair", tr("Cross&hair"), {}, {K(Qt::Key_H)}, tr("Show the crosshair that links the planes"),
                                   [this](bool shown) { volume_.setCrosshairShown(shown); });
    QAction* invert = makeCheck("invert", tr("&Invert"), {}, {K(Qt::Key_I)}, tr("Show small values bright and large values dark"),
                                [this](bool inverted) { volume_.setInverted(inverted); });
    QAction* ruler = makeCheck(
        "ruler", tr("R&uler and angle"), {}, {K(Qt::Key_U)},
        tr("Drag on a plane to measure a length, and from one of its ends to measure an angle; a click removes them"), [this](bool on) {
            if (on) view_.setSelecting(false);
            volume_.setMeasuring(on);
        });
    connect(&view_, &ViewState::viewChanged, this, [this] {
        if (view_.selecting()) volume_.setMeasuring(false);
    });
    const auto showChecks = [this, crosshair, invert, ruler] {
        crosshair->setChecked(volume_.crosshairShown());
        invert->setChecked(volume_.inverted());
        ruler->setChecked(volume_.measuring());
    };
    connect(&volume_, &VolumeState::optionsChanged, this, showChecks);
    showChecks();
    windowMenu_ = new QMenu(tr("&Window"), this);
    windowMenu_->setToolTipsVisible(true);
    makeCommand("save-window-preset", tr("&Save window preset …"), {}, {},
                tr("Save window and level under a name and a number key, from 2 to 9, that shows them again"),
                [this] { WindowPresetDialog::askToSave(windowCentre(view_.display()), windowWidth(view_.display()), this); });
    connect(&OwnWindows::instance(), &OwnWindows::changed, this, &MainWindow::fillWindowMenu);
    fillWindowMenu();
}

void MainWindow::fillWindowMenu() {
    windowMenu_->removeAction(action("save-window-preset"));
    qDeleteAll(windowMenu_->actions());
    const QLocale locale;
    const auto image = session_->original();
    const bool measured = image && holdsMeasurements(*image);
    const auto add = [&](const WindowPreset& preset, const QKeySequence& key) {
        auto* a = new QAction(QString(preset.name).replace(QLatin1Char('&'), QLatin1String("&&")), windowMenu_);
        windowMenu_->addAction(a);
        a->setObjectName(QStringLiteral("window-") + preset.id);
        a->setShortcut(key);
        a->setToolTip(
            tr("Window width %2, level %1").arg(withMinus(locale.toString(preset.centre, 'g', 6)), locale.toString(preset.width, 'g', 6)));
        a->setStatusTip(a->toolTip());
        a->setEnabled(measured);
        connect(a, &QAction::triggered, this,
                [this, preset] { view_.setDisplay(withWindow(view_.display(), preset.centre, preset.width)); });
        addAction(a);  // keys work while the menu bar is hidden
    };
    for (const WindowPreset& preset : windowPresets(image.get())) add(preset, {});
    windowMenu_->addSeparator();
    for (const OwnWindow& own : OwnWindows::instance().all())
        add({QStringLiteral("own-") + own.name, own.name, own.centre, own.width},
            own.key > 0 ? QKeySequence(Qt::Key_0 + own.key) : QKeySequence());
    windowMenu_->addSeparator();
    windowMenu_->addAction(action("save-window-preset"));
    action("save-window-preset")->setEnabled(measured);
}

}  // namespace parallax::ui
