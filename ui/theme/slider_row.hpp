// SPDX-License-Identifier: GPL-3.0-or-later
// A slider at the full width of its panel, below a line with its name and value.
#pragma once

#include <QMouseEvent>
#include <QSlider>
#include <QVBoxLayout>
#include <functional>
#include <initializer_list>
#include <utility>

#include "ui/theme/widgets.hpp"

namespace parallax::ui {

/// A double click calls `reset`.
class ResettableSlider : public QSlider {
public:
    static constexpr int kLeastWidth = 120;  ///< pixels

    explicit ResettableSlider(std::function<void()> reset) : QSlider(Qt::Horizontal), reset_(std::move(reset)) {
        setMinimumWidth(kLeastWidth);
        setFocusPolicy(Qt::StrongFocus);
    }

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton) reset_();
        event->accept();
    }

private:
    std::function<void()> reset_;
};

/// Fills `place` with the name on the left, `values` on the right, and the slider below. Returns the line above the slider.
inline QHBoxLayout* makeSliderRow(QWidget* place, QLabel* name, std::initializer_list<QWidget*> values, QSlider* slider) {
    auto* rows = makeLayout<QVBoxLayout>(place, 1);
    auto* line = new QHBoxLayout;
    line->addWidget(name, 1);
    for (QWidget* widget : values) line->addWidget(widget);
    rows->addLayout(line);
    rows->addWidget(slider);
    return line;
}

}  // namespace parallax::ui
