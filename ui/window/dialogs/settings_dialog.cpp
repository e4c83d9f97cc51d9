// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/settings_dialog.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/engine/backend/rank_launcher.hpp"
#include "core/io/saver.hpp"
#include "ui/export/format_label.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/theme/elided_label.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/window/shell/language.hpp"

namespace parallax::ui {
namespace {

const SettingInfo& infoOf(const char* key) {
    for (const SettingInfo& info : Settings::all())
        if (QLatin1String(info.key) == QLatin1String(key)) return info;
    throw std::out_of_range(key);
}

/// A form that keeps its rows together at the top.
struct Page {
    QWidget* widget = new QWidget;
    QGridLayout* grid = new QGridLayout;
    Page() {
        auto* column = new QVBoxLayout(widget);
        column->addLayout(grid);
        column->addStretch(1);
        grid->setColumnStretch(1, 1);
        grid->setHorizontalSpacing(12);
    }
    void add(const QString& text, QWidget* control) {
        const int row = grid->rowCount();
        auto* label = new QLabel(text);
        label->setBuddy(control);
        grid->addWidget(label, row, 0);
        grid->addWidget(control, row, 1);
    }
    void addWide(QWidget* control) { grid->addWidget(control, grid->rowCount(), 0, 1, 2); }
    void addNote(const QString& text) {
        auto* note = new QLabel(text);
        note->setWordWrap(true);
        note->setForegroundRole(QPalette::PlaceholderText);
        addWide(note);
    }
};

}  // namespace

SettingsDialog::SettingsDialog(const Catalog& catalog, QAction& clearRecent, QWidget* parent) : QDialog(parent), catalog_(catalog) {
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("Settings"));
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);  // on the colour of the window, for which texts and outlines have their contrast
    described(tabs, tr("Groups of settings"), tr("Groups of settings"), "settingsPages");
    tabs->tabBar()->setAccessibleName(tabs->accessibleName());
    tabs->addTab(makeAppearancePage(), tr("&Appearance"));
    tabs->addTab(makeComputingPage(), tr("&Computing"));
    tabs->addTab(makeFilesPage(), tr("&Files"));
    tabs->addTab(makePrivacyPage(clearRecent), tr("&Privacy and history"));
    auto* place = new ElidedLabel;
    place->setText(tr("Settings file: %1").arg(Settings::filePath()));
    place->setForegroundRole(QPalette::PlaceholderText);
    selectable(place);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::RestoreDefaults | QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::RestoreDefaults)->setText(tr("Restore defaults"));
    buttons->button(QDialogButtonBox::RestoreDefaults)->setToolTip(tr("Restore the default of every setting"));
    buttons->button(QDialogButtonBox::RestoreDefaults)->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Close the dialog (Esc); changes are saved already"));
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, &SettingsDialog::restoreDefaults);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs, 1);
    layout->addWidget(place);
    layout->addWidget(buttons);
    load();
    resize(560, 420);
}

QComboBox* SettingsDialog::choice(const char* key, const QString& name, const QString& tip) {
    return described(new QComboBox, name, tip, key);
}

void SettingsDialog::bind(QComboBox& box, const char* key) {
    connect(&box, &QComboBox::currentIndexChanged, this, [&box, key] {
        if (box.currentIndex() >= 0) Settings::instance().set(QLatin1String(key), box.currentData());
    });
    loaders_.push_back([&box, key] {
        const QSignalBlocker blocker(box);
        const QVariant value = Settings::instance().value(QLatin1String(key));
        // A value that is not listed, such as a backend of another machine, stays visible.
        if (box.findData(value) < 0) box.addItem(value.toString(), value);
        box.setCurrentIndex(box.findData(value));
    });
}

