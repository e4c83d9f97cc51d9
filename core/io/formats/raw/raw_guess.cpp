// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/raw/raw_guess.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/io/codec/text.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kLongestSide = 1 << 20;  // larger numbers in names are dates and the like
constexpr std::int64_t kMaxSlices = 1 << 14;    // for guesses from the size alone
constexpr std::uint64_t kLongestHeader = 1 << 20;
/// Most frequent first: CT scanners store int16, programs float, pictures uint8.
constexpr std::array kTypes{StoredType::int16, StoredType::float32, StoredType::uint8,  StoredType::uint16, StoredType::float64,
                            StoredType::int32, StoredType::int8,    StoredType::uint32, StoredType::int64,  StoredType::uint64};
constexpr std::array<std::int64_t, 7> kSides{512, 256, 1024, 128, 2048, 64, 4096};

struct Word {
    std::string_view word;
    StoredType type;
};
/// Names of types in file names.
constexpr Word kWords[] = {
    {"int8", StoredType::int8},      {"i8", StoredType::int8},         {"s8", StoredType::int8},       {"schar", StoredType::int8},
    {"uint8", StoredType::uint8},    {"u8", StoredType::uint8},        {"uchar", StoredType::uint8},   {"byte", StoredType::uint8},
    {"8bit", StoredType::uint8},     {"int16", StoredType::int16},     {"i16", StoredType::int16},     {"s16", StoredType::int16},
    {"short", StoredType::int16},    {"16bit", StoredType::int16},     {"uint16", StoredType::uint16}, {"u16", StoredType::uint16},
    {"ushort", StoredType::uint16},  {"int32", StoredType::int32},     {"i32", StoredType::int32},     {"s32", StoredType::int32},
    {"int", StoredType::int32},      {"uint32", StoredType::uint32},   {"u32", StoredType::uint32},    {"uint", StoredType::uint32},
    {"int64", StoredType::int64},    {"i64", StoredType::int64},       {"uint64", StoredType::uint64}, {"u64", StoredType::uint64},
    {"float", StoredType::float32},  {"float32", StoredType::float32}, {"f32", StoredType::float32},   {"single", StoredType::float32},
    {"double", StoredType::float64}, {"float64", StoredType::float64}, {"f64", StoredType::float64}};

struct NameFacts {
    std::vector<std::int64_t> sizes;  ///< two or three; empty if the name has none
    std::optional<StoredType> type;
    bool bigEndian = false;
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<StoredType> typeOf(std::string_view word) {
    for (const Word& w : kWords)
        if (w.word == word) return w.type;
    return {};
}

/// Parses integers joined by a separator from `at` on, and moves `at` behind them. Rejects 1.5x2x3, which are distances.
std::vector<std::int64_t> numbersAt(const std::string& name, std::size_t& at, std::string_view separators) {
    std::vector<std::int64_t> numbers;
    const bool fraction = at > 1 && name[at - 1] == '.' && isDigit(name[at - 2]);
    for (;;) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), value);
        at = static_cast<std::size_t>(end - name.data());
        if (error != std::errc{}) return {};
        numbers.push_back(value);
        const bool more = at + 1 < name.size() && separators.find(name[at]) != std::string_view::npos && isDigit(name[at + 1]);
        if (!more) break;
        ++at;
    }
    if (fraction || (at + 1 < name.size() && name[at] == '.' && isDigit(name[at + 1]))) return {};
    return numbers;
}

/// Finds the first group of joined numbers of at least a given length, preferring three.
std::vector<std::int64_t> sizesIn(const std::string& name, std::string_view separators, std::size_t least) {
    for (std::size_t at = 0; at < name.size();) {
        if (!isDigit(name[at])) {
            ++at;
            continue;
        }
        const std::vector<std::int64_t> numbers = numbersAt(name, at, separators);
        if (numbers.size() < least || numbers.size() > 3) continue;
        if (std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n >= 1 && n <= kLongestSide; })) return numbers;
    }
    return {};
}

