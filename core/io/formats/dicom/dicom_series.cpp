// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom_series.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/codec/text.hpp"

namespace parallax {
namespace {

using Group = std::vector<DicomSlice>;

/// Splits into groups whose members are `alike` the first one.
std::vector<Group> splitBy(Group slices, const std::function<bool(const DicomSlice&, const DicomSlice&)>& alike) {
    std::vector<Group> groups;
    for (DicomSlice& s : slices) {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return alike(g.front(), s); });
        if (found == groups.end()) groups.emplace_back().push_back(std::move(s));
        else found->push_back(std::move(s));
    }
    return groups;
}

/// Splits by an attribute, in the order of the first of each value.
std::vector<Group> splitByText(const Group& slices, DicomTag tag) {
    std::vector<Group> groups;
    std::map<std::string, std::size_t> index;
    for (const DicomSlice& s : slices) {
        const auto [it, isNew] = index.emplace(s.header.wholeText(tag), groups.size());
        if (isNew) groups.emplace_back();
        groups[it->second].push_back(s);
    }
    return groups;
}

bool sameOrientation(const DicomSlice& a, const DicomSlice& b) {
    if (a.orientation.has_value() != b.orientation.has_value()) return false;
    if (!a.orientation) return true;
    constexpr double kTolerance = 1e-3;  // 0.06 degrees: rounding of the stored cosines
    for (std::size_t i = 0; i < 6; ++i)
        if (std::fabs((*a.orientation)[i] - (*b.orientation)[i]) > kTolerance) return false;
    return true;
}

bool sameGrid(const DicomSlice& a, const DicomSlice& b) {
    const auto near = [](double x, double y) { return std::fabs(x - y) <= 1e-3 * std::fabs(x); };
    return a.width == b.width && a.height == b.height && near(a.pixelSpacing[0], b.pixelSpacing[0]) &&
           near(a.pixelSpacing[1], b.pixelSpacing[1]) && sameOrientation(a, b) && a.position.has_value() == b.position.has_value() &&
           a.photometric == b.photometric;
}

bool samePlace(const DicomSlice& a, const DicomSlice& b) {
    if (!a.position || !b.position) return false;
    constexpr double kTolerance = 1e-3;  // mm
    return std::fabs(along(a) - along(b)) <= kTolerance;
}

bool hasRepeats(Group slices) {
    std::sort(slices.begin(), slices.end(), beforeInSpace);
    return std::adjacent_find(slices.begin(), slices.end(), samePlace) != slices.end();
}

bool framesOfOneFile(const Group& slices) {
    return std::all_of(slices.begin(), slices.end(), [&](const DicomSlice& s) { return s.frames > 1 && s.path == slices.front().path; });
}

/// The first images at all positions, the second ones, and so on. `slices`: in order of their positions.
std::vector<Group> splitByOccurrence(const Group& slices) {
    std::vector<Group> groups;
    std::size_t n = 0;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        n = i > 0 && samePlace(slices[i - 1], slices[i]) ? n + 1 : 0;
        if (n == groups.size()) groups.emplace_back();
        groups[n].push_back(slices[i]);
    }
    return groups;
}

/// The earliest images at all positions, the second ones, and so on, by a time. Returns nothing unless all positions have equally many, of
/// different times.
std::vector<Group> splitByTime(Group slices, DicomTag tag) {
    std::sort(slices.begin(), slices.end(), beforeInSpace);
    for (auto begin = slices.begin(); begin != slices.end();) {
        const auto end = std::find_if_not(begin + 1, slices.end(), [&](const DicomSlice& s) { return samePlace(*begin, s); });
        const auto time = [&](const DicomSlice& s) { return s.header.number(tag); };
        std::stable_sort(begin, end, [&](const DicomSlice& a, const DicomSlice& b) { return time(a) < time(b); });
        if (std::adjacent_find(begin, end, [&](const DicomSlice& a, const DicomSlice& b) { return time(a) == time(b); }) != end) return {};
        begin = end;
    }
    std::vector<Group> groups = splitByOccurrence(slices);
    if (groups.front().size() != groups.back().size()) groups.clear();
    return groups;
}

/// Attributes that may separate images at one position, in order of preference.
struct Distinction {
    DicomTag tag;
    const char* title;
};
constexpr Distinction kDistinctions[] = {
    {0x00200100, "time"},    {0x00209128, "time"},  {0x00200012, "acquisition"}, {0x00180081, "echo time"},  {0x00189082, "echo time"},
    {0x00189087, "b-value"}, {0x00209056, "stack"}, {0x00181210, "kernel"},      {0x00080008, "image type"}, {0x00089007, "frame type"}};

/// Trigger, acquisition and content time, which separate the phases of a series. They are not shown, since they may identify the patient.
constexpr DicomTag kTimes[] = {0x00181060, 0x00080032, 0x00080033};

