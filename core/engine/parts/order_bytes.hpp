// SPDX-License-Identifier: GPL-3.0-or-later
// Values as the bytes of orders between ranks. All ranks have the same build.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/engine/operation/operation.hpp"
#include "core/image/error.hpp"

namespace parallax {

/// Appends values in the byte order of this machine.
class OrderWriter {
public:
    template <class T>
    void operator()(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto* const begin = reinterpret_cast<const std::byte*>(&value);
        bytes_.insert(bytes_.end(), begin, begin + sizeof value);
    }
    void operator()(const std::string& text) {
        (*this)(text.size());
        const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
        bytes_.insert(bytes_.end(), begin, begin + text.size());
    }
    void operator()(const Fact& fact) {
        (*this)(fact.name);
        (*this)(fact.text);
    }
    template <class T>
    void operator()(const std::vector<T>& all) {
        (*this)(all.size());
        for (const T& one : all) (*this)(one);
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

/// Reads them in the same order. Throws Error(failed) if bytes are missing.
class OrderReader {
public:
    explicit OrderReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    template <class T>
    void operator()(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        std::memcpy(&value, next(sizeof value).data(), sizeof value);
    }
    void operator()(std::string& text) {
        const std::span<const std::byte> bytes = next(size());
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    void operator()(Fact& fact) {
        (*this)(fact.name);
        (*this)(fact.text);
    }
    template <class T>
    void operator()(std::vector<T>& all) {
        for (std::size_t n = size(); n > 0; --n) (*this)(all.emplace_back());
    }

private:
    std::size_t size() {
        std::size_t n = 0;
        (*this)(n);
        return n;
    }
    std::span<const std::byte> next(std::size_t count) {
        if (count > bytes_.size()) throw Error(ErrorCode::failed, "An order of rank 0 is incomplete");
        const std::span<const std::byte> bytes = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return bytes;
    }
    std::span<const std::byte> bytes_;
};

}  // namespace parallax
