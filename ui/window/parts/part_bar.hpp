// SPDX-License-Identifier: GPL-3.0-or-later
// A bar above the images with the parts, layers and views of the open OpenEXR file; hidden if it has no choice.
#pragma once

#include <QWidget>
#include <vector>

#include "core/io/formats/exr/exr_choices.hpp"
#include "ui/session/background.hpp"

class QComboBox;
class QLabel;

namespace parallax::ui {

class Session;

class PartBar : public QWidget {
    Q_OBJECT
public:
    explicit PartBar(Session& session, QWidget* parent = nullptr);

    /// Is the open file being searched for parts?
    bool listing() const { return listing_; }
    /// Whether there is a next (1) or previous (-1) entry.
    bool canStep(int by) const;
    void step(int by);

signals:
    /// The user chose this part: the text after '#', empty for the whole file.
    void choiceAsked(const QString& choice);
    /// Other parts are listed, or another one is shown.
    void changed();

private:
    void follow();
    void fill(const std::vector<ExrChoice>& choices);

    Session& session_;
    QComboBox* parts_;
    QLabel* place_;  ///< "2 of 6"
    QString file_;   ///< that is listed
    std::vector<ExrChoice> choices_;
    bool listing_ = false;
    Background background_;  // last: its thread ends before what it uses is destroyed
};

}  // namespace parallax::ui
