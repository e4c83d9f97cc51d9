// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom_header.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "core/engine/backend/backend.hpp"
#include "core/image/error.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/large_file.hpp"

namespace parallax {
namespace {

constexpr DicomTag kPixelData = 0x7fe00010, kFloatPixelData = 0x7fe00008, kDoublePixelData = 0x7fe00009;
constexpr DicomTag kTransferSyntax = 0x00020010;
constexpr DicomTag kItem = 0xfffee000, kItemEnd = 0xfffee00d, kSequenceEnd = 0xfffee0dd;
constexpr std::uint32_t kUndefined = 0xffffffff;
constexpr std::size_t kPreamble = 132;  // 128 arbitrary bytes and "DICM"

/// Attributes whose values are kept; others are skipped.
const std::set<DicomTag>& keptTags() {
    static const std::set<DicomTag> tags = [] {
        std::set<DicomTag> t{
            kTransferSyntax, 0x00080005, 0x00080008, 0x00080016, 0x00080018, 0x00080060, 0x00080070, 0x0008103e, 0x00180050, 0x00180060,
            0x00180081,      0x00180088, 0x00181060, 0x00181120, 0x00181164, 0x00181210, 0x00185100, 0x0020000e, 0x00200011, 0x00200012,
            0x00200013,      0x00200032, 0x00200037, 0x00200052, 0x00200100, 0x00280002, 0x00280004, 0x00280006, 0x00280008, 0x00280010,
            0x00280011,      0x00280030, 0x00280034, 0x00280100, 0x00280101, 0x00280102, 0x00280103, 0x00280120, 0x00280121, 0x00281050,
            0x00281051,      0x00281052, 0x00281053, 0x00281054, 0x00281055, 0x00281101, 0x00281102, 0x00281103, 0x00281201, 0x00281202,
            0x00281203,      0x00281221, 0x00282000, 0x00283000, 0x00541001, 0x30040002, 0x3004000c, 0x3004000e};
        for (const DicomAttribute& a : personalAttributes()) t.insert(a.tag);
        return t;
    }();
    return tags;
}

constexpr DicomTag kSharedGroups = 0x52009229, kFrameGroups = 0x52009230;

/// Attributes of functional groups that are kept, by the sequence of their group.
struct GroupAttribute {
    DicomTag group, tag;
    const char* vr;
};
constexpr GroupAttribute kGroupAttributes[] = {
    {0x00209113, 0x00200032, "DS"},                                                                  // plane position
    {0x00209116, 0x00200037, "DS"},                                                                  // plane orientation
    {0x00289110, 0x00280030, "DS"}, {0x00289110, 0x00180050, "DS"}, {0x00289110, 0x00180088, "DS"},  // pixel measures
    {0x00289145, 0x00281052, "DS"}, {0x00289145, 0x00281053, "DS"}, {0x00289145, 0x00281054, "LO"},  // pixel value transformation
    {0x00289132, 0x00281050, "DS"}, {0x00289132, 0x00281051, "DS"}, {0x00289132, 0x00281055, "LO"},  // windows
    {0x00209111, 0x00209128, "UL"}, {0x00209111, 0x00209056, "SH"},                                  // temporal position, stack
    {0x00189114, 0x00189082, "FD"},                                                                  // effective echo time
    {0x00189117, 0x00189087, "FD"},                                                                  // b-value
    {0x00189226, 0x00089007, "CS"}, {0x00189329, 0x00089007, "CS"}, {0x00189751, 0x00089007, "CS"},  // frame type of MR, CT, PET
    {0x00189314, 0x00181210, "SH"}};                                                                 // kernel

constexpr std::string_view kVrs = "AE AS AT CS DA DS DT FD FL IS LO LT OB OD OF OL OV OW PN SH SL SQ SS ST SV TM UC UI UL UN UR US UT UV ";
constexpr std::string_view kLongVrs = "OB OD OF OL OV OW SQ SV UC UN UR UT UV ";  // 32-bit lengths

bool isOneOf(std::string_view vrs, const char* vr) {
    for (std::size_t i = 0; i + 2 < vrs.size(); i += 3)
        if (vrs[i] == vr[0] && vrs[i + 1] == vr[1]) return true;
    return false;
}

/// Inflates everything after the meta information. Samples of 16 bits take half of the memory of floats.
std::vector<std::uint8_t> inflateRest(const std::string& path, std::uint64_t from, const LoadOptions& options) {
    const std::uint64_t available = hostDevice().memoryFree;
    constexpr std::uint64_t kLargest = std::uint64_t{2} << 30;
    const std::uint64_t fits = available > 0 ? std::min(kLargest, available / 4) : kLargest;
    const std::uint64_t allowed = unpackedAllowed(std::filesystem::file_size(path), options) / 2;
    InflateReader stream(path, from, InflateReader::Envelope::none);
    std::vector<std::uint8_t> out;
    constexpr std::size_t kPiece = 1 << 20;
    for (std::size_t got = kPiece; got == kPiece;) {  // a premature end is detected while reading elements
        options.throwIfStopped();
        const std::size_t before = out.size();
        out.resize(before + kPiece);
        got = stream.readSome(out.data() + before, kPiece);
        out.resize(before + got);
        if (out.size() <= std::min(fits, allowed)) continue;
        const std::string why = "it inflates to more than " + std::to_string(std::min(fits, allowed) >> 20) + " MiB";
        if (allowed < fits) throw LargeFile(path, why, 2 * allowed);
        throw Error(ErrorCode::memory, "Cannot open '" + path + "'", why, "Close other images, or convert it to another transfer syntax");
    }
    return out;
}

std::string withoutPadding(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Offset of the first element, or nothing if the file is not DICOM.
std::optional<std::size_t> startOf(std::span<const std::uint8_t> head) {
    if (startsWith(head, "DICM", 128)) return kPreamble;
    // Without preamble: group 2 or 8, with a plausible first element.
    if (head.size() < 12) return std::nullopt;
    const unsigned group = head[0] | head[1] << 8, element = head[2] | head[3] << 8;
    if ((group != 2 && group != 8) || element > 0x20) return std::nullopt;
    const char vr[2] = {static_cast<char>(head[4]), static_cast<char>(head[5])};
    const unsigned length = head[4] | head[5] << 8;
    const bool explicitVr = isOneOf(kVrs, vr), implicitVr = length <= 64 && length % 2 == 0 && head[6] == 0 && head[7] == 0;
    return explicitVr || (group == 8 && implicitVr) ? std::optional<std::size_t>(0) : std::nullopt;
}

}  // namespace

/// What follows the meta information of a deflated file.
struct DicomHeader::Inflated {
    std::mutex mutex;
    std::vector<std::uint8_t> bytes;  ///< empty until a frame is read
};

/// Walks the elements. Lengths are checked against the size of the file before they are used.
class DicomHeaderReader {
public:
    DicomHeaderReader(DicomHeader& header, const std::string& path, const LoadOptions& options)
        : header_(header), path_(path), options_(options), source_(std::make_unique<ByteSource>(path)) {}

