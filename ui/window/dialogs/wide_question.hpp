// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGridLayout>
#include <QMessageBox>

namespace parallax::ui {

/// Gives a question room for its sentences, which are else broken after every few words.
inline void widen(QMessageBox& question) {
    constexpr int kWidth = 420;
    if (auto* grid = qobject_cast<QGridLayout*>(question.layout()))
        grid->addItem(new QSpacerItem(kWidth, 0, QSizePolicy::Minimum, QSizePolicy::Fixed), grid->rowCount(), 0, 1, grid->columnCount());
}

}  // namespace parallax::ui
