// SPDX-License-Identifier: GPL-3.0-or-later
// Samples that are NaN or infinite: the message that counts them, and the way from one to the next.
#include <QAction>

#include "ui/models/document/formatting.hpp"
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
    messages_->setAction(kNonFiniteSource, *next);
    connect(session_.get(), &Session::originalChanged, this, [this] {
        session_->tasks().drop({TaskKind::nonFinite});
        messages_->clearSource(kNonFiniteSource);
        if (session_->original()) tellNonFinite(*session_->original());
    });
}

void MainWindow::tellNonFinite(const Image& image) {
    const NonFiniteCounts counts = nonFiniteSamples(image);
    if (!counts.any()) return;
    QStringList parts;
    if (counts.nan > 0) parts << tr("%1 NaN").arg(formatCount(counts.nan));
    if (counts.infinite > 0) parts << tr("%1 infinite").arg(formatCount(counts.infinite));
    tell({Message::Kind::warning, tr("The image has samples that are not finite numbers"), parts.join(QStringLiteral(", ")),
          tr("%1 shows them one after another; the step Fill missing samples replaces them").arg(shortcutsText(*action("next-non-finite"))),
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