    void read() {
        std::array<std::uint8_t, kPreamble + 12> head{};
        const std::size_t size = source_->read(0, head.data(), head.size());
        const auto start = startOf({head.data(), size});
        if (!start) refuseFile(path_, "it has no DICOM signature", "Check that it is a DICOM file");
        at_ = *start;
        bool meta = false;
        while (peekGroup() == 2) {
            meta = true;
            step(false);
        }
        if (const std::string ts = header_.text(kTransferSyntax); !ts.empty()) header_.transferSyntax_ = ts;
        else if (meta) header_.transferSyntax_ = "1.2.840.10008.1.2.1";
        const std::string& ts = header_.transferSyntax_;
        if (ts == "1.2.840.10008.1.2.1.99") {
            header_.deflatedFrom_ = at_;
            header_.inflated_ = std::make_shared<DicomHeader::Inflated>();
            source_ = std::make_unique<ByteSource>(inflateRest(path_, at_, options_));
            at_ = 0;
        }
        header_.bigEndian_ = big_ = ts == "1.2.840.10008.1.2.2";
        // Some writers use another encoding than they declare: the first element decides. A length that reads as two letters would be
        // large.
        implicit_ = false;
        std::array<char, 6> first{};
        if (source_->read(at_, first.data(), first.size()) == first.size()) implicit_ = !isOneOf(kVrs, first.data() + 4);
        if (big_ && implicit_) damaged("its first element does not match the transfer syntax");
        while (at_ < source_->size() && !header_.pixels_) step(true);
    }

private:
    struct Element {
        DicomTag tag = 0;
        char vr[2] = {'U', 'N'};
        std::uint32_t length = 0;
        std::uint64_t start = 0;  ///< offset of the element
    };

