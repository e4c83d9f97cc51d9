// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/bridge/session.hpp"

namespace parallax::ui {

void Session::requestHistogram(PaneRole role, HistogramScale scale) {
    // A name that begins with "view": cancelling a computation leaves what only shows it.
    const QString key = QStringLiteral("view histogram");
    const ImagePtr image = imageOf(role);
    if (!image) {
        drop(viewQueue_, key);
        histogram_.reset();
        return emit histogramChanged();
    }
    auto made = std::make_shared<std::shared_ptr<const Histogram>>();
    submit(
        viewQueue_, key, tr("Counting values"),
        [made, image, scale](const std::stop_token& stop) {
            *made = std::make_shared<const Histogram>(computeHistogram(*image, scale, stop));
        },
        [this, made] {
            histogram_ = *made;
            emit histogramChanged();
        },
        [this](ErrorCode code, const Message& message) {
            histogram_.reset();
            emit histogramChanged();
            if (code != ErrorCode::cancelled) emit messageRaised(message);
        });
}

}  // namespace parallax::ui