/// Removes copies of an instance.
std::uint64_t dropCopies(Group& slices) {
    std::set<std::pair<std::string, std::int64_t>> seen;
    const std::size_t before = slices.size();
    std::erase_if(slices, [&](const DicomSlice& s) { return !s.instanceUid.empty() && !seen.insert({s.instanceUid, s.frame}).second; });
    return before - slices.size();
}

/// Keeps the image with the lowest number at each position.
void dropRepeats(Group& slices, std::vector<std::string>& warnings) {
    std::uint64_t dropped = 0;
    std::string example;
    for (std::size_t i = 1; i < slices.size();) {
        if (!samePlace(slices[i - 1], slices[i])) {
            ++i;
            continue;
        }
        ++dropped;
        if (example.empty())
            example = "at " + millimetres(along(slices[i])) + " the images number " + std::to_string(slices[i - 1].instanceNumber) +
                      " and " + std::to_string(slices[i].instanceNumber);
        slices.erase(slices.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (dropped > 0)
        warnings.push_back(std::to_string(dropped) + (dropped == 1 ? " slice is" : " slices are") + " at the position of another one (" +
                           example + "); the one with the lowest number was used");
}

/// Lower case of ASCII and of the letters of Latin-1, in UTF-8.
std::string lowerLetters(const std::string& text) {
    std::string lower = lowerCase(text);
    for (std::size_t i = 0; i + 1 < lower.size(); ++i) {
        const auto second = static_cast<unsigned char>(lower[i + 1]);
        if (lower[i] == '\xc3' && second >= 0x80 && second <= 0x9e && second != 0x97) lower[i + 1] = static_cast<char>(second + 0x20);
    }
    return lower;
}

std::string digitsOf(const std::string& text) {
    std::string digits;
    for (const char c : text)
        if (c >= '0' && c <= '9') digits += c;
    return digits;
}

/// Whether a text may identify the patient: by a part of a name, a number, an institution, or the date of birth in any order and form.
bool namesPatient(const std::string& text, const DicomHeader& h) {
    const std::string where = lowerLetters(text), digits = digitsOf(text);
    for (const DicomTag tag : {0x00100010U, 0x00100020U, 0x00101000U, 0x00101001U, 0x00080080U, 0x00080090U, 0x00081050U, 0x00081070U}) {
        std::string part;
        for (const char c : lowerLetters(h.utf8(tag)) + "^") {
            if (std::string_view("^= \\,.-_'").find(c) == std::string_view::npos) {
                part += c;
                continue;
            }
            if (part.size() >= 2 && where.find(part) != std::string::npos) return true;
            part.clear();
        }
    }
    const std::string birth = digitsOf(h.utf8(0x00100030));
    if (birth.size() != 8) return false;
    const std::string year = birth.substr(0, 4), month = birth.substr(4, 2), day = birth.substr(6);
    const std::string forms[] = {birth, day + month + year, month + day + year, day + month + year.substr(2)};
    return std::any_of(std::begin(forms), std::end(forms), [&](const std::string& form) { return digits.find(form) != std::string::npos; });
}

void describe(DicomSeries& series) {
    const DicomSlice& first = series.slices.front();
    SeriesInfo& info = series.info;
    info.uid = first.seriesUid;
    info.number = first.seriesNumber;
    info.modality = toUtf8(first.modality);
    info.description = first.header.utf8(0x0008103e);
    for (const DicomSlice& s : series.slices)
        if (namesPatient(info.description, s.header)) {
            info.description = "(left out: it names the patient)";
            break;
        }
    std::set<std::string> paths;
    for (const DicomSlice& s : series.slices) paths.insert(s.path);
    info.files = static_cast<std::int64_t>(paths.size());
    info.minimumIsWhite = first.photometric == "MONOCHROME1";
    if (first.padding) info.padding = *first.padding * first.rescale.slope + first.rescale.intercept;
    series.geometry.unit = toUtf8(first.unit);
    if (std::any_of(series.slices.begin(), series.slices.end(), [](const DicomSlice& s) { return s.slopeWasZero; }))
        series.warnings.emplace_back("The rescale slope of the file is 0; 1 was used");
}

DicomSeries makeSeries(Group slices, std::string detail, std::uint64_t copies) {
    DicomSeries series;
    series.detail = std::move(detail);
    if (copies > 0)
        series.warnings.push_back(std::to_string(copies) + (copies == 1 ? " file is a copy" : " files are copies") + " of others and " +
                                  (copies == 1 ? "was" : "were") + " left out");
    std::sort(slices.begin(), slices.end(), beforeInSpace);
    dropRepeats(slices, series.warnings);
    series.slices = std::move(slices);
    describe(series);
    placeSlices(series);
    return series;
}

/// Each colour image, or frame of one, is for itself.
void divideColours(Group slices, std::vector<DicomSeries>& to) {
    const bool several = slices.size() > 1;
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const DicomSlice& s = slices[i];
        DicomSeries series;
        if (s.frames > 1) series.detail = "frame " + std::to_string(s.frame);
        else if (several) series.detail = "image " + std::to_string(i + 1);
        series.slices.push_back(std::move(slices[i]));
        describe(series);
        to.push_back(std::move(series));
    }
}

/// Splits one series into one or more volumes.
void divide(Group slices, std::vector<DicomSeries>& to) {
    const std::uint64_t copies = dropCopies(slices);
    std::vector<Group> grids = splitBy(std::move(slices), sameGrid);
    for (std::size_t g = 0; g < grids.size(); ++g) {
        if (grids[g].front().isColour()) {
            divideColours(std::move(grids[g]), to);
            continue;
        }
        std::string detail = grids.size() > 1 ? orientationText(grids[g].front()) : std::string();
        if (hasRepeats(grids[g])) {
            bool divided = false;
            for (const Distinction& d : kDistinctions) {
                std::vector<Group> parts = splitByText(grids[g], d.tag);
                if (parts.size() < 2 || std::any_of(parts.begin(), parts.end(), hasRepeats)) continue;
                for (Group& part : parts) {
                    const std::string value = part.front().header.utf8(d.tag);
                    const std::string by = std::string(d.title) + " " + (value.empty() ? "unknown" : value);
                    to.push_back(makeSeries(std::move(part), detail.empty() ? by : detail + ", " + by, g == 0 ? copies : 0));
                }
                divided = true;
                break;
            }
            if (divided) continue;
            std::vector<Group> parts;
            for (const DicomTag tag : kTimes)
                if (parts.empty()) parts = splitByTime(grids[g], tag);
            const char* title = "phase";
            if (parts.empty() && framesOfOneFile(grids[g])) {
                std::sort(grids[g].begin(), grids[g].end(), beforeInSpace);
                parts = splitByOccurrence(grids[g]);
                title = "repetition";
            }
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const std::string by = std::string(title) + " " + std::to_string(i + 1);
                to.push_back(makeSeries(std::move(parts[i]), detail.empty() ? by : detail + ", " + by, g == 0 ? copies : 0));
            }
            if (!parts.empty()) continue;
        }
        to.push_back(makeSeries(std::move(grids[g]), detail, g == 0 ? copies : 0));
    }
}