    [[noreturn]] void damaged(const std::string& why) const { refuseFile(path_, why); }
    [[noreturn]] void cutShort() const { damaged("it is truncated within an element, at byte " + std::to_string(at_)); }

    std::uint32_t number(int bytes) {
        std::array<std::uint8_t, 4> b{};
        if (source_->read(at_, b.data(), static_cast<std::size_t>(bytes)) != static_cast<std::size_t>(bytes)) cutShort();
        at_ += static_cast<std::uint64_t>(bytes);
        std::uint32_t v = 0;
        for (int i = 0; i < bytes; ++i) v |= std::uint32_t{b[static_cast<std::size_t>(big_ ? bytes - 1 - i : i)]} << (8 * i);
        return v;
    }
    DicomTag tag() {
        const std::uint32_t group = number(2);
        return group << 16 | number(2);
    }
    std::uint32_t peekGroup() {
        std::array<std::uint8_t, 2> b{};
        return source_->read(at_, b.data(), 2) == 2 ? std::uint32_t{b[0]} | std::uint32_t{b[1]} << 8 : 0;
    }

    /// Reads tag, VR and length; `at_` is at the value afterwards.
    Element begin(bool implicitVr) {
        Element e;
        e.start = at_;
        e.tag = tag();
        if (e.tag == kItem || e.tag == kItemEnd || e.tag == kSequenceEnd || implicitVr) {
            e.length = number(4);
            return e;
        }
        if (source_->read(at_, e.vr, 2) != 2) cutShort();
        at_ += 2;
        if (!isOneOf(kVrs, e.vr)) damaged("the element " + toText(e.tag) + " at byte " + std::to_string(e.start) + " has no valid type");
        if (isOneOf(kLongVrs, e.vr)) {
            (void)number(2);
            e.length = number(4);
        } else {
            e.length = number(2);
        }
        return e;
    }
    void skip(const Element& e) {
        const std::uint64_t left = source_->size() - std::min(source_->size(), at_);
        if (e.length > left)
            damaged("the element " + toText(e.tag) + " at byte " + std::to_string(e.start) + " has " + std::to_string(e.length) +
                    " bytes and " + std::to_string(left) + " are left");
        at_ += e.length;
    }

