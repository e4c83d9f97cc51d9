// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/pane_settings.hpp"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "ui/help/context_help.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/models/pipeline/target_model.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/narrow_tabs.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

const QString kAsk = QStringLiteral("ask");  // item that asks for a file; inputs are absolute or have a colon

/// The CPU backend that may use several threads, the one with several devices, or the one that starts ranks.
enum class Resource { none, threads, devices, ranks };

Resource resourceOf(const Catalog& catalog, const Target& target) {
    const Backend& backend = catalog.backend(target.backend);
    if (!backend.availability().yes) return Resource::none;
    if (runsOnlyWhenNamed(target.backend)) return Resource::ranks;
    const std::vector<DeviceInfo> devices = backend.devices();
    if (devices.size() > 1) return Resource::devices;
    return devices.empty() || backend.isSerial() || !isProcessor(devices.front()) ? Resource::none : Resource::threads;
}

/// All counts of a small machine, else powers of two and the most.
std::vector<int> threadChoices(int chosen) {
    constexpr int kListed = 8;
    const int most = effectiveThreads({});
    std::vector<int> counts;
    for (int n = 1; n < most; n = n < kListed && most <= kListed ? n + 1 : 2 * n) counts.push_back(n);
    counts.push_back(most);
    if (chosen > 0 && std::find(counts.begin(), counts.end(), chosen) == counts.end()) counts.push_back(chosen);
    std::sort(counts.begin(), counts.end());
    return counts;
}

/// The list is as wide as its longest item, whatever the width of the box.
void widenList(QComboBox& box) { box.view()->setMinimumWidth(box.view()->sizeHintForColumn(0) + 24); }

}  // namespace

PaneSettings::PaneSettings(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
    setHelpTopic(*this, QStringLiteral("targets"));
    auto* layout = makeLayout<QVBoxLayout>(this, 5);
    layout->addWidget(makeTabs());
    auto* rows = new QWidget;
    grid_ = makeLayout<QGridLayout>(rows);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(1, 3);
    grid_->setColumnStretch(2, 2);
    layout->addWidget(rows);
    layout->addWidget(makeInput());
    layout->addWidget(makeLight());
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connectSession();
    showPanes();
}

QWidget* PaneSettings::makeTabs() {
    tabs_ = described(new QTabBar, tr("Panes"), tr("Compared panes. The steps, parameters and input below are those of the chosen one."),
                      "panes");
    setHelpTopic(*tabs_, QStringLiteral("panes"));
    tabs_->setProperty(kNarrowTabs, true);  // letters
    tabs_->setExpanding(false);
    tabs_->setDrawBase(false);
    tabs_->setUsesScrollButtons(true);
    tabs_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) { session_.pipeline().setActive(static_cast<Side>(tab)); });
    connect(tabs_, &QTabBar::customContextMenuRequested, this, [this](const QPoint& at) {
        if (const int tab = tabs_->tabAt(at); tab >= 0) tabs_->setCurrentIndex(tab);
        emit menuRequested(tabs_->mapToGlobal(at));
    });
    add_ = iconButton(QStringLiteral("add"), tr("Add a pane, a duplicate of the active one"));
    remove_ = iconButton(QStringLiteral("remove"), tr("Remove the active pane; two always remain"));
    connect(add_, &QToolButton::clicked, this, [this] { duplicatePane(session_.pipeline(), session_.pipeline().active()); });
    connect(remove_, &QToolButton::clicked, this, [this] { removePane(session_.pipeline(), session_.pipeline().active()); });
    auto* line = new QWidget;
    auto* row = makeLayout<QHBoxLayout>(line, 2);
    row->addWidget(tabs_, 0, Qt::AlignBottom);
    row->addStretch();
    row->addWidget(add_);
    row->addWidget(remove_);
    return line;
}

