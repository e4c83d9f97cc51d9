// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/sample_files.hpp"

#include <algorithm>

#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/bzip2.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

constexpr std::size_t kLongestName = 255;  // of a file

[[noreturn]] void tooMany(const std::string& path) {
    refuseFile(path, "its samples are in more than " + std::to_string(kMaxFolderFiles) + " files", "Save it as one file");
}

/// A pattern with one conversion.
struct Pattern {
    std::string before, behind;
    std::size_t width = 0;
    bool zeros = false;
};

std::optional<Pattern> patternOf(const std::string& text) {
    Pattern p;
    bool found = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& to = found ? p.behind : p.before;
        if (text[i] != '%') {
            to += text[i];
            continue;
        }
        if (text.compare(i, 2, "%%") == 0) {
            to += text[i++];
            continue;
        }
        if (found) return {};
        found = true;
        p.zeros = i + 1 < text.size() && text[i + 1] == '0';
        for (++i; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
            p.width = std::min<std::size_t>(kLongestName, 10 * p.width + static_cast<std::size_t>(text[i] - '0'));
        if (i >= text.size() || std::string_view("diu").find(text[i]) == std::string_view::npos) return {};
    }
    return found ? std::optional(p) : std::nullopt;
}

std::string nameOf(const Pattern& p, std::int64_t number) {
    std::string digits = std::to_string(number < 0 ? -number : number);
    const std::string sign = number < 0 ? "-" : "";
    const std::size_t filled = std::max(p.width, digits.size() + sign.size()) - digits.size() - sign.size();
    const std::string fill(filled, p.zeros ? '0' : ' ');
    return p.before + (p.zeros ? sign + fill : fill + sign) + digits + p.behind;
}

}  // namespace

bool announcesList(const std::string& value) {
    const std::vector<std::string> words = wordsOf(value);
    return !words.empty() && lowerCase(words.front()) == "list" && (words.size() == 1 || (words.size() == 2 && wholeNumberOf(words[1])));
}

std::vector<std::string> namesOfList(const std::string& path, HeaderLines& lines) {
    std::vector<std::string> names;
    while (const auto line = lines.next()) {
        const std::string name(trimmed(*line));
        if (name.empty()) continue;
        if (names.size() >= kMaxFolderFiles) tooMany(path);
        names.push_back(name);
    }
    if (names.empty()) refuseFile(path, "its header has no names of files behind LIST");
    return names;
}

std::optional<std::vector<std::string>> namesOfPattern(const std::string& path, const std::string& value) {
    if (value.find('%') == std::string::npos) return {};
    // First, last and step, and perhaps a dimension.
    std::string text = value;
    std::vector<std::int64_t> numbers;
    while (numbers.size() < 4) {
        const std::size_t blank = text.find_last_of(" \t");
        if (blank == std::string::npos) break;
        const auto n = wholeNumberOf(std::string_view(text).substr(blank + 1));
        if (!n) break;
        numbers.insert(numbers.begin(), *n);
        text = std::string(trimmed(std::string_view(text).substr(0, blank)));
    }
    const auto pattern = patternOf(text);
    if (numbers.size() < 3 || !pattern) return {};
    const std::int64_t first = numbers[0], last = numbers[1], step = numbers[2];
    constexpr std::int64_t kLargest = std::int64_t{1} << 40;
    if (step == 0 || std::max({first, last, step}) > kLargest || std::min({first, last, step}) < -kLargest || (last - first) / step < 0 ||
        ((last - first < 0) != (step < 0) && last != first))
        refuseFile(path, "the numbers of its files, " + std::to_string(first) + " to " + std::to_string(last) + " in steps of " +
                             std::to_string(step) + ", are invalid");
    if (static_cast<std::uint64_t>((last - first) / step) >= kMaxFolderFiles) tooMany(path);
    if (pattern->before.size() + pattern->behind.size() > kLongestName) refuseFile(path, "the names of its files are too long");
    std::vector<std::string> names;
    for (std::int64_t i = 0; i <= (last - first) / step; ++i) names.push_back(nameOf(*pattern, first + i * step));
    return names;
}

struct SampleFiles::Source {
    std::unique_ptr<ByteSource> plain;
    std::unique_ptr<CompressedStream> packed;
    std::uint64_t at = 0;  ///< in `plain`
    std::string path;
};

SampleFiles::SampleFiles(const DescribedVolume& volume, std::uint64_t bytes) : volume_(volume), each_(bytes) {}
SampleFiles::~SampleFiles() = default;

void SampleFiles::open(const LoadOptions& options) {
    options.throwIfStopped();
    source_ = std::make_unique<Source>();
    Source& s = *source_;
    s.path = volume_.files.at(next_++);
    left_ = each_;
    if (volume_.compressed) {
        if (volume_.bzip2) s.packed = std::make_unique<Bzip2Reader>(s.path, volume_.offset);
        else s.packed = std::make_unique<InflateReader>(s.path, volume_.offset);
        s.packed->skip(volume_.inflatedOffset, options);
    } else {
        s.plain = std::make_unique<ByteSource>(s.path);
        s.at = volume_.atEnd ? s.plain->size() - std::min(s.plain->size(), each_) : volume_.offset;
    }
}

void SampleFiles::read(void* to, std::size_t bytes, const LoadOptions& options) {
    auto* out = static_cast<std::uint8_t*>(to);
    while (bytes > 0) {
        if (left_ == 0) open(options);
        Source& s = *source_;
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, left_));
        if (s.packed) s.packed->read(out, n);
        else if (s.plain->read(s.at, out, n) < n) refuseFile(s.path, "it is truncated: the last samples are missing");
        s.at += n;
        out += n;
        bytes -= n;
        left_ -= n;
    }
}

void SampleFiles::skip(std::uint64_t bytes, const LoadOptions& options) {
    next_ += static_cast<std::size_t>(bytes / each_);
    bytes %= each_;
    std::vector<std::uint8_t> part(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1 << 20)));
    for (std::uint64_t n = 0; bytes > 0; bytes -= n) {
        n = std::min<std::uint64_t>(bytes, part.size());
        read(part.data(), static_cast<std::size_t>(n), options);
    }
}

}  // namespace parallax