    /// Reads an element of the data set or of the meta information, which is always explicit and little-endian.
    void step(bool dataSet) {
        const Element e = begin(dataSet && implicit_);
        if (e.tag == kPixelData && dataSet) return pixelData(e);
        if ((e.tag == kSharedGroups || e.tag == kFrameGroups) && dataSet) return functionalGroups(e);
        if (e.tag == kFloatPixelData || e.tag == kDoublePixelData)
            refuseFile(path_, "floating-point pixel data are not supported", "Convert it to NIfTI");
        if (e.length == kUndefined) {
            keep(e, 0);  // its presence may matter
            return skipSequence(dataSet && implicit_, e.vr[0] == 'U', 0);
        }
        const std::uint64_t value = at_;
        skip(e);
        if (!keptTags().contains(e.tag)) return;
        constexpr std::uint32_t kLongest = 1 << 17;  // a palette of 65,536 colours
        const bool sequence = e.vr[0] == 'S' && e.vr[1] == 'Q';
        const std::uint64_t end = std::exchange(at_, value);
        keep(e, sequence || e.length > kLongest ? 0 : e.length);
        at_ = end;
    }
    void keep(const Element& e, std::uint32_t length) {
        if (!keptTags().contains(e.tag)) return;
        DicomHeader::Value v;
        v.bytes.resize(length);
        if (source_->read(at_, v.bytes.data(), length) != length) cutShort();
        v.vr[0] = e.vr[0];
        v.vr[1] = e.vr[1];
        (*header_.values_)[e.tag] = std::move(v);
    }

    /// Calls `element` for the elements in each item of a sequence; it must move `at_` behind the value. `item` begins one.
    template <class Item, class TakeElement>
    void walkSequence(const Element& sequence, bool inside, Item&& item, TakeElement&& element) {
        const auto endOf = [&](const Element& e, std::uint64_t limit) {
            if (e.length == kUndefined) return limit;
            if (e.length > limit - std::min(limit, at_))
                damaged("a sequence of its functional groups ends outside of the file or its parent");
            return at_ + e.length;
        };
        const std::uint64_t end = endOf(sequence, source_->size());
        while (sequence.length == kUndefined || at_ < end) {
            const Element i = begin(inside);
            if (i.tag == kSequenceEnd) return;
            if (i.tag != kItem) damaged("a sequence has " + toText(i.tag) + " at byte " + std::to_string(i.start) + " instead of an item");
            item();
            const std::uint64_t itemEnd = endOf(i, end);
            while (i.length == kUndefined || at_ < itemEnd) {
                const Element e = begin(inside);
                if (e.tag == kItemEnd) break;
                element(e);
            }
        }
    }
    void skipElement(const Element& e, bool inside) {
        if (e.length == kUndefined) skipSequence(inside, e.vr[0] == 'U' && !inside, 1);
        else skip(e);
    }

    /// Reads a sequence of functional groups: an item for each frame or, if they are shared, one.
    void functionalGroups(const Element& sequence) {
        const bool shared = sequence.tag == kSharedGroups, unknown = sequence.vr[0] == 'U', inside = implicit_ || unknown;
        std::vector<DicomHeader::Values> items;
        walkSequence(
            sequence, inside,
            [&] {
                if (items.size() >= kMaxFrames) damaged("it describes more than " + std::to_string(kMaxFrames) + " frames");
                items.emplace_back();
            },
            [&](const Element& group) {
                const bool known = std::any_of(std::begin(kGroupAttributes), std::end(kGroupAttributes),
                                               [&](const GroupAttribute& a) { return a.group == group.tag; });
                if (!known) return skipElement(group, inside);
                walkSequence(
                    group, inside, [] {}, [&](const Element& e) { groupElement(group.tag, e, inside, items.back()); });
            });
        if (!shared) header_.frames_ = std::make_shared<std::vector<DicomHeader::Values>>(std::move(items));
        else header_.shared_ = std::make_shared<DicomHeader::Values>(items.empty() ? DicomHeader::Values{} : std::move(items.front()));
    }
    void groupElement(DicomTag group, const Element& e, bool inside, DicomHeader::Values& to) {
        const auto known = std::find_if(std::begin(kGroupAttributes), std::end(kGroupAttributes),
                                        [&](const GroupAttribute& a) { return a.group == group && a.tag == e.tag; });
        constexpr std::uint32_t kLongest = 1024;
        if (known == std::end(kGroupAttributes) || e.length > kLongest) return skipElement(e, inside);
        std::string bytes(e.length, '\0');
        if (source_->read(at_, bytes.data(), e.length) != e.length) cutShort();
        at_ += e.length;
        const bool wholeNumber = known->vr[0] == 'U', real = known->vr[0] == 'F';
        if (wholeNumber || real) bytes = numberText(bytes, real);
        to[e.tag] = {std::move(bytes), {'D', 'S'}};
    }
    /// The first number of a value of UL or FD as text.
    std::string numberText(const std::string& bytes, bool real) const {
        const std::size_t size = real ? 8 : 4;
        if (bytes.size() < size) return {};
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < size; ++i) bits |= std::uint64_t{static_cast<std::uint8_t>(bytes[big_ ? size - 1 - i : i])} << (8 * i);
        std::array<char, 32> text{};
        const auto end = real ? std::to_chars(text.data(), text.data() + text.size(), std::bit_cast<double>(bits))
                              : std::to_chars(text.data(), text.data() + text.size(), bits);
        return {text.data(), end.ptr};
    }

