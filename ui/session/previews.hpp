// SPDX-License-Identifier: GPL-3.0-or-later
// Small pictures of what pipelines make of the open image, for choosing presets.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "ui/session/tasks.hpp"

namespace parallax::ui {

struct Preview {
    ImagePtr image;  ///< null if it failed
    QString error;
    std::string backend;  ///< that computed it
    /// Another backend than the one that computes previews, which cannot run this pipeline, because of `reason`.
    bool otherBackend = false;
    QString reason;
    bool reduced = false;  ///< computed from a reduced original: results that depend on its size or brightest pixels may differ
};

class Previews : public QObject {
    Q_OBJECT
public:
    static constexpr int kSize = 128;                    ///< largest width and height of a preview
    static constexpr std::int64_t kMaxPixels = 1 << 20;  ///< of the image that pipelines run on; larger ones are reduced

    Previews(Tasks& tasks, const Engine& engine);
    /// Discards everything about the previous image. Null: none.
    void setOriginal(const ImagePtr& original);
    /// Computes previews once no request has come for a moment. The newest request wins; until it is done, list() holds the last one.
    /// `encoded`: the steps work on encoded values, as those of the pane.
    void request(std::vector<Pipeline> pipelines, bool encoded = false);
    const std::vector<Preview>& list() const { return previews_; }
    bool waiting() const { return delay_.isActive(); }

signals:
    void changed();
    void waitingChanged();

private:
    void compute();

    Tasks& tasks_;
    const Engine& engine_;
    ImagePtr original_, reduced_;  ///< what pipelines run on; null until it is needed
    std::vector<Pipeline> requested_;
    bool encoded_ = false;  ///< of the requested ones
    std::vector<Preview> previews_;
    QTimer delay_;
};

}  // namespace parallax::ui
