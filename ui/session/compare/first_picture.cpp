// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/first_picture.hpp"

namespace parallax::ui {

bool FirstPicturePace::worthwhile(const QString& kind) {
    if (kind != kind_) {
        kind_ = kind;
        first_.reset();
        result_.reset();
    }
    if (!result_) return true;
    if (*result_ <= kQuick) return false;
    if (!first_ || static_cast<double>(*first_) <= kMaxShare * static_cast<double>(*result_)) return true;
    *first_ -= *first_ / 8;  // another program may have slowed it down: try again after some results
    return false;
}

}  // namespace parallax::ui
