// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window about contact sheets.
#include <QAction>
#include <QBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/compare/compare_view.hpp"
#include "ui/help/context_help.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/sheet/contact_sheet_bar.hpp"
#include "ui/window/sheet/contact_sheet_dialog.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::ui {

void MainWindow::makeSheetActions() {
    using K = QKeySequence;
    makeCommand("contact-sheet", tr("Contact s&heet …"), {}, {K(tr("Ctrl+Shift+K"))},
                tr("Show the active pane with up to %1 values of a parameter").arg(kMaxSides),
                [this] { askContactSheet(pipeline_->form().row()); });
    makeCommand("adopt-steps", tr("Use &these steps"), {}, {},
                tr("Use the steps of the active picture, and close the contact sheet (also: double click, or Enter in the picture)"),
                [this] { adoptSteps(session_->pipeline(), session_->pipeline().active()); });
    makeCommand("close-sheet", tr("Clos&e contact sheet"), {}, {}, tr("Close the contact sheet, and restore the panes as they were"),
                [this] { closeSheet(session_->pipeline()); });
    auto* centre = static_cast<QBoxLayout*>(centralWidget()->layout());
    auto* bar = new ContactSheetBar(session_->pipeline(), *action("adopt-steps"), *action("close-sheet"));
    setHelpTopic(*bar, QStringLiteral("contactSheet"));
    centre->insertWidget(0, bar);
    connect(&pipeline_->form(), &ParameterForm::sheetRequested, this, &MainWindow::askContactSheet);
    const PipelineModel* model = &session_->pipeline();
    for (const auto signal : {&PipelineModel::setupChanged, &PipelineModel::activeChanged})
        connect(model, signal, this, &MainWindow::followSheet);
    connect(session_.get(), &Session::originalChanged, this, &MainWindow::followSheet);
    followSheet();
}

void MainWindow::askContactSheet(int row, const std::string& key) {
    PipelineModel& model = session_->pipeline();
    const ImagePtr input = session_->comparison().inputOf(model.active());
    auto* dialog = new ContactSheetDialog(model.pipeline(), input ? valueScaleOf(*input) : ValueScale{}, this);
    setHelpTopic(*dialog, QStringLiteral("contactSheet"));
    dialog->choose(row, key);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog] { showSheet(session_->pipeline(), dialog->sheet(), tr("Contact sheet of %1").arg(dialog->title())); });
    openOnce(dialog);
}

void MainWindow::followSheet() {
    const PipelineModel& model = session_->pipeline();
    const bool sheet = !model.setup().beforeSheet.empty();
    const auto& steps = model.pipeline().steps;
    const bool varies = std::any_of(steps.begin(), steps.end(), [](const Step& step) { return !sheetParameters(step).empty(); });
    action("contact-sheet")->setEnabled(session_->original() && varies);
    for (const char* name : {"adopt-steps", "close-sheet"}) action(name)->setEnabled(sheet);
    if (sheet == viewBeforeSheet_.has_value()) return;
    if (sheet) {
        viewBeforeSheet_ = {viewNames().value(static_cast<int>(compare_->layoutKind())), compare_->originalShown(), volume_.planes()};
        setViewName(QStringLiteral("all"));
        action("original")->setChecked(false);
        // Nine volumes in three planes each would be too small.
        if (showsVolume() && volume_.planes() == PlaneChoice::all) volume_.setPlanes(PlaneChoice::axial);
        return;
    }
    const ViewBeforeSheet before = *std::exchange(viewBeforeSheet_, {});
    setViewName(before.layout);
    action("original")->setChecked(before.original);
    volume_.setPlanes(before.planes);
}

}  // namespace parallax::ui