QWidget* PaneSettings::makeInput() {
    auto* line = new QWidget;
    auto* row = makeLayout<QHBoxLayout>(line, 6);
    auto* label = new QLabel(tr("Input"));
    input_ = described(new QComboBox, tr("Input of the pane"),
                       tr("Image that the steps of this pane process: the open image, which the other files replace when they are shown, "
                          "or a file of its own."),
                       "paneInput");
    setHelpTopic(*input_, QStringLiteral("panes"));
    setNarrow(*input_, 8);
    label->setBuddy(input_);
    sameSteps_ = described(new QCheckBox(tr("Steps as A")), tr("Same steps as A"),
                           tr("Compute this pane with the steps of A. Without the check mark it has steps of its own, at first a copy."),
                           "sameSteps");
    setHelpTopic(*sameSteps_, QStringLiteral("panes"));
    row->addWidget(label);
    row->addWidget(input_, 1);
    row->addWidget(sameSteps_);
    connect(input_, &QComboBox::activated, this, &PaneSettings::chooseInput);
    connect(sameSteps_, &QCheckBox::clicked, this,
            [this](bool same) { setOwnSteps(session_.pipeline(), session_.pipeline().active(), !same); });
    return line;
}

QWidget* PaneSettings::makeLight() {
    auto* line = new QWidget;
    auto* row = makeLayout<QHBoxLayout>(line, 6);
    auto* label = new QLabel(tr("Colours"));
    light_ =
        described(new QComboBox, tr("Light of the pane"),
                  tr("The steps of this pane work on linear light, or on encoded values like programs that filter the stored codes. Panes, "
                     "differences and files have linear light in either case."),
                  "paneLight");
    setHelpTopic(*light_, QStringLiteral("panes"));
    light_->addItems({tr("Linear light"), tr("Encoded values")});
    setNarrow(*light_, 8);
    label->setBuddy(light_);
    row->addWidget(label);
    row->addWidget(light_, 1);
    connect(light_, &QComboBox::activated, this,
            [this](int chosen) { setEncoded(session_.pipeline(), session_.pipeline().active(), chosen == 1); });
    return line;
}

void PaneSettings::connectSession() {
    const PipelineModel& model = session_.pipeline();
    connect(&model, &PipelineModel::setupChanged, this, &PaneSettings::showPanes);
    connect(&model, &PipelineModel::activeChanged, this, &PaneSettings::showPanes);
    connect(&session_, &Session::originalChanged, this, &PaneSettings::nameInputs);
    connect(&session_.comparison().inputs(), &InputStore::changed, this, &PaneSettings::nameInputs);
    connect(&Settings::instance(), &Settings::changed, this, &PaneSettings::nameInputs);
    // Automatic backends follow without an edit.
    connect(&session_.comparison(), &Comparison::sideChanged, this, [this](Side side) {
        if (session_.pipeline().setup().has(side) && indexOf(side) < rows_.size()) showRow(side);
    });
    // Another launcher may be there, or not; a kernel is a new variant.
    connect(&Settings::instance(), &Settings::changed, this, &PaneSettings::listTargetsAgain);
    connect(&session_.kernels(), &Kernels::compiled, this, &PaneSettings::listTargetsAgain);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        for (const Row& row : rows_) showBadge(row);
    });
}

void PaneSettings::listTargetsAgain() {
    for (const Row& row : rows_) {
        const QSignalBlocker blocker(row.target);
        row.targets->refresh();
        row.target->setCurrentIndex(row.targets->findOrList(QString::fromStdString(row.shown.label())));
    }
}

void PaneSettings::setInputs(const QStringList& inputs) {
    if (inputs == inputs_) return;
    inputs_ = inputs;
    showInput();
}

void PaneSettings::addRow(Side side) {
    const QString letter = letterOf(side);
    Row row;
    row.targets = new TargetModel(session_.catalog(), this);
    row.target = described(new QComboBox, tr("Backend of %1").arg(letter),
                           tr("Backend and variant that compute result %1. The tooltip of an unavailable backend says why.").arg(letter));
    row.target->setModel(row.targets);
    setNarrow(*row.target, 8);
    row.resource = new QComboBox;
    setNarrow(*row.resource, 6);
    row.badge = new QLabel(letter);
    row.badge->setAlignment(Qt::AlignCenter);
    row.badge->setFixedWidth(row.badge->fontMetrics().height() + 6);
    row.badge->setBuddy(row.target);
    showBadge(row);
    const int line = static_cast<int>(rows_.size());
    grid_->addWidget(row.badge, line, 0);
    grid_->addWidget(row.target, line, 1);
    grid_->addWidget(row.resource, line, 2);
    connect(row.target, &QComboBox::activated, this, [this, side](int chosen) { chooseTarget(side, chosen); });
    connect(row.resource, &QComboBox::activated, this,
            [this, side, box = row.resource](int chosen) { chooseResource(side, box->itemData(chosen).toInt()); });
    rows_.push_back(row);
}