std::string letters(std::size_t i) {
    std::string text(1, static_cast<char>('a' + i % 26));
    return i < 26 ? text : letters(i / 26 - 1) + text;
}

}  // namespace

std::string DicomSeries::title() const {
    const DicomSlice& first = slices.front();
    std::string text = id + ": " + (info.modality.empty() ? "images" : info.modality) + ", " + std::to_string(first.width) + " x " +
                       std::to_string(first.height) + " x " + std::to_string(slices.size());
    if (slices.size() > 1) text += ", " + millimetres(geometry.spacing[2]);
    if (!detail.empty()) text += " (" + detail + ")";
    if (!warnings.empty()) text += "; opens with warnings";
    return text;
}

std::vector<DicomSeries> sortIntoSeries(std::vector<DicomSlice> slices) {
    // Independent of file names.
    std::sort(slices.begin(), slices.end(), [](const DicomSlice& a, const DicomSlice& b) {
        return std::tie(a.seriesNumber, a.seriesUid, a.instanceNumber, a.instanceUid, a.frame) <
               std::tie(b.seriesNumber, b.seriesUid, b.instanceNumber, b.instanceUid, b.frame);
    });
    std::vector<DicomSeries> all;
    std::map<std::pair<std::int64_t, std::string>, Group> bySeries;
    for (DicomSlice& s : slices) {
        const std::pair key{s.seriesNumber, s.seriesUid};
        bySeries[key].push_back(std::move(s));
    }
    for (auto& [key, group] : bySeries) divide(std::move(group), all);
    std::map<std::int64_t, std::size_t> count, used;
    for (const DicomSeries& s : all) ++count[s.info.number];
    for (DicomSeries& s : all) {
        s.id = std::to_string(s.info.number);
        if (count[s.info.number] > 1) s.id += letters(used[s.info.number]++);
    }
    return all;
}

DicomSeries& chooseSeries(std::vector<DicomSeries>& all, const std::string& choice, const std::string& folder) {
    std::vector<DicomSeries*> found;
    for (DicomSeries& s : all)
        if (choice.empty() || choice == s.id) found.push_back(&s);
    if (found.empty() && choice.size() > 3)
        for (DicomSeries& s : all)
            if (s.info.uid.starts_with(choice)) found.push_back(&s);
    if (found.empty())
        for (DicomSeries& s : all)
            if (choice == std::to_string(s.info.number)) found.push_back(&s);
    if (found.size() == 1) return *found.front();
    std::string list;
    for (const DicomSeries& s : all) list += "\n  " + s.title();
    const std::string advice = "Choose one, for example '" + folder + "#" + all.front().id + "':" + list;
    if (found.empty()) throw Error(ErrorCode::input, "Cannot open '" + folder + "#" + choice + "'", "there is no such series", advice);
    throw Error(ErrorCode::input, "Cannot open '" + folder + (choice.empty() ? "" : "#" + choice) + "'",
                "it holds " + std::to_string(found.size()) + " series", advice);
}

}  // namespace parallax
