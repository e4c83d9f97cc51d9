// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the difference pane: the difference itself, or a map of another error, with the ranges of its colour map.
#pragma once

#include <QObject>
#include <optional>

#include "ui/models/view/view_state.hpp"
#include "ui/session/compare/signed_difference.hpp"
#include "ui/session/pane_data.hpp"

namespace parallax::ui {

class ShownDifference : public QObject {
    Q_OBJECT
public:
    ShownDifference(Tasks& tasks, PaneData& panes, std::shared_ptr<Allocator> memory)
        : tasks_(tasks), panes_(panes), memory_(std::move(memory)) {}

    /// Null if there is none.
    const ImagePtr& image() const { return image_; }
    /// Content of the image: signedValue is the difference, from which its magnitude and its square are displayed too.
    DifferenceMode content() const { return content_; }
    /// Is the image a map with other values than the difference?
    bool isMap() const { return content_ != DifferenceMode::signedValue; }
    const DifferenceRange& range() const { return range_; }

    /// Shows another quantity as soon as it is computed.
    void setMode(DifferenceMode mode);
    /// Shows the difference of a new pair, then the map of the mode.
    void setPair(ImagePtr a, ImagePtr b, ImagePtr difference, const DifferenceRange& range);
    /// Stops the computation of a map.
    void stop();
    void discard();

    /// Counts the samples whose magnitude is larger; beyond() has the answer after beyondChanged().
    void countBeyond(double limit);
    /// Number of samples beyond the last limit; nothing while it is computed.
    const std::optional<std::int64_t>& beyond() const { return beyond_; }

signals:
    void changed();
    void beyondChanged();

private:
    void compute();
    void show(ImagePtr image, DifferenceMode content, const DifferenceRange& range);

    Tasks& tasks_;
    PaneData& panes_;
    std::shared_ptr<Allocator> memory_;
    ImagePtr a_, b_, difference_, image_;
    DifferenceMode wanted_ = DifferenceMode::signedValue, content_ = DifferenceMode::signedValue;
    DifferenceRange plainRange_, range_;
    double limit_ = -1;
    std::optional<std::int64_t> beyond_;
};

}  // namespace parallax::ui
