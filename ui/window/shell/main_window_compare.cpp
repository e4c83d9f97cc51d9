// SPDX-License-Identifier: GPL-3.0-or-later
// The Compare menu: panes and their layout.
#include <QAction>
#include <QActionGroup>

#include "ui/compare/compare_view.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/window/dialogs/file_dialog.hpp"
#include "ui/window/shell/action_list.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::ui {

using K = QKeySequence;

void MainWindow::makePaneActions() {
    PipelineModel& model = session_->pipeline();
    makeCommand("add-pane", tr("A&dd pane"), "add", {K(tr("Ctrl+T"))}, tr("Add a pane, a duplicate of the active one"),
                [&model] { duplicatePane(model, model.active()); });
    makeCommand("remove-pane", tr("&Remove pane"), "remove", {K(tr("Ctrl+Shift+W"))}, tr("Remove the active pane; two always remain"),
                [&model] { removePane(model, model.active()); });
    const auto go = [&model](int by) {
        const int count = static_cast<int>(model.setup().panes.size());
        model.setActive(static_cast<Side>((static_cast<int>(model.active()) + by + count) % count));
    };
    makeCommand("next-pane", tr("Ne&xt pane"), {}, {K(tr("Ctrl+Tab"))}, tr("Make the next pane the active one"), [go] { go(1); });
    makeCommand("previous-pane", tr("Pre&vious pane"), {}, {K(tr("Ctrl+Shift+Tab"))}, tr("Make the previous pane the active one"),
                [go] { go(-1); });
    makeCommand("use-reference", tr("&Use as reference"), {}, {K(tr("Ctrl+Shift+R"))},
                tr("Subtract the active pane from the others in differences and metrics"),
                [&model] { setReference(model, model.active()); });
    makeCheck("same-steps", tr("&Same steps as A"), {}, {}, tr("Compute the active pane with the steps of A, or give it its own"),
              [&model](bool same) { setOwnSteps(model, model.active(), !same); });
    QAction* link = makeCheck("link-panes", tr("L&ink panes"), {}, {K(tr("Ctrl+L"))},
                              tr("Pan and zoom all panes together, or each on its own"), [this](bool linked) { view_.setLinked(linked); });
    link->setChecked(view_.linked());
    makeCommand("swap", tr("S&wap A and B"), {}, {K(Qt::Key_X)}, tr("Exchange input, steps and backend of A and B"),
                [&model] { swapPanes(model, Side::a, Side::b); });
}

void MainWindow::makeLayoutActions() {
    layouts_ = new QActionGroup(this);
    const auto layoutAction = [this](const char* name, const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                                     const QString& tip, Layout layout) {
        layouts_->addAction(makeCheck(name, text, icon, keys, tip, [this, layout] {
            compare_->setFlipped(false);  // "A alone" shows A
            action("flicker")->setChecked(false);
            compare_->setLayoutKind(layout);
        }));
    };
    layoutAction("view-single", QString(), "single", {K(tr("Ctrl+1"))}, QString(), Layout::single);
    layoutAction("view-side-by-side", QString(), "compare", {K(tr("Ctrl+2"))}, QString(), Layout::sideBySide);
    layoutAction("view-compare", tr("&Compare"), "grid", {K(tr("Ctrl+3")), K(Qt::Key_C)},
                 tr("Show reference, active pane and their difference"), Layout::compare);
    layoutAction("view-difference", tr("Di&fference"), "difference", {K(tr("Ctrl+4")), K(Qt::Key_D)}, tr("Show only the difference"),
                 Layout::difference);
    layoutAction("view-wipe", tr("Wi&pe"), "wipe", {K(tr("Ctrl+5")), K(Qt::Key_W)},
                 tr("Show reference and active pane in one pane, separated by a movable line"), Layout::wipe);
    layoutAction("view-all", tr("A&ll panes"), "grid", {K(tr("Ctrl+6"))}, tr("Show every compared pane"), Layout::all);
    action("view-compare")->setChecked(true);
    makeCommand("wipe-left", tr("&Move wipe line left"), {}, {K(Qt::Key_Comma)},
                tr("Move the wipe line left to show more of the right pane"), [this] { compare_->moveWipe(-0.02); });
    makeCommand("wipe-right", tr("Move wipe line ri&ght"), {}, {K(Qt::Key_Period)},
                tr("Move the wipe line right to show more of the left pane"), [this] { compare_->moveWipe(0.02); });
    makeCheck("flicker", {}, {}, {K(Qt::Key_B)}, {}, [this](bool flipped) {
        if (compare_->layoutKind() != Layout::single) setViewName(QStringLiteral("single"));
        compare_->setFlipped(flipped);
        action("flicker")->setChecked(flipped);
    });
    QAction* original = makeAction("original", tr("&Original"), "original", {K(Qt::Key_O)}, tr("Show the original beside the results"));
    original->setCheckable(true);
    original->setChecked(true);
    connect(original, &QAction::toggled, this, [this](bool shown) { compare_->setOriginalShown(shown); });
}

void MainWindow::updateCompareActions() {
    const PipelineModel& model = session_->pipeline();
    const CompareSetup& setup = model.setup();
    action("add-pane")->setEnabled(setup.panes.size() < static_cast<std::size_t>(kMaxSides));
    action("remove-pane")->setEnabled(setup.panes.size() > 2);
    action("use-reference")->setEnabled(model.active() != model.reference());
    action("same-steps")->setEnabled(model.active() != Side::a && setup.beforeSheet.empty());
    action("same-steps")->setChecked(!setup.pane(model.active()).steps);
    action("link-panes")->setEnabled(!showsVolume());
    const auto describe = [this](const char* name, const QString& text, const QString& tip) {
        QAction& described = *action(name);
        described.setText(text);
        described.setToolTip(tr("%1 (%2)").arg(tip, shortcutsText(described)));
        described.setStatusTip(tip);
    };
    const QString active = letterOf(model.active()), reference = letterOf(model.reference()), subject = letterOf(model.subject());
    const QString other = model.active() == model.subject() ? reference : subject;
    describe("view-single", tr("%1 &alone").arg(active), tr("Show only result %1").arg(active));
    describe("view-side-by-side", tr("%1 a&nd %2").arg(reference, subject), tr("Show %1 and %2 side by side").arg(reference, subject));
    describe("flicker", tr("Flic&ker %1 and %2").arg(active, other),
             tr("Show %2 in place of %1; press again to return to %1").arg(active, other));
}

void MainWindow::askPaneInput(Side side) {
    askForFiles(this,
                {tr("Input of %1").arg(letterOf(side)), kOpenFolderKey, QFileDialog::ExistingFile, {imageFilter(), tr("All files (*)")}},
                [this, side](const QStringList& files) {
                    const QString& file = files.front();
                    if (!lacksHeader(file)) return setInput(session_->pipeline(), side, file);
                    askRaw(
                        file, false, [this, side](const QString& entered) { setInput(session_->pipeline(), side, entered); }, [] {});
                });
}

}  // namespace parallax::ui