void PaneSettings::showBadge(const Row& row) {
    row.badge->setStyleSheet(QStringLiteral("background: %1; color: white; border-radius: 3px; font-weight: bold; padding: 2px;")
                                 .arg(currentTheme().badge(row.badge->text()).name()));
}

void PaneSettings::showPanes() {
    const std::size_t count = session_.pipeline().setup().panes.size();
    while (rows_.size() < count) addRow(static_cast<Side>(rows_.size()));
    showTabs();
    // Two panes have their backends below each other; of more, the active one is shown.
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const auto side = static_cast<Side>(i);
        const bool shown = i < count && (count == 2 || side == session_.pipeline().active());
        for (QWidget* widget : {static_cast<QWidget*>(rows_[i].badge), static_cast<QWidget*>(rows_[i].target)}) widget->setVisible(shown);
        if (i < count) showRow(side);
        rows_[i].resource->setVisible(shown && rows_[i].resource->count() > 0);
    }
    showInput();
    showSteps();
}

void PaneSettings::showTabs() {
    const QSignalBlocker blocker(tabs_);
    const PipelineModel& model = session_.pipeline();
    const int count = static_cast<int>(model.setup().panes.size());
    while (tabs_->count() > count) tabs_->removeTab(tabs_->count() - 1);
    while (tabs_->count() < count) tabs_->addTab(letterOf(static_cast<Side>(tabs_->count())));
    for (int tab = 0; tab < count; ++tab) {
        const auto side = static_cast<Side>(tab);
        QString tip = tr("Pane %1: %2").arg(letterOf(side), QString::fromStdString(entryLabel(model.setup().pane(side).target)));
        if (side == model.reference()) tip += QLatin1Char('\n') + tr("Reference of the difference");
        tabs_->setTabToolTip(tab, tip);
    }
    tabs_->setCurrentIndex(static_cast<int>(model.active()));
    add_->setEnabled(count < kMaxSides);
    remove_->setEnabled(count > 2);
}

void PaneSettings::showRow(Side side) {
    Row& row = rows_[indexOf(side)];
    const CompareSetup& setup = session_.pipeline().setup();
    const QSignalBlocker blocker(row.target);
    // Called while a slider moves: does nothing then.
    if (!row.targets->setPipeline(setup.stepsOf(side)) && row.shown == setup.pane(side).target) return;
    row.shown = setup.pane(side).target;
    row.target->setCurrentIndex(row.targets->findOrList(QString::fromStdString(row.shown.label())));
    widenList(*row.target);
    showResource(side);
}

void PaneSettings::showResource(Side side) {
    const Row& row = rows_[indexOf(side)];
    const Target& target = session_.pipeline().setup().pane(side).target;
    const Resource resource = resourceOf(session_.catalog(), target);
    const QString letter = letterOf(side);
    QComboBox& box = *row.resource;
    const QSignalBlocker blocker(box);
    box.clear();
    if (resource == Resource::none) return box.hide();
    if (resource == Resource::devices) {
        described(&box, tr("Device of %1").arg(letter), tr("Device that computes result %1.").arg(letter));
        for (const DeviceInfo& device : session_.catalog().backend(target.backend).devices())
            box.addItem(tr("%1: %2").arg(device.index).arg(QString::fromStdString(device.name)), device.index);
        box.setCurrentIndex(box.findData(target.device));
    } else if (resource == Resource::ranks) {
        described(&box, tr("Ranks of %1").arg(letter),
                  tr("Number of MPI ranks that compute result %1, each a part of the image.").arg(letter));
        for (const int count : threadChoices(target.parts)) box.addItem(count == 1 ? tr("1 rank") : tr("%1 ranks").arg(count), count);
        box.setCurrentIndex(box.findData(target.parts));
    } else {
        described(&box, tr("Threads of %1").arg(letter), tr("Number of CPU threads that compute result %1.").arg(letter));
        box.addItem(tr("All threads"), 0);
        for (const int count : threadChoices(target.threads)) box.addItem(formatThreads(count), count);
        box.setCurrentIndex(box.findData(target.threads));
    }
    widenList(box);
    box.setVisible(!row.target->isHidden());
}

