// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector asks to be counted, in the background.
#include <algorithm>
#include <cmath>

#include "ui/models/view/small_version.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {

void Session::requestHistogram(PaneRole role, HistogramScale scale, const QRect& pixels, HistogramOf of) {
    // A name that begins with "view": cancelling a computation leaves what only shows it.
    const QString key = QStringLiteral("view histogram");
    const ImagePtr image = imageOf(role);
    // A part that lies beside the image is not the whole of it.
    if (!image || (!pixels.isEmpty() && (pixels & pixelsOf(*image)).isEmpty())) {
        drop(viewQueue_, key);
        histogram_.reset();
        return emit histogramChanged();
    }
    auto made = std::make_shared<std::shared_ptr<const Histogram>>();
    submit(
        viewQueue_, key, tr("Computing the histogram"),
        [made, image, scale, of, part = pixels & pixelsOf(*image)](const std::stop_token& stop) {
            *made = std::make_shared<const Histogram>(computeHistogram(*image, part, scale, stop, of));
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

void Session::requestRegion(const QRect& pixels) {
    const QString key = QStringLiteral("view region");
    const ImagePtr original = original_, a = imageOf(PaneRole::a), b = imageOf(PaneRole::b);
    const QRect part = original ? pixels & pixelsOf(*original) : QRect();
    if (part.isEmpty()) {
        drop(viewQueue_, key);
        region_.reset();
        return emit regionChanged();
    }
    auto made = std::make_shared<RegionStatistics>();
    submit(
        viewQueue_, key, tr("Computing statistics of the selection"),
        [made, original, a, b, part](const std::stop_token& stop) {
            made->pixels = part;
            const auto statistics = [&](const ImagePtr& image) {
                const bool there =
                    image && image->shape().width == original->shape().width && image->shape().height == original->shape().height;
                return there ? channelStatistics(*image, part, stop) : std::vector<ChannelStatistics>{};
            };
            made->original = statistics(original);
            made->a = statistics(a);
            made->b = statistics(b);
            if (!made->a.empty() && !made->b.empty() && a->shape() == b->shape())
                made->difference = compareViews(viewOf(*a, part), viewOf(*b, part), {.worstCount = 0});
        },
        [this, made] {
            region_ = made;
            emit regionChanged();
        },
        [this](ErrorCode code, const Message& message) {
            region_.reset();
            emit regionChanged();
            if (code != ErrorCode::cancelled) emit messageRaised(message);
        });
}

void Session::requestPreviews(std::vector<Pipeline> pipelines) {
    drop(viewQueue_, QStringLiteral("view previews"));
    wantedPreviews_ = std::move(pipelines);
    if (!wantedPreviews_.empty() && original_) previewDelay_.start();
    else previewDelay_.stop();
    emit busyChanged();
}

void Session::computePreviews() {
    emit busyChanged();
    if (!original_) return;
    struct Outcome {
        ImagePtr input;
        std::vector<Preview> previews;
    };
    auto outcome = std::make_shared<Outcome>();
    outcome->input = smallOriginal_;
    std::string quick = kReferenceBackend;
    for (const auto& backend : catalog().backends())
        if (quick == kReferenceBackend && backend->availability().yes) quick = backend->id();
    submit(
        viewQueue_, QStringLiteral("view previews"), tr("Preparing previews"),
        [outcome, original = original_, engine = engine_, pipelines = wantedPreviews_, quick](const std::stop_token& stop) {
            // Made small after the work, as the picture beside it is: an operation that looks at the brightest pixel, or around each one,
            // makes something else of a small image.
            const Shape& whole = original->shape();
            const double part = std::sqrt(static_cast<double>(kPreviewPixels) / static_cast<double>(whole.width * whole.height));
            const auto longest = static_cast<double>(std::max(whole.width, whole.height));
            const int side = std::max(1, static_cast<int>(part < 1 ? part * longest : longest));
            if (!outcome->input)
                outcome->input =
                    part >= 1 && whole.depth == 1 ? original : std::make_shared<const Image>(smallVersion(*original, side, stop));
            for (const Pipeline& pipeline : pipelines) {
                Preview preview;
                try {
                    const auto run = [&](const std::string& backend) {
                        RunContext context{.stop = stop};
                        const RunResult result = engine.run(pipeline, outcome->input, Target{.backend = backend}, context);
                        preview.image = std::make_shared<const Image>(smallVersion(result.image, kPreviewSize, stop));
                    };
                    try {
                        run(quick);
                    } catch (const Error& e) {
                        // What it cannot do the reference can.
                        if (e.code() == ErrorCode::cancelled || quick == kReferenceBackend) throw;
                        run(kReferenceBackend);
                    }
                    preview.ofLess = part < 1;
                } catch (const Error& e) {
                    if (e.code() == ErrorCode::cancelled) throw;
                    preview.error = toMessage(e, {}).plainText();
                }
                outcome->previews.push_back(std::move(preview));
            }
        },
        [this, outcome] {
            smallOriginal_ = outcome->input;
            previews_ = outcome->previews;
            emit previewsChanged();
        },
        // Without pictures there are still the names of what one can choose.
        [](ErrorCode, const Message&) {});
}

}  // namespace parallax::ui
