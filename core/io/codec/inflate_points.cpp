// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/inflate_points.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

namespace parallax {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

FileState stateOf(const std::string& path) {
    struct stat s {};
    if (::stat(path.c_str(), &s) != 0) return {};
    return {path, s.st_dev, s.st_ino, static_cast<std::uint64_t>(s.st_size), s.st_mtim.tv_sec * kNanoseconds + s.st_mtim.tv_nsec};
}

bool modifiedJustNow(const FileState& file) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - file.modified < kNanoseconds;
}

/// The points of one stream.
class Points {
public:
    /// The last point at or before an inflated byte, and its place; the beginning of the stream if there is none.
    std::pair<std::uint64_t, InflatePoint> before(std::uint64_t byte, const FileState& file, std::uint64_t offset) {
        const std::lock_guard lock(mutex_);
        if (file == file_ && offset == offset_)
            if (const auto after = points_.upper_bound(byte); after != points_.begin()) return *std::prev(after);
        return {0, {.at = offset, .inflater = nullptr}};
    }

    void keep(std::uint64_t byte, InflatePoint point, const FileState& file, std::uint64_t offset) {
        const std::lock_guard lock(mutex_);
        if (file != file_ || offset != offset_) points_.clear();
        file_ = file;
        offset_ = offset;
        points_.insert_or_assign(byte, std::move(point));
        if (points_.size() > kMaxInflatePoints) thinOut(byte);
    }

private:
    /// Removes every second point, but not the newest, from which the next volume is read.
    void thinOut(std::uint64_t newest) {
        bool removes = true;
        for (auto at = points_.begin(); at != points_.end(); removes = !removes)
            at = removes && at->first != newest ? points_.erase(at) : std::next(at);
    }

    std::mutex mutex_;
    FileState file_;
    std::uint64_t offset_ = 0;
    std::map<std::uint64_t, InflatePoint> points_;  // by inflated bytes before them
};

Points& points() {
    static Points points;
    return points;
}

}  // namespace

InflatedVolumes::InflatedVolumes(const std::string& path, std::uint64_t offset, std::uint64_t first, std::uint64_t bytes)
    : file_(stateOf(path)), offset_(offset), first_(first), bytes_(bytes) {
    file_.path = path;
}

InflateReader& InflatedVolumes::seek(std::uint64_t volume, const LoadOptions& options) {
    constexpr std::uint64_t kBetweenPoints = std::uint64_t{4} << 20;
    const std::uint64_t begin = first_ + volume * bytes_;
    auto [at, point] = points().before(begin, file_, offset_);
    reader_ = std::make_unique<InflateReader>(file_.path, point);
    // Points on the way are at volumes, so that those before this one cost no more than it does.
    for (at_ = at; at_ < begin;) {
        const std::uint64_t volumes = std::max<std::uint64_t>(1, kBetweenPoints / bytes_);
        const std::uint64_t next = at_ < first_ ? first_ : std::min(begin, at_ + volumes * bytes_);
        reader_->skip(next - at_, options);
        at_ = next;
        if (at_ > first_) keep();
    }
    return *reader_;
}

void InflatedVolumes::keepEnd() {
    at_ += bytes_;
    keep();
}

void InflatedVolumes::keep() const {
    if (!modifiedJustNow(file_)) points().keep(at_, reader_->point(), file_, offset_);
}

}  // namespace parallax