    /// Skips a sequence of undefined length. UN is implicit inside (CP-246).
    void skipSequence(bool implicitVr, bool unknown, int depth) {
        constexpr int kDeepest = 32;
        if (depth > kDeepest) damaged("its sequences are nested more than " + std::to_string(kDeepest) + " deep");
        const bool inside = implicitVr || unknown;
        for (;;) {
            const Element item = begin(inside);
            if (item.tag == kSequenceEnd) return;
            if (item.tag != kItem)
                damaged("a sequence has " + toText(item.tag) + " at byte " + std::to_string(item.start) + " instead of an item");
            if (item.length != kUndefined) {
                skip(item);
                continue;
            }
            for (;;) {
                const Element e = begin(inside);
                if (e.tag == kItemEnd) break;
                if (e.length == kUndefined) skipSequence(inside, e.vr[0] == 'U' && !inside, depth + 1);
                else skip(e);
            }
        }
    }

    void pixelData(const Element& e) {
        DicomPixels p;
        p.offset = at_;
        p.encapsulated = e.length == kUndefined;
        p.length = source_->size() - std::min(source_->size(), at_);
        if (!p.encapsulated) p.length = std::min<std::uint64_t>(p.length, e.length);
        p.promised = p.encapsulated ? p.length : e.length;
        p.words = e.vr[0] == 'O' && e.vr[1] == 'W';
        header_.pixels_ = p;
    }

