// SPDX-License-Identifier: GPL-3.0-or-later
// Samples that are NaN or infinite: the message that counts them, the way from one to the next, and what becomes of them.
#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/models/view/non_finite.hpp"
#include "ui/window/shell/action_list.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"

namespace parallax::ui {
namespace {

const QString kNonFiniteSource = QStringLiteral("non-finite");

}  // namespace

void MainWindow::makeNonFiniteCommand() {
    QAction* next = makeCommand("next-non-finite", tr("Next &NaN or infinity"), {}, {QKeySequence(Qt::Key_N)},
                                tr("Go to the next pixel with a sample that is NaN or infinite"), [this] { showNextNonFinite(); });
    messages_->addButton(kNonFiniteSource, *next);
    messages_->addButton(kNonFiniteSource, *makeNonFinitePolicies());
    connect(session_.get(), &Session::originalChanged, this, [this] {
        session_->tasks().drop({TaskKind::nonFinite});
        messages_->clearSource(kNonFiniteSource);
        if (session_->original()) tellNonFinite(*session_->original());
    });
}

QAction* MainWindow::makeNonFinitePolicies() {
    QAction* replace = makeAction("replace-non-finite", tr("Replace NaN and infinit&y"), {}, {},
                                  tr("Choose what becomes of samples that are NaN or infinite, as the first step of all panes"));
    replace->setIconText(tr("Replace"));
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    replace->setMenu(menu);
    auto* group = new QActionGroup(this);
    const auto add = [&](const char* name, const QString& text, const QString& tip, NonFinitePolicy policy) {
        QAction* a = makeCheck(name, text, {}, {}, tip, [this, policy] {
            if (policy == NonFinitePolicy::clamp) clampNonFinite();
            else setNonFinitePolicy(session_->pipeline(), policy);
        });
        a->setData(static_cast<int>(policy));
        group->addAction(a);
        menu->addAction(a);
    };
    add("non-finite-keep", tr("&Keep"), tr("Leave them as they are"), NonFinitePolicy::keep);
    add("non-finite-zero", tr("By &0"), tr("Replace them by 0"), NonFinitePolicy::zero);
    add("non-finite-clamp", tr("&Clamp to the finite range"),
        tr("Replace infinity by the smallest or largest finite sample, and NaN by the number between them that is nearest to 0"),
        NonFinitePolicy::clamp);
    add("non-finite-fill", tr("&Fill from their surroundings"), tr("Interpolate them smoothly from the samples around them"),
        NonFinitePolicy::fill);
    const auto showPolicy = [this, group] {
        const auto policy = static_cast<int>(nonFinitePolicy(session_->pipeline()));
        for (QAction* a : group->actions()) a->setChecked(a->data().toInt() == policy);
    };
    connect(&session_->pipeline(), &PipelineModel::pipelineChanged, this, showPolicy);
    connect(&session_->pipeline(), &PipelineModel::activeChanged, this, showPolicy);
    showPolicy();
    return replace;
}

void MainWindow::clampNonFinite() {
    const ImagePtr image = session_->original();
    if (!image) return;
    session_->tasks().submit(
        {TaskKind::nonFinite, QStringLiteral("range")}, tr("Computing the range of the samples"),
        [image](const std::stop_token&) { return computeStatistics(*image); },
        [this, image](const SampleStatistics& range) {
            if (image == session_->original()) setNonFinitePolicy(session_->pipeline(), NonFinitePolicy::clamp, range.min, range.max);
        });
}

void MainWindow::tellNonFinite(const Image& image) {
    const NonFiniteCounts counts = nonFiniteSamples(image);
    if (!counts.any()) return;
    QStringList parts;
    if (counts.nan > 0) parts << tr("%1 NaN").arg(formatCount(counts.nan));
    if (counts.infinite > 0) parts << tr("%1 infinite").arg(formatCount(counts.infinite));
    tell({Message::Kind::warning, tr("The image has samples that are not finite numbers"), parts.join(QStringLiteral(", ")),
          tr("%1 shows them one after another; Replace adds a first step that removes them").arg(shortcutsText(*action("next-non-finite"))),
          kNonFiniteSource});
}

void MainWindow::showNextNonFinite() {
    const ImagePtr image = session_->original();
    if (!image) return;
    // From where the user is: in a volume, at the crosshair.
    std::optional<PixelPosition> from = view_.mark();
    if (const Voxel& voxel = volume_.crosshair(); showsVolume()) from = PixelPosition{voxel[0], voxel[1], voxel[2]};
    session_->tasks().submit(
        {TaskKind::nonFinite}, tr("Looking for NaN and infinity"),
        [image, from](const std::stop_token& stop) { return nextNonFinitePixel(*image, from, stop); },
        [this](const std::optional<PixelPosition>& found) {
            if (found) view_.goTo(*found);
        });
}

}  // namespace parallax::ui