/// Whether the type in the name, or any type, fills the file with these sizes.
bool fills(const NameFacts& facts, const std::vector<std::int64_t>& sizes, std::uint64_t fileBytes) {
    return std::any_of(kTypes.begin(), kTypes.end(), [&](StoredType type) {
        RawRequest r;
        r.shape = {sizes[0], sizes[1], sizes[2], 1};
        r.type = facts.type.value_or(type);
        return sizeOf(r).fits(fileBytes);
    });
}

NameFacts factsOf(const std::string& path, std::uint64_t fileBytes) {
    std::string name = lowerCase(std::filesystem::path(path).stem().string());
    for (std::size_t times; (times = name.find("\xc3\x97")) != std::string::npos;) name.replace(times, 2, "x");  // ×
    NameFacts facts;
    facts.sizes = sizesIn(name, "x", 2);
    std::string word;
    const auto take = [&] {
        std::string_view w = word;
        std::optional<StoredType> type = typeOf(w);
        // "s16le", "float32be"
        if (!type && w.size() > 2 && (w.ends_with("le") || w.ends_with("be"))) {
            type = typeOf(w.substr(0, w.size() - 2));
            if (type) w = w.substr(w.size() - 2);
        }
        if (type && !facts.type) facts.type = type;
        if (w == "be" || w == "big" || w == "bigendian" || w == "msb") facts.bigEndian = true;
        word.clear();
    };
    for (const char c : name) {
        if (isDigit(c) || (c >= 'a' && c <= 'z')) word += c;
        else take();
    }
    take();
    // Numbers joined by other separators may be a date: accepted only if they fill the file.
    if (facts.sizes.empty())
        if (const std::vector<std::int64_t> joined = sizesIn(name, "x_,-", 3); !joined.empty() && fills(facts, joined, fileBytes))
            facts.sizes = joined;
    return facts;
}

class Guesses {
public:
    Guesses(std::string path, std::uint64_t bytes, NameFacts facts) : path_(std::move(path)), bytes_(bytes), facts_(std::move(facts)) {
        if (facts_.type) types_ = {*facts_.type};
        else types_.assign(kTypes.begin(), kTypes.end());
    }
    const std::vector<StoredType>& types() const { return types_; }
    RawRequest request(Shape shape, StoredType type, std::uint64_t offset = 0) const {
        return {.path = path_, .shape = shape, .type = type, .bigEndian = facts_.bigEndian, .offset = offset, .geometry = {}};
    }
    /// Adds a request if it fills the file and is new.
    void offer(const RawRequest& r) {
        if (found_.size() >= kMaxRawGuesses || r.shape.depth > kLongestSide || !sizeOf(r).fits(bytes_)) return;
        const std::string text = toText(r);
        if (std::none_of(found_.begin(), found_.end(), [&](const RawRequest& f) { return toText(f) == text; })) found_.push_back(r);
    }
    void fromName() {
        if (facts_.sizes.empty()) return;
        const std::int64_t w = facts_.sizes[0], h = facts_.sizes[1];
        if (facts_.sizes.size() == 3)
            for (const StoredType type : types_) offer(request({w, h, facts_.sizes[2], 1}, type));
        else
            for (const StoredType type : types_) offer(slices(w, h, type));
        if (!found_.empty()) return;
        // With a header before the samples, shortest first.
        std::vector<RawRequest> headed;
        for (const StoredType type : types_) {
            RawRequest r = request({w, h, facts_.sizes.size() == 3 ? facts_.sizes[2] : 1, 1}, type);
            const RawSize size = sizeOf(r);
            if (!size.countable || size.samples >= bytes_) continue;
            r.offset = bytes_ - size.samples;
            if (r.offset <= kLongestHeader) headed.push_back(r);
        }
        std::stable_sort(headed.begin(), headed.end(), [](const RawRequest& a, const RawRequest& b) { return a.offset < b.offset; });
        for (const RawRequest& r : headed) offer(r);
    }
    void fromSize() {
        for (const StoredType type : types_) {
            const auto side = static_cast<std::int64_t>(std::llround(std::cbrt(static_cast<double>(bytes_ / bytesOf(type)))));
            if (side > 1) offer(request({side, side, side, 1}, type));
        }
        for (const StoredType type : types_)
            for (const std::int64_t side : kSides) {
                const RawRequest r = slices(side, side, type);
                if (r.shape.depth > 1 && r.shape.depth <= kMaxSlices) offer(r);
            }
        for (const StoredType type : types_) {
            const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(bytes_ / bytesOf(type)))));
            if (side > 1 && side <= kLongestSide) offer(request({side, side, 1, 1}, type));
        }
    }
    std::vector<RawRequest> take() {
        const bool named = facts_.sizes.size() >= 2;
        const Shape shape = named ? Shape{facts_.sizes[0], facts_.sizes[1], facts_.sizes.size() == 3 ? facts_.sizes[2] : 1, 1}
                                  : Shape{kSides[0], kSides[0], 1, 1};
        if (found_.empty()) found_.push_back(request(shape, types_.front()));
        return std::move(found_);
    }

