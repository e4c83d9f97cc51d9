// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/ranks/hand_out.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "core/io/loader.hpp"

namespace parallax {
namespace {

/// Rows of a message.
std::int64_t rowsAtOnce(const Shape& shape) {
    constexpr std::int64_t kBytes = std::int64_t{4} << 20;
    return std::max<std::int64_t>(1, kBytes / (4 * shape.width * shape.channels));
}

Shape rowsOf(Shape shape, std::int64_t rows) {
    shape.height = rows;
    return shape;
}

View<float> rowsFrom(View<float> view, std::int64_t first, std::int64_t rows) {
    view.data = view.row(first);
    view.shape.height = rows;
    return view;
}

void copyRows(const View<const float>& from, std::int64_t first, const View<float>& to, std::int64_t at, std::int64_t rows) {
    for (std::int64_t c = 0; c < from.shape.channels; ++c)
        for (std::int64_t y = 0; y < rows; ++y) std::copy_n(from.row(first + y, 0, c), from.shape.width, to.row(at + y, 0, c));
}

/// On rank 0: keeps its own rows and sends those of the others, while the next ones are read.
class Dealer {
public:
    Dealer(Communicator& communicator, const Shape& shape, const Partition& partition, Buffer& own)
        : communicator_(communicator), shape_(shape), partition_(partition), own_(own) {}

    void take(std::int64_t first, const View<const float>& rows) {
        if (first != next_) throw Error(ErrorCode::failed, "Rows of the input are not in order");
        for (std::int64_t done = 0; done < rows.shape.height;) {
            const int rank = partition_.ownerOf(next_);
            const PartRange& part = partition_[rank];
            if (rank == 0) {
                const std::int64_t count = std::min(rows.shape.height - done, part.last - next_);
                copyRows(rows, done, own_.view<float>(), next_ - part.first, count);
                done += count;
                next_ += count;
                continue;
            }
            const std::int64_t step = rowsAtOnce(shape_), at = (next_ - part.first) % step;
            const std::int64_t inMessage = std::min(step, part.last - (next_ - at)),
                               count = std::min(rows.shape.height - done, inMessage - at);
            Message& message = messages_[current_];
            if (at == 0) {
                if (message.exchange) std::exchange(message.exchange, nullptr)->finish();
                if (message.rows.empty()) message.rows = Buffer(rowsOf(shape_, step));
            }
            copyRows(rows, done, message.rows.view<float>(), at, count);
            done += count;
            next_ += count;
            if (at + count < inMessage) continue;
            message.exchange = communicator_.startExchange({{rank, rowsFrom(message.rows.view<float>(), 0, inMessage)}}, {});
            current_ ^= 1U;
        }
    }
    void finish() {
        if (next_ != shape_.height) throw Error(ErrorCode::failed, "Rows of the input are missing");
        for (const std::size_t i : {current_, current_ ^ 1U})
            if (messages_[i].exchange) std::exchange(messages_[i].exchange, nullptr)->finish();
    }

private:
    struct Message {
        Buffer rows;
        std::unique_ptr<HaloExchange> exchange;
    };
    Communicator& communicator_;
    const Shape& shape_;
    const Partition& partition_;
    Buffer& own_;
    std::int64_t next_ = 0;
    std::array<Message, 2> messages_;  // the next one, and one that is on its way
    std::size_t current_ = 0;
};

}  // namespace

bool isReadInOrder(const Image& description) {
    return description.samples().empty() && std::any_of(loaders().begin(), loaders().end(), [&](const Loader& loader) {
               return loader.inOrder && loader.format == description.source.format;
           });
}

Buffer handOutRows(Communicator& communicator, const Shape& shape, const Partition& partition,
                   const std::function<void(const TakeRows&)>& read) {
    const PartRange& part = partition[communicator.rank()];
    Buffer own;
    if (!part.empty()) own = Buffer(rowsOf(shape, part.count()));
    if (communicator.rank() == 0) {
        Dealer dealer(communicator, shape, partition, own);
        read([&](std::int64_t first, const View<const float>& rows) { dealer.take(first, rows); });
        dealer.finish();
        return own;
    }
    for (std::int64_t y = 0; y < part.count(); y += rowsAtOnce(shape)) {
        const std::int64_t rows = std::min(rowsAtOnce(shape), part.count() - y);
        communicator.startExchange({}, {{0, rowsFrom(own.view<float>(), y, rows)}})->finish();
    }
    return own;
}

}  // namespace parallax
