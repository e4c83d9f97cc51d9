// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between processes of the same build as bytes. A type that is not trivially copyable has a function
// forEachMember(value, each), found by its arguments, that calls each(member) in the order in which they are sent.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/image/error.hpp"

namespace parallax {

/// For a forEachMember() that writes a constant message and reads another one.
template <class Self, class Message>
concept Is = std::same_as<std::remove_const_t<Self>, Message>;

class ByteWriter {
public:
    template <class T>
    void operator()(const T& value) {
        if constexpr (std::is_trivially_copyable_v<T>) append(&value, sizeof value);
        else forEachMember(value, *this);
    }
    void operator()(const std::string& text) {
        (*this)(text.size());
        append(text.data(), text.size());
    }
    template <class T>
    void operator()(const std::vector<T>& all) {
        (*this)(all.size());
        for (const T& one : all) (*this)(one);
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    void append(const void* data, std::size_t count) {
        const auto* const begin = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), begin, begin + count);
    }
    std::vector<std::byte> bytes_;
};

/// Throws Error(failed) if bytes are missing; never reads or allocates beyond what is there.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    template <class T>
    void operator()(T& value) {
        if constexpr (std::is_trivially_copyable_v<T>) std::memcpy(&value, next(sizeof value).data(), sizeof value);
        else forEachMember(value, *this);
    }
    void operator()(bool& value) { value = next(1).front() != std::byte{0}; }
    void operator()(std::string& text) {
        const std::span<const std::byte> bytes = next(size());
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    template <class T>
    void operator()(std::vector<T>& all) {
        // Each item has a byte at least, so a wrong count ends at the last byte.
        for (std::size_t n = size(); n > 0; --n) (*this)(all.emplace_back());
    }
    bool atEnd() const { return bytes_.empty(); }

private:
    std::size_t size() {
        std::size_t n = 0;
        (*this)(n);
        return n;
    }
    std::span<const std::byte> next(std::size_t count) {
        if (count > bytes_.size()) throw Error(ErrorCode::failed, "A message between processes is incomplete");
        const std::span<const std::byte> bytes = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return bytes;
    }
    std::span<const std::byte> bytes_;
};

/// A message as bytes, and back.
template <class Message>
std::vector<std::byte> bytesOf(const Message& message) {
    ByteWriter writer;
    writer(message);
    return writer.take();
}
/// Throws Error(failed) for bytes that are not a message of this type.
template <class Message>
Message messageOf(std::span<const std::byte> bytes) {
    ByteReader reader(bytes);
    Message message;
    reader(message);
    if (!reader.atEnd()) throw Error(ErrorCode::failed, "A message between processes is too long");
    return message;
}

}  // namespace parallax