private:
    /// Number of slices in the file, at least 1.
    RawRequest slices(std::int64_t w, std::int64_t h, StoredType type) const {
        const std::uint64_t slice = static_cast<std::uint64_t>(w) * static_cast<std::uint64_t>(h) * bytesOf(type);
        return request({w, h, std::max<std::int64_t>(1, static_cast<std::int64_t>(bytes_ / slice)), 1}, type);
    }

    std::string path_;
    std::uint64_t bytes_;
    NameFacts facts_;
    std::vector<StoredType> types_;
    std::vector<RawRequest> found_;
};

/// Extent that fills the file; 0 if no integer does.
std::int64_t sideFor(const RawRequest& r, std::int64_t Shape::*side, std::uint64_t fileBytes) {
    if (fileBytes <= r.offset) return 0;
    RawRequest thin = r;
    thin.shape.*side = 1;
    thin.offset = 0;
    const RawSize size = sizeOf(thin);
    const std::uint64_t rest = fileBytes - r.offset;
    if (!size.countable || size.samples == 0 || rest % size.samples != 0) return 0;
    const std::uint64_t count = rest / size.samples;
    return count <= static_cast<std::uint64_t>(kLongestSide) ? static_cast<std::int64_t>(count) : 0;
}

}  // namespace

std::vector<RawRequest> guessRaw(const std::string& path, std::uint64_t fileBytes) {
    Guesses guesses(path, fileBytes, factsOf(path, fileBytes));
    guesses.fromName();
    guesses.fromSize();
    return guesses.take();
}

bool nameTellsSize(const std::string& path, std::uint64_t fileBytes) { return !factsOf(path, fileBytes).sizes.empty(); }

std::vector<RawRequest> fittingRaw(const RawRequest& request, std::uint64_t fileBytes) {
    std::vector<RawRequest> fitting;
    const auto side = [&](std::int64_t Shape::*which) {
        RawRequest r = request;
        r.shape.*which = sideFor(request, which, fileBytes);
        if (r.shape.*which > 0 && r.shape.*which != request.shape.*which) fitting.push_back(r);
    };
    side(&Shape::depth);
    for (const StoredType type : kTypes) {
        RawRequest r = request;
        r.type = type;
        if (bytesOf(type) != bytesOf(request.type) && sizeOf(r).fits(fileBytes)) fitting.push_back(r);
    }
    if (const RawSize size = sizeOf(request); size.countable && size.samples < fileBytes && fileBytes - size.samples != request.offset) {
        RawRequest r = request;
        r.offset = fileBytes - size.samples;
        fitting.push_back(r);
    }
    side(&Shape::height);
    side(&Shape::width);
    return fitting;
}

RawRequest flatFloatRaw(const RawRequest& request, std::uint64_t fileBytes) {
    RawRequest r = request;
    r.type = StoredType::float32;
    r.bigEndian = false;
    r.offset = 0;
    if (const std::int64_t depth = sideFor(r, &Shape::depth, fileBytes); depth > 0) r.shape.depth = depth;
    return r;
}

}  // namespace parallax
