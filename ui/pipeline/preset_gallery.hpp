// SPDX-License-Identifier: GPL-3.0-or-later
// Gallery of the presets of the selected step: thumbnails of the open image with each preset applied.
#pragma once

#include <QWidget>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"

class QToolButton;

namespace parallax::ui {

class Session;
class ViewState;

/// A preset: its values and the title of its preview.
struct PresetChoice {
    QString title, help;
    ParameterBlock values;
    bool chosen = false;
};

class PresetGallery : public QWidget {
    Q_OBJECT
public:
    PresetGallery(Session& session, ViewState& view, QWidget* parent = nullptr);
    /// Sets the presets of a step; none hides the gallery. Previews appear when they are ready.
    void setChoices(int row, std::vector<PresetChoice> choices);
    const std::vector<QToolButton*>& buttons() const { return buttons_; }

signals:
    /// Index among the choices.
    void chosen(int index);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void request();
    bool isEncoded() const;  ///< the active pane works on encoded values
    void showPictures();
    void arrange();
    /// Breaks a title between words; what does not fit into two lines is elided.
    static QString inTwoLines(const QString& title, const QFontMetrics& metrics, int width);

    Session& session_;
    ViewState& view_;
    int row_ = -1;
    bool encoded_ = false;  ///< the requested previews are of encoded values
    std::vector<PresetChoice> choices_;
    std::vector<QToolButton*> buttons_;
};

}  // namespace parallax::ui