QSpinBox* SettingsDialog::number(const char* key, const QString& name, const QString& tip, const QString& zero, const QString& unit) {
    const SettingInfo& info = infoOf(key);
    auto* box = described(new QSpinBox, name, tip, key);
    box->setRange(info.low, info.high);
    box->setGroupSeparatorShown(true);
    box->setSpecialValueText(zero);
    if (!unit.isEmpty()) box->setSuffix(QLatin1Char(' ') + unit);
    if (unit == QLatin1String("MiB")) box->setSingleStep(256);
    box->setKeyboardTracking(false);  // saved when the number is complete
    connect(box, &QSpinBox::valueChanged, this, [key](int value) { Settings::instance().set(QLatin1String(key), value); });
    loaders_.push_back([box, key] {
        const QSignalBlocker blocker(box);
        box->setValue(Settings::instance().value(QLatin1String(key)).toInt());
    });
    return box;
}

QCheckBox* SettingsDialog::flag(const char* key, const QString& text, const QString& tip) {
    auto* box = new QCheckBox(text);
    box->setObjectName(QLatin1String(key));
    box->setToolTip(tip);
    connect(box, &QCheckBox::toggled, this, [key](bool on) { Settings::instance().set(QLatin1String(key), on); });
    loaders_.push_back([box, key] {
        const QSignalBlocker blocker(box);
        box->setChecked(Settings::instance().value(QLatin1String(key)).toBool());
    });
    return box;
}

QWidget* SettingsDialog::folder(const char* key, const QString& name, const QString& tip) {
    auto* path = described(new QLineEdit, name, tip, key);
    path->setPlaceholderText(tr("Folder used last"));
    path->setClearButtonEnabled(true);
    auto* browse = new QPushButton(tr("C&hoose …"));
    browse->setToolTip(tr("Select the folder in a file dialog"));
    browse->setAutoDefault(false);
    connect(path, &QLineEdit::textChanged, this, [path, key](const QString& text) {
        const QString trimmed = text.trimmed().isEmpty() ? QString() : QDir::cleanPath(text.trimmed());
        const bool usable = trimmed.isEmpty() || QFileInfo(trimmed).isDir();
        // A path that is still being typed is not saved.
        if (usable) Settings::instance().set(QLatin1String(key), trimmed);
        QPalette colours;
        if (!usable) colours.setColor(QPalette::Text, currentTheme().error);
        path->setPalette(colours);
    });
    connect(browse, &QPushButton::clicked, this, [this, path, name] {
        auto* dialog = new QFileDialog(this, name, path->text());
        leaveNoHistory(*dialog);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, path, &QLineEdit::setText);
        openOnce(dialog);
    });
    loaders_.push_back([path, key] {
        const QSignalBlocker blocker(path);
        path->setText(Settings::instance().value(QLatin1String(key)).toString());
    });
    auto* row = new QWidget;
    auto* layout = makeLayout<QHBoxLayout>(row);
    layout->addWidget(path, 1);
    layout->addWidget(browse);
    row->setFocusProxy(path);
    return row;
}

QWidget* SettingsDialog::launcher() {
    constexpr const char* kKey = "compute/mpi-launcher";
    auto* words =
        described(new QLineEdit, tr("Launcher of MPI ranks"),
                  tr("Command that starts the ranks of the backend mpi, with {ranks} for their number, such as srun -n {ranks}"), kKey);
    words->setPlaceholderText(QLatin1String(kDefaultMpiLauncher));
    words->setClearButtonEnabled(true);
    if (environmentSetsMpiLauncher()) {
        words->setEnabled(false);
        words->setToolTip(tr("The environment variable PARALLAX_MPI_LAUNCHER sets it: %1").arg(QString::fromStdString(mpiLauncher())));
    }
    connect(words, &QLineEdit::textChanged, this, [words](const QString& text) {
        bool usable = true;
        try {
            if (!text.trimmed().isEmpty()) (void)launcherWords(text.trimmed().toStdString());
        } catch (const Error&) {
            usable = false;  // or still being typed: not saved
        }
        if (usable) Settings::instance().set(QLatin1String(kKey), text.trimmed());
        QPalette colours;
        if (!usable) colours.setColor(QPalette::Text, currentTheme().error);
        words->setPalette(colours);
    });
    loaders_.push_back([words] {
        const QSignalBlocker blocker(words);
        words->setText(Settings::instance().value(QLatin1String(kKey)).toString());
    });
    return words;
}

