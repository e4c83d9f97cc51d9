// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window that keeps the session on disk, and restores it after a crash.
#include <QAction>
#include <QActionGroup>
#include <QLocale>

#include "ui/compare/compare_view.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/message_log.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"
#include "ui/window/shell/session_keeper.hpp"

namespace parallax::ui {
namespace {

const QString kSource = QStringLiteral("session");

}  // namespace

void MainWindow::makeSessionActions() {
    makeCommand("restore-session", tr("R&estore session"), {}, {}, tr("Reopen the session that was closed unexpectedly"), [this] {
        restoreSession();
    })->setEnabled(false);
}

void MainWindow::keepSession(const QString& folder) {
    keeper_ = std::make_unique<SessionKeeper>(session_->catalog(), folder, [this] { return keptSession(); });
    const auto touch = [this] { keeper_->touch(); };
    connect(session_.get(), &Session::originalChanged, keeper_.get(), touch);
    connect(&session_->comparison(), &Comparison::sideChanged, keeper_.get(), touch);
    connect(&session_->pipeline(), &PipelineModel::pipelineChanged, keeper_.get(), touch);
    connect(&view_, &ViewState::viewChanged, keeper_.get(), touch);
    connect(&view_, &ViewState::displayChanged, keeper_.get(), touch);
    connect(layouts_, &QActionGroup::triggered, keeper_.get(), touch);
    connect(action("original"), &QAction::toggled, keeper_.get(), touch);
    action("restore-session")->setEnabled(keeper_->left().has_value());
    if (!keeper_->left()) return;
    const KeptSession& left = *keeper_->left();
    const QString when = QLocale().toString(left.saved, QLocale::ShortFormat);
    messages_->setAction(kSource, *action("restore-session"));
    tell({Message::Kind::warning, tr("Parallax was closed unexpectedly"),
          tr("%1 was open, last changed %2").arg(shortNameOf(left.inputs[left.current]), when),
          tr("Restore the session, or continue without it"), kSource});
}

QByteArray MainWindow::keptSession() const {
    if (!session_->original() || currentInput_ < 0) return {};
    KeptSession kept;
    // The newest input may still be loading, or fail to: keep the one that is shown.
    if (inputs_.value(currentInput_) == session_->inputName()) {
        for (const QString& input : inputs_) kept.inputs << lastingInput(input);
        kept.current = currentInput_;
    } else {
        kept.inputs = QStringList{lastingInput(session_->inputName())};
        kept.current = 0;
    }
    kept.pipeline = session_->pipeline().pipeline();
    kept.a = QString::fromStdString(session_->side(Side::a).target.label());
    kept.b = QString::fromStdString(session_->side(Side::b).target.label());
    kept.view = viewNames().value(static_cast<int>(compare_->layoutKind()));
    kept.originalShown = compare_->originalShown();
    kept.fitting = view_.fitting();
    kept.scale = view_.scale();
    kept.centre = view_.centre();
    kept.display = view_.display();
    return toJson(kept);
}

void MainWindow::restoreSession() {
    if (!keeper_ || !keeper_->left()) return;
    const KeptSession kept = *keeper_->left();
    keeper_->forgetLeft();
    action("restore-session")->setEnabled(false);
    messages_->clearSource(kSource);
    session_->pipeline().replacePipeline(kept.pipeline, tr("Restore session"));
    for (const auto& [side, label] : {std::pair{Side::a, kept.a}, std::pair{Side::b, kept.b}}) {
        try {
            const Target target = parseTarget(label.toStdString());
            (void)session_->catalog().backend(target.backend);
            session_->catalog().checkModes(target);
            session_->setTarget(side, label);
        } catch (const Error&) {  // unknown to this version or machine: the default stays
        }
    }
    setViewName(kept.view);
    action("original")->setChecked(kept.originalShown);
    view_.setDisplay(kept.display);
    inputs_ = kept.inputs;
    // A new image is fitted into its pane; zoom and position are restored after that.
    connect(
        session_.get(), &Session::originalChanged, this,
        [this, kept] {
            if (lastingInput(session_->inputName()) != kept.inputs[kept.current]) return;
            view_.setDisplay(kept.display);  // a volume brings its own
            if (kept.fitting) return;
            view_.setScale(kept.scale);
            view_.lookAt(kept.centre);
        },
        Qt::SingleShotConnection);
    showInput(kept.current);
}

}  // namespace parallax::ui