void PaneSettings::chooseTarget(Side side, int row) {
    const Target& before = session_.pipeline().setup().pane(side).target;
    Target target = targetOfLabel(rows_[indexOf(side)].targets->index(row).data(TargetModel::labelRole).toString().toStdString());
    // Threads and device stay where they mean the same.
    if (target.backend == before.backend) target.device = before.device;
    if (resourceOf(session_.catalog(), target) == Resource::threads) target.threads = before.threads;
    if (runsOnlyWhenNamed(target.backend) && before.backend == target.backend) target.parts = before.parts;
    setTarget(session_.pipeline(), side, target);
}

void PaneSettings::chooseResource(Side side, int value) {
    Target target = session_.pipeline().setup().pane(side).target;
    const Resource resource = resourceOf(session_.catalog(), target);
    (resource == Resource::devices ? target.device : resource == Resource::ranks ? target.parts : target.threads) = value;
    setTarget(session_.pipeline(), side, target);
}

QString PaneSettings::inputText(const QString& input) const {
    const Comparison& comparison = session_.comparison();
    ImagePtr image = input == session_.inputName() ? session_.original() : nullptr;
    for (const Side side : session_.sides())
        if (session_.pipeline().setup().pane(side).input == input) image = comparison.inputOf(side);
    return nameInWindow(input, image);
}

void PaneSettings::showInput() {
    const QSignalBlocker blocker(input_);
    const CompareSetup& setup = session_.pipeline().setup();
    QStringList inputs = inputs_, ofPanes;
    for (const PaneSetup& pane : setup.panes) {
        ofPanes << pane.input;
        if (!pane.input.isEmpty() && !inputs.contains(pane.input)) inputs << pane.input;
    }
    // Called by each edit: thousands of names would take too long.
    if (!named_ || inputs != listed_ || ofPanes != ofPanes_) fillInputs(inputs);
    named_ = true;
    listed_ = inputs;
    ofPanes_ = ofPanes;
    if (session_.original()) input_->setItemData(0, tr("Open image (%1)").arg(inputText(session_.inputName())), Qt::ToolTipRole);
    input_->setCurrentIndex(std::max(0, input_->findData(setup.pane(session_.pipeline().active()).input)));
    input_->setEnabled(setup.beforeSheet.empty());
    showLight();
}

void PaneSettings::nameInputs() {
    named_ = false;
    showInput();
}

void PaneSettings::fillInputs(QStringList inputs) {
    QStringList texts{tr("Open image")};  // whose name is in the title of the window, and would not fit
    for (const QString& input : inputs) texts << inputText(input);
    inputs.prepend(QString());
    if (inputs != shownInputs_ || texts != shownTexts_) {
        shownInputs_ = inputs;
        shownTexts_ = texts;
        input_->clear();
        for (qsizetype i = 0; i < inputs.size(); ++i) input_->addItem(texts[i], inputs[i]);
        input_->insertSeparator(input_->count());
        input_->addItem(tr("Open …"), kAsk);
        widenList(*input_);
    }
}

void PaneSettings::showLight() {
    const Side active = session_.pipeline().active();
    const CompareSetup& setup = session_.pipeline().setup();
    const bool encoded = setup.pane(active).encoded;
    const ImagePtr image = session_.comparison().inputOf(active);
    light_->setCurrentIndex(encoded ? 1 : 0);
    light_->setEnabled(setup.beforeSheet.empty() && (encoded || !image || !(image->isVolume() || image->source.medical)));
}

void PaneSettings::chooseInput(int row) {
    const QString input = input_->itemData(row).toString();
    const Side side = session_.pipeline().active();
    if (input != kAsk) return setInput(session_.pipeline(), side, input);
    showInput();  // the choice comes later, if at all
    emit inputAsked(side);
}

void PaneSettings::showSteps() {
    const CompareSetup& setup = session_.pipeline().setup();
    const Side active = session_.pipeline().active();
    sameSteps_->setVisible(active != Side::a);
    sameSteps_->setChecked(!setup.pane(active).steps);
    sameSteps_->setEnabled(setup.beforeSheet.empty());
}

}  // namespace parallax::ui
