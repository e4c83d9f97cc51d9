// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/rank_order.hpp"

#include <cstring>
#include <type_traits>

#include "core/image/error.hpp"

namespace parallax {
namespace {

class Writer {
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

class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
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

/// Calls each(member) in the order in which they are sent.
template <class Order, class F>
void forEachMember(Order& order, F& each) {
    each(order.kind);
    each(order.id);
    if (order.kind != RankOrder::Kind::prepare) return;
    each(order.build);
    each(order.target.backend);
    each(order.target.variant);
    each(order.target.device);
    each(order.target.threads);
    each(order.target.modes);
    each(order.target.parts);
    each(order.target.otherDevices);
    each(order.steps);
    each(order.implementations);
    each(order.problem.shape);
    each(order.problem.channelNames);
    each(order.problem.alphaChannel);
    each(order.problem.statistics);
    each(order.problem.spacing);
    each(order.problem.facts);
}

}  // namespace

std::vector<std::byte> RankOrder::bytes() const {
    Writer writer;
    forEachMember(*this, writer);
    return writer.take();
}

RankOrder RankOrder::of(std::span<const std::byte> bytes) {
    Reader reader(bytes);
    RankOrder order;
    forEachMember(order, reader);
    return order;
}

}  // namespace parallax
