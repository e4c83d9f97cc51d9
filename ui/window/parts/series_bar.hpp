// SPDX-License-Identifier: GPL-3.0-or-later
// A bar below the images of a file with several volumes, such as time points, or pages: a slider, and playing. Only the shown volume is in
// memory; each goes through the steps of all panes.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

class QLabel;
class QSlider;
class QSpinBox;
class QToolButton;

namespace parallax::ui {

class Session;

class SeriesBar : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMaxFrames = 60;  ///< a second

    explicit SeriesBar(Session& session, QWidget* parent = nullptr);

    /// Shows one volume after another, and the first after the last, until stopped. A volume that takes longer than a frame delays the
    /// next.
    void setPlaying(bool playing);
    bool playing() const { return timer_.isActive(); }
    bool canStep(int by) const;
    void step(int by);

signals:
    /// Asks for a volume or page of the open file, from 0.
    void volumeAsked(int volume);
    /// Another volume is shown, or playing has begun or ended.
    void changed();

private:
    void follow();
    /// Names the slider: of pages, or of volumes.
    void describe(bool pages);
    void advance();
    /// Asks for it now, or when the volume that is being read is there.
    void ask(int volume);
    bool reading() const;
    bool computing() const;
    void showNumber();

    Session& session_;
    QToolButton* play_;
    QLabel *name_, *number_;
    QSlider* slider_;
    QSpinBox* frames_;
    QTimer timer_;
    std::optional<int> wanted_;  ///< by the slider, while another one is being read
    std::optional<int> played_;  ///< asked for while playing
};

}  // namespace parallax::ui