QWidget* SettingsDialog::makeAppearancePage() {
    Page page;
    auto* language = choice("appearance/language", tr("Language"), tr("Language of the window, from the next start on"));
    language->addItem(tr("Follow system"), QString());
    for (const QString& code : QStringList{QStringLiteral("en")} + builtInLanguages()) {
        const QString own = QLocale(code).nativeLanguageName();
        language->addItem(code == QLatin1String("en") ? QStringLiteral("English") : own.left(1).toUpper() + own.mid(1), code);
    }
    bind(*language, "appearance/language");
    page.add(tr("&Language"), language);
    page.addNote(tr("Another language is used from the next start on."));
    auto* theme = choice("appearance/theme", tr("Theme"), tr("Colours of the window; high contrast has text of at least 7:1"));
    const QStringList values = infoOf("appearance/theme").choices;
    const QStringList titles{tr("Follow system"), tr("Light"), tr("Dark"), tr("High contrast")};
    for (qsizetype i = 0; i < values.size(); ++i) theme->addItem(titles[i], values[i]);
    bind(*theme, "appearance/theme");
    connect(theme, &QComboBox::currentIndexChanged, this, [] { applyTheme(Settings::instance().theme()); });
    page.add(tr("&Theme"), theme);
    page.add(tr("&Digits of samples"), number("appearance/digits", tr("Digits of samples"),
                                              tr("Significant digits of sample values where there is room; tooltips show more")));
    page.addWide(
        flag("appearance/dither", tr("D&ither pictures on the screen"),
             tr("Show values between two of the 256 levels of the screen as a mixture of both, which hides steps in smooth gradients. "
                "Saved samples are not changed; pictures of the view show it.")));
    page.addNote(tr("Dithering hides steps in smooth gradients and leaves samples as they are."));
    return page.widget;
}

QWidget* SettingsDialog::makeComputingPage() {
    Page page;
    auto* backend = choice("compute/backend", tr("Default backend"), tr("Backend of A when Parallax starts"));
    fillBackends(*backend);
    bind(*backend, "compute/backend");
    page.add(tr("Default &backend"), backend);
    device_ = choice("compute/device", tr("Default device"), tr("Device of the default backend, if it has several"));
    bind(*device_, "compute/device");
    connect(backend, &QComboBox::currentIndexChanged, this, &SettingsDialog::fillDevices);
    page.add(tr("Default &device"), device_);
    auto* rendering = choice("compute/rendering", tr("Live rendering of volumes"), tr("What renders volumes beside their planes"));
    rendering->addItem(tr("Automatic (GPU if there is one)"), QStringLiteral("automatic"));
    rendering->addItem(tr("CPU"), QStringLiteral("cpu"));
    bind(*rendering, "compute/rendering");
    page.add(tr("&Volume rendering"), rendering);
    page.add(tr("&Threads"), number("compute/threads", tr("Threads"), tr("Most threads of CPU backends, also in benchmarks"), tr("All")));
    page.add(tr("&Memory limit"),
             number("compute/memory-limit", tr("Memory limit"),
                    tr("Memory that Parallax may use. Larger images are in scratch files on the disk, which takes longer."), tr("None"),
                    QStringLiteral("MiB")));
    page.add(tr("Memory limit of &GPUs"),
             number("compute/device-memory-limit", tr("Memory limit of GPUs"),
                    tr("Memory that a run may use on a device. Runs that need more are divided where the operation supports it."),
                    tr("None"), QStringLiteral("MiB")));
    page.add(tr("Launcher of MPI &ranks"), launcher());
    page.addWide(flag("compute/notify", tr("&Notify when long work ends"),
                      tr("Show a notification of the desktop when work of more than ten seconds ends while another window is in use")));
    page.addNote(tr("Threads, limits and launcher apply to the next run, backend and device to the next start."));
    return page.widget;
}

