// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/gzip.hpp"

#include <algorithm>

#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
InflateReader::InflateReader(const std::string& path, std::uint64_t offset, Envelope envelope)
    : CompressedStream(path), source_(path), envelope_(envelope), at_(offset), input_(1 << 17) {}

InflateReader::InflateReader(const std::string& path, const InflatePoint& point, Envelope envelope)
    : InflateReader(path, point.at, envelope) {
    if (point.inflater) inflater_ = std::make_unique<Inflater>(*point.inflater);
    ended_ = point.ended;
}

InflatePoint InflateReader::point() const {
    return {at_ - rest_.size(), inflater_ ? std::make_shared<const Inflater>(*inflater_) : nullptr, ended_};
}

void InflateReader::fill() {
    const std::size_t got = source_.read(at_, input_.data(), input_.size());
    at_ += got;
    rest_ = std::span(input_).first(got);
}

bool InflateReader::nextStream() {
    constexpr std::uint8_t kGzip = 0x1f;
    // Another gzip stream may follow; other bytes are ignored.
    if (rest_.empty() || (ended_ && (envelope_ == Envelope::none || rest_[0] != kGzip))) return false;
    inflater_ = std::make_unique<Inflater>(envelope_ == Envelope::none ? Inflater::Envelope::none
                                           : rest_[0] == kGzip         ? Inflater::Envelope::gzip
                                                                       : Inflater::Envelope::zlib);
    ended_ = false;
    return true;
}

std::size_t InflateReader::readSome(void* to, std::size_t bytes) {
    std::span<std::uint8_t> room(static_cast<std::uint8_t*>(to), bytes);
    while (!room.empty()) {
        if (rest_.empty()) fill();
        if ((ended_ || !inflater_) && !nextStream()) break;
        // Without more input the inflater may still hold bytes.
        const bool last = rest_.empty();
        const std::size_t before = room.size();
        const Inflater::State state = inflater_->step(rest_, room);
        if (state == Inflater::State::damaged) refuseFile(path(), "its compressed data cannot be inflated");
        ended_ = state == Inflater::State::ended;
        if (const std::size_t excess = ended_ ? inflater_->excess() : 0; excess > 0) {
            at_ -= rest_.size() + excess;
            rest_ = {};
        }
        if (last && !ended_ && room.size() == before) break;
    }
    return bytes - room.size();
}

}  // namespace parallax
