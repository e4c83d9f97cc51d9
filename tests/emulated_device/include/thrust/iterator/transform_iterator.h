// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for Thrust's header of this name.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace thrust {

template <class F, class Iterator, class Reference = void, class Value = void>
class transform_iterator {
public:
    transform_iterator(Iterator iterator, F f) : iterator_(iterator), f_(f) {}
    auto operator*() const { return (*this)[0]; }
    auto operator[](std::int64_t i) const {
        if constexpr (std::is_void_v<Reference>) return f_(iterator_[i]);
        else return static_cast<Reference>(f_(iterator_[i]));
    }
    transform_iterator operator+(std::int64_t n) const { return {iterator_ + n, f_}; }

private:
    Iterator iterator_;
    F f_;
};

template <class F, class Iterator>
transform_iterator<F, Iterator> make_transform_iterator(Iterator iterator, F f) {
    return {iterator, f};
}

}  // namespace thrust