QWidget* SettingsDialog::makeFilesPage() {
    Page page;
    page.add(tr("&Save in"), folder("files/save-folder", tr("Folder for saving"), tr("Folder where dialogs for saving start")));
    auto* format = choice("files/save-format", tr("Format for saving"), tr("Format with which the dialog for saving samples starts"));
    format->addItem(tr("Format used last"), QString());
    for (const SavableFormat& each : savableFormats()) format->addItem(formatLabel(each), QString::fromStdString(each.extension));
    bind(*format, "files/save-format");
    page.add(tr("F&ormat"), format);
    page.addWide(flag("files/auto-reload", tr("&Reload files that another program changes"),
                      tr("Reload the open file whenever another program changes it")));
    page.addWide(flag("session/restore", tr("Open the &last session when Parallax starts"),
                      tr("Start with the files, pipeline and view that were open when Parallax was closed")));
    return page.widget;
}

QWidget* SettingsDialog::makePrivacyPage(QAction& clearRecent) {
    Page page;
    page.addWide(flag(
        "privacy/hide-patient-data", tr("&Hide patient data"),
        tr("Leave patient data and paths of DICOM files out of metadata, window title, pictures, recent files and the settings file")));
    page.addNote(tr("When this is off, reload open files to read their patient data."));
    page.addWide(flag("privacy/recent-files", tr("Remember &recent files"),
                      tr("List recent files in the File menu and the empty window; off also forgets pinned files")));
    auto* clear = new QPushButton(tr("C&lear recent files"));
    clear->setObjectName(QStringLiteral("clearRecent"));
    clear->setToolTip(clearRecent.toolTip());
    clear->setAutoDefault(false);
    clear->setEnabled(clearRecent.isEnabled());
    connect(clear, &QPushButton::clicked, &clearRecent, &QAction::trigger);
    connect(&clearRecent, &QAction::changed, clear, [clear, &clearRecent] { clear->setEnabled(clearRecent.isEnabled()); });
    page.grid->addWidget(clear, page.grid->rowCount(), 0, 1, 2, Qt::AlignLeft);
    auto* keep = flag("history/keep", tr("&Keep benchmarks in the history"), tr("Save every benchmark and sweep for later comparison"));
    page.addWide(keep);
    auto* runs = number("history/max-runs", tr("Runs in the history"), tr("The oldest runs beyond this number are removed"));
    auto* days = number("history/max-days", tr("Age of runs in the history"), tr("Older runs are removed when the next one is saved"),
                        tr("Any"), tr("days"));
    page.add(tr("&Number of runs"), runs);
    page.add(tr("Greatest a&ge"), days);
    const auto follow = [keep, runs, days] {
        runs->setEnabled(keep->isChecked());
        days->setEnabled(keep->isChecked());
    };
    connect(keep, &QCheckBox::toggled, this, follow);
    loaders_.push_back(follow);
    return page.widget;
}

void SettingsDialog::fillBackends(QComboBox& box) {
    box.addItem(tr("Automatic (first available)"), QString());
    for (const auto& backend : catalog_.backends()) {
        if (!backend->availability().yes) continue;
        const QString id = QString::fromStdString(backend->id());
        box.addItem(id, id);
        box.setItemData(box.count() - 1, QString::fromStdString(backend->title()), Qt::ToolTipRole);
    }
}

void SettingsDialog::fillDevices() {
    const QSignalBlocker blocker(device_);
    device_->clear();
    const std::string id = Settings::instance().backend().toStdString();
    for (const auto& backend : catalog_.backends())
        if (backend->id() == id && backend->availability().yes)
            for (const DeviceInfo& device : backend->devices()) device_->addItem(QString::fromStdString(device.name), device.index);
    if (device_->count() == 0) device_->addItem(tr("Automatic"), 0);
    const int row = device_->findData(Settings::instance().device());
    device_->setCurrentIndex(std::max(0, row));
    device_->setEnabled(device_->count() > 1);
}

void SettingsDialog::restoreDefaults() {
    for (const SettingInfo& info : Settings::all()) Settings::instance().set(QLatin1String(info.key), info.fallback);
    applyTheme(Settings::instance().theme());
    load();
}

void SettingsDialog::load() {
    for (const auto& each : loaders_) each();
    fillDevices();
}

}  // namespace parallax::ui
