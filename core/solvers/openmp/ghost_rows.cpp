// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/openmp/ghost_rows.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel/all_to_all.hpp"

namespace parallax::solvers {
namespace {

/// An entry of a matrix, with the numbers of its row and column among those of all parts.
struct Entry {
    std::int64_t row, column;
    double value;
};

/// `count` values as samples to exchange.
template <class T>
View<float> asRow(const T* values, std::size_t count) {
    static_assert(sizeof(T) % sizeof(float) == 0);
    return denseView(static_cast<float*>(static_cast<void*>(const_cast<T*>(values))),
                     Shape{static_cast<std::int64_t>(count * (sizeof(T) / sizeof(float))), 1, 1, 1});
}

}  // namespace

GhostRows::GhostRows(Communicator& communicator, const Partition& owners, std::vector<std::int64_t> ghosts)
    : owners_(owners), communicator_(&communicator), ghosts_(std::move(ghosts)), counts_(static_cast<std::size_t>(communicator.size())) {
    before_ = std::lower_bound(ghosts_.begin(), ghosts_.end(), range().first) - ghosts_.begin();
    std::vector<std::vector<std::int64_t>> asked(counts_.size());
    for (const std::int64_t ghost : ghosts_) asked[static_cast<std::size_t>(owners_.ownerOf(ghost))].push_back(ghost);
    for (std::size_t r = 0; r < asked.size(); ++r) counts_[r] = static_cast<std::int64_t>(asked[r].size());
    for (const std::vector<std::int64_t>& numbers : allToAll(communicator, asked)) {
        std::vector<std::int32_t>& own = wanted_.emplace_back();
        for (const std::int64_t number : numbers) own.push_back(static_cast<std::int32_t>(number - range().first));
    }
}

std::int64_t GhostRows::numberOf(std::int64_t kept) const {
    if (kept < 0) return ghosts_[static_cast<std::size_t>(kept + before_)];
    if (kept >= own()) return ghosts_[static_cast<std::size_t>(kept - own() + before_)];
    return range().first + kept;
}

void GhostRows::renumber(HostVector<std::int32_t>& columns) const {
    for (std::int32_t& c : columns) {
        if (c >= 0 && c < own()) continue;
        const std::int64_t place = std::lower_bound(ghosts_.begin(), ghosts_.end(), range().first + c) - ghosts_.begin() - before_;
        c = static_cast<std::int32_t>(place < 0 ? place : own() + place);
    }
}

template <class T>
void GhostRows::exchange(T* own) const {
    if (!communicator_) return;
    std::vector<std::vector<T>> values(wanted_.size());
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    for (std::size_t r = 0; r < wanted_.size(); ++r) {
        for (const std::int32_t i : wanted_[r]) values[r].push_back(own[i]);
        if (!values[r].empty()) sends.push_back({static_cast<int>(r), asRow(values[r].data(), values[r].size())});
    }
    T* to = own - before_;
    for (std::size_t r = 0; r < counts_.size(); ++r) {
        if (static_cast<int>(r) == communicator_->rank()) to = own + this->own();
        if (counts_[r] > 0) receives.push_back({static_cast<int>(r), asRow(to, static_cast<std::size_t>(counts_[r]))});
        to += counts_[r];
    }
    if (!sends.empty() || !receives.empty()) communicator_->startExchange(std::move(sends), std::move(receives))->finish();
}
template void GhostRows::exchange(float*) const;
template void GhostRows::exchange(double*) const;
template void GhostRows::exchange(std::int32_t*) const;

void GhostRows::addToOwners(float* own) const {
    if (!communicator_) return;
    std::vector<std::vector<float>> values(wanted_.size());
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    for (std::size_t r = 0; r < wanted_.size(); ++r) {
        values[r].resize(wanted_[r].size());
        if (!values[r].empty()) receives.push_back({static_cast<int>(r), asRow(values[r].data(), values[r].size())});
    }
    const float* from = own - before_;
    for (std::size_t r = 0; r < counts_.size(); ++r) {
        if (static_cast<int>(r) == communicator_->rank()) from = own + this->own();
        if (counts_[r] > 0) sends.push_back({static_cast<int>(r), asRow(from, static_cast<std::size_t>(counts_[r]))});
        from += counts_[r];
    }
    if (!sends.empty() || !receives.empty()) communicator_->startExchange(std::move(sends), std::move(receives))->finish();
    for (std::size_t r = 0; r < wanted_.size(); ++r)
        for (std::size_t i = 0; i < values[r].size(); ++i) own[wanted_[r][i]] += values[r][i];
}

Matrix GhostRows::withGhostRows(const Matrix& own, std::int64_t first) const {
    std::vector<std::vector<std::int32_t>> counts(wanted_.size());
    std::vector<std::vector<Entry>> entries(wanted_.size());
    for (std::size_t r = 0; r < wanted_.size(); ++r)
        for (const std::int32_t i : wanted_[r]) {
            const std::size_t before = entries[r].size();
            own.forRow(static_cast<std::size_t>(i), [&](std::int32_t column, float value) {
                entries[r].push_back({i, first + column, static_cast<double>(value)});
            });
            counts[r].push_back(static_cast<std::int32_t>(entries[r].size() - before));
        }
    counts = allToAll(*communicator_, counts);
    entries = allToAll(*communicator_, entries);
    Matrix all;
    all.rows = static_cast<std::size_t>(kept());
    all.columns = own.columns;
    all.begin.push_back(0);
    const auto add = [&](std::int32_t column, float value) {
        all.column.push_back(column);
        all.value.push_back(value);
    };
    const auto endRow = [&] { all.begin.push_back(static_cast<std::int64_t>(all.column.size())); };
    for (std::size_t r = 0; r < entries.size(); ++r) {
        if (static_cast<int>(r) == communicator_->rank())
            for (std::size_t i = 0; i < own.rows; ++i) {
                own.forRow(i, add);
                endRow();
            }
        auto next = entries[r].begin();
        for (const std::int32_t count : counts[r]) {
            for (std::int32_t k = 0; k < count; ++k, ++next)
                add(static_cast<std::int32_t>(next->column - first), static_cast<float>(next->value));
            endRow();
        }
    }
    return all;
}

Matrix addedToOwners(Communicator& communicator, const Partition& owners, const Matrix& product, std::int64_t before) {
    const PartRange own = owners[communicator.rank()];
    std::vector<std::vector<Entry>> sent(static_cast<std::size_t>(communicator.size()));
    for (std::size_t i = 0; i < product.rows; ++i) {
        const std::int64_t row = own.first + static_cast<std::int64_t>(i) - before;
        if (row >= own.first && row < own.last) continue;
        product.forRow(i, [&](std::int32_t column, float value) {
            sent[static_cast<std::size_t>(owners.ownerOf(row))].push_back({row, own.first + column, static_cast<double>(value)});
        });
    }
    Matrix sum;
    sum.rows = static_cast<std::size_t>(own.count());
    sum.columns = product.columns;
    sum.begin.push_back(0);
    std::vector<Entry> others;
    for (const std::vector<Entry>& list : allToAll(communicator, sent)) others.insert(others.end(), list.begin(), list.end());
    std::stable_sort(others.begin(), others.end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
    ColumnRange range = columnRange(product);
    for (const Entry& e : others) {
        range.before = std::max(range.before, own.first - e.column);
        range.after = std::max(range.after, e.column + 1 - own.last);
    }
    RowAccumulator row(sum.columns + static_cast<std::size_t>(range.before + range.after), range.before);
    auto next = others.begin();
    for (std::size_t i = 0; i < sum.rows; ++i) {
        product.forRow(i + static_cast<std::size_t>(before), [&](std::int32_t column, float value) { row.add(column, value); });
        for (; next != others.end() && next->row == own.first + static_cast<std::int64_t>(i); ++next)
            row.add(static_cast<std::int32_t>(next->column - own.first), static_cast<float>(next->value));
        row.finishRow(sum);
    }
    return sum;
}

Matrix GhostRows::gather(const Matrix& own) const {
    std::vector<std::int64_t> counts;
    std::vector<std::int32_t> columns;
    for (std::size_t i = 0; i < own.rows; ++i) counts.push_back(own.begin[i + 1] - own.begin[i]);
    for (const std::int32_t c : own.column) columns.push_back(static_cast<std::int32_t>(numberOf(c)));
    Matrix whole;
    whole.rows = whole.columns = static_cast<std::size_t>(all());
    const std::vector<std::int32_t> allColumns = gatherBlocks<std::int32_t>(*communicator_, columns);
    const std::vector<float> allValues = gatherBlocks<float>(*communicator_, own.value);
    whole.column.assign(allColumns.begin(), allColumns.end());
    whole.value.assign(allValues.begin(), allValues.end());
    whole.begin.push_back(0);
    for (const std::int64_t count : gatherBlocks<std::int64_t>(*communicator_, counts)) whole.begin.push_back(whole.begin.back() + count);
    return whole;
}

void GhostRows::gather(const float* own, float* all) const {
    std::vector<std::int64_t> bytes;
    for (int r = 0; r < owners_.parts(); ++r) bytes.push_back(owners_[r].count() * static_cast<std::int64_t>(sizeof(float)));
    communicator_->gather(std::as_bytes(std::span(own, static_cast<std::size_t>(this->own()))), Partition::ofSizes(bytes),
                          std::as_writable_bytes(std::span(all, static_cast<std::size_t>(this->all()))), kEveryRank);
}

}  // namespace parallax::solvers
