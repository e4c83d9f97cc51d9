// SPDX-License-Identifier: GPL-3.0-or-later
// What the pane of the difference shows. The metrics and what is exported stay those of B - A.
#include "ui/session/session.hpp"
#include "ui/session/signed_difference.hpp"

namespace parallax::ui {

void Session::setRelativeDifference(bool relative) {
    if (relative == relativeDifference_) return;
    relativeDifference_ = relative;
    // A comparison on its way looks at what is wanted when it comes back.
    if (difference_ && !pending_.contains(QStringLiteral("difference"))) showDifference();
}

void Session::showDifference() {
    const SideState &a = side(Side::a), &b = side(Side::b);
    if (!differenceImage_ || a.pending || b.pending || !a.result || !b.result) return;
    auto shown = std::make_shared<ImagePtr>();
    auto range = std::make_shared<double>();
    submit(
        viewQueue_, QStringLiteral("view difference"), tr("Preparing the view"),
        [shown, range, first = a.result->image, second = b.result->image, difference = differenceImage_, relative = relativeDifference_,
         memory = memory_](const std::stop_token& stop) {
            *shown = relative ? std::make_shared<const Image>(relativeDifference(*first, *second, stop, memory)) : difference;
            *range = typicalRange(**shown);
        },
        [this, shown, range, relative = relativeDifference_] {
            differenceRange_ = *range;
            shownRelative_ = relative;
            showImage(PaneRole::difference, *shown);
            emit differenceChanged();
        },
        [this](ErrorCode code, const Message& message) {
            if (code != ErrorCode::cancelled) emit messageRaised(message);
        });
}

}  // namespace parallax::ui