    DicomHeader& header_;
    std::string path_;
    const LoadOptions& options_;
    std::unique_ptr<ByteSource> source_;
    std::uint64_t at_ = 0;
    bool big_ = false, implicit_ = false;
};

DicomHeader DicomHeader::read(const std::string& path, const LoadOptions& options) {
    DicomHeader header;
    header.path_ = path;
    DicomHeaderReader(header, path, options).read();
    return header;
}

bool DicomHeader::recognises(std::span<const std::uint8_t> head) { return startOf(head).has_value(); }

const DicomHeader::Value* DicomHeader::find(DicomTag tag) const {
    const auto in = [&](const Values& values) {
        const auto it = values.find(tag);
        return it == values.end() ? nullptr : &it->second;
    };
    if (frame_ && frames_ && *frame_ < frames_->size())
        if (const Value* const v = in((*frames_)[*frame_])) return v;
    if (frame_ && shared_)
        if (const Value* const v = in(*shared_)) return v;
    return in(*values_);
}

DicomHeader DicomHeader::ofFrame(std::size_t frame) const {
    DicomHeader header = *this;
    header.frame_ = frame;
    return header;
}

std::string DicomHeader::wholeText(DicomTag tag) const {
    const Value* const v = find(tag);
    return v ? withoutPadding(v->bytes.substr(0, v->bytes.find('\0'))) : std::string();
}

std::string_view DicomHeader::raw(DicomTag tag) const {
    const Value* const v = find(tag);
    return v ? std::string_view(v->bytes) : std::string_view();
}

std::string DicomHeader::text(DicomTag tag, std::size_t index) const {
    const std::vector<std::string> all = split(wholeText(tag), '\\');
    return index < all.size() ? withoutPadding(all[index]) : std::string();
}

std::string DicomHeader::utf8(DicomTag tag) const { return toUtf8(wholeText(tag)); }

std::vector<double> DicomHeader::numbers(DicomTag tag) const {
    const Value* const found = find(tag);
    if (!found) return {};
    const Value& v = *found;
    std::vector<double> list;
    // In implicit files the dictionary defines the type: these kept attributes are binary.
    const bool binary16 = (v.vr[0] == 'U' || v.vr[0] == 'S') && v.vr[1] == 'S';
    const bool implicitBinary =
        v.vr[0] == 'U' && v.vr[1] == 'N' &&
        ((tag >> 16 == 0x0028 && (tag & 0xffff) <= 0x0121 && tag != 0x00280030 && tag != 0x00280034 && tag != 0x00280008) ||
         (tag >= 0x00281101 && tag <= 0x00281103));
    if (binary16 || implicitBinary) {
        for (std::size_t i = 0; i + 2 <= v.bytes.size(); i += 2) {
            const auto a = static_cast<std::uint8_t>(v.bytes[i]), b = static_cast<std::uint8_t>(v.bytes[i + 1]);
            const auto u = static_cast<std::uint16_t>(bigEndian_ ? a << 8 | b : b << 8 | a);
            list.push_back(v.vr[0] == 'S' ? static_cast<double>(static_cast<std::int16_t>(u)) : static_cast<double>(u));
        }
        return list;
    }
    const std::string all = wholeText(tag);
    const char *at = all.data(), *const end = at + all.size();
    while (at < end) {
        while (at < end && (*at == ' ' || *at == '+')) ++at;
        double value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc{} || !std::isfinite(value)) break;
        list.push_back(value);
        at = next;
        while (at < end && *at == ' ') ++at;
        if (at < end && *at++ != '\\') {
            list.pop_back();  // "1A" is not a number
            break;
        }
    }
    return list;
}

std::optional<double> DicomHeader::number(DicomTag tag) const {
    const std::vector<double> all = numbers(tag);
    return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<std::uint8_t> DicomHeader::readPixels(const LoadOptions& options) const {
    if (!pixels_) return {};
    // Inflated again, since keeping it would hold each slice of a series in memory twice.
    const auto source =
        deflatedFrom_ > 0 ? std::make_unique<ByteSource>(inflateRest(path_, deflatedFrom_, options)) : std::make_unique<ByteSource>(path_);
    std::vector<std::uint8_t> bytes(pixels_->length);
    if (source->read(pixels_->offset, bytes.data(), bytes.size()) != bytes.size()) refuseFile(path_, "it has become shorter");
    return bytes;
}

std::vector<std::uint8_t> DicomHeader::readPixels(std::uint64_t from, std::uint64_t length, const LoadOptions& options) const {
    std::vector<std::uint8_t> bytes(length);
    const std::uint64_t first = pixels_->offset + from;
    if (deflatedFrom_ > 0) {
        const std::lock_guard lock(inflated_->mutex);
        std::vector<std::uint8_t>& all = inflated_->bytes;
        if (all.empty()) all = inflateRest(path_, deflatedFrom_, options);
        if (first > all.size() || length > all.size() - first) refuseFile(path_, "it has become shorter");
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), length, bytes.begin());
    } else if (ByteSource(path_).read(first, bytes.data(), bytes.size()) != bytes.size()) {
        refuseFile(path_, "it has become shorter");
    }
    return bytes;
}

std::string toText(DicomTag tag) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string text = "(";
    for (int shift = 28; shift >= 0; shift -= 4) {
        text += kDigits[tag >> shift & 15];
        if (shift == 16) text += ',';
    }
    return text + ")";
}

}  // namespace parallax
