// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/row_exchange.hpp"

#include <algorithm>
#include <utility>

namespace parallax::gpu {
namespace {

PartRange common(const PartRange& a, const PartRange& b) { return {std::max(a.first, b.first), std::min(a.last, b.last)}; }
std::int64_t countOf(const PartRange& r) { return std::max<std::int64_t>(r.count(), 0); }

}  // namespace

void RowCopies::add(const RowsInMemory& from, const RowsInMemory& to, const PartRange& range) {
    const PartRange rows = common(range, common(from.rows, to.rows));
    if (rows.empty()) return;
    copies[count++] = {.from = from.data + (rows.first - from.rows.first) * pitch,
                       .to = to.data + (rows.first - to.rows.first) * pitch,
                       .fromPlane = from.rows.count() * pitch,
                       .toPlane = to.rows.count() * pitch,
                       .rows = rows.count()};
}

RowExchange::RowExchange(std::vector<PartRange> own, std::vector<PartRange> wanted, int pitch, int channels)
    : own_(std::move(own)),
      wanted_(std::move(wanted)),
      pitch_(pitch),
      channels_(channels),
      mailboxes_(own_.size()),
      sent_(own_.size()),
      received_(own_.size()) {}

PartRange RowExchange::above(int member) const {
    const auto m = static_cast<std::size_t>(member);
    return {wanted_[m].first, std::clamp(own_[m].first, wanted_[m].first, wanted_[m].last)};
}
PartRange RowExchange::below(int member) const {
    const auto m = static_cast<std::size_t>(member);
    return {std::clamp(own_[m].last, wanted_[m].first, wanted_[m].last), wanted_[m].last};
}

std::uint64_t RowExchange::mailboxBytes(int member) const {
    const std::int64_t rows = countOf(above(member)) + countOf(below(member));
    return static_cast<std::uint64_t>(std::max<std::int64_t>(rows, 1) * pitch_ * channels_) * sizeof(float);
}

void RowExchange::allocate(int member, DeviceGroup& group) {
    mailboxes_[static_cast<std::size_t>(member)] = {group.exchangeMemory(member),
                                                    static_cast<std::size_t>(mailboxBytes(member) / sizeof(float))};
}

RowsInMemory RowExchange::mailbox(int member, bool isAbove) const {
    // Of another member, only its address is used.
    auto* const data = const_cast<float*>(mailboxes_[static_cast<std::size_t>(member)].data());
    if (isAbove) return {data, above(member)};
    return {data + countOf(above(member)) * pitch_ * channels_, below(member)};
}

void RowExchange::connect(int member, const RowsInMemory& from, const RowsInMemory& to) {
    const auto m = static_cast<std::size_t>(member);
    RowCopies &sent = sent_[m], &received = received_[m];
    sent.pitch = received.pitch = pitch_;
    for (int other = 0; other < static_cast<int>(own_.size()); ++other)
        if (other != member)
            for (const bool isAbove : {true, false}) sent.add(from, mailbox(other, isAbove), own_[m]);
    for (const bool isAbove : {true, false}) received.add(mailbox(member, isAbove), to, wanted_[m]);
    if (from.data != to.data) received.add(from, to, own_[m]);
}

void RowExchange::launch(int member, const SolveArguments& a, const SumLinks& sums, cudaStream_t stream) const {
    const auto m = static_cast<std::size_t>(member);
    launchRowSends(a, sums, sent_[m], stream);
    launchRowCopies(a, received_[m], stream);
}

}  // namespace parallax::gpu
