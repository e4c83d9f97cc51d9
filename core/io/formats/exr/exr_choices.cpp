// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/exr/exr_choices.hpp"

#include <ImfChannelList.h>
#include <ImfMultiView.h>
#include <ImfStandardAttributes.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats/exr/exr_errors.hpp"
#include "core/io/formats/exr/exr_header.hpp"
#include "core/io/formats/exr/exr_metadata.hpp"
#include "core/io/formats/exr/exr_selection.hpp"
#include "core/io/limits.hpp"

namespace parallax {
namespace {

/// Views of the channels of a part; the first one needs no name in them.
Imf::StringVector viewsOf(const Imf::Header& header) { return Imf::hasMultiView(header) ? Imf::multiView(header) : Imf::StringVector{}; }

/// The prefixes of channel names up to each dot.
std::set<std::string> layersOf(const Imf::Header& header) {
    std::set<std::string> layers;
    for (auto it = header.channels().begin(); it != header.channels().end() && layers.size() < kMaxEntries; ++it) {
        const std::string name = it.name();
        for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
            if (dot > 0) layers.insert(name.substr(0, dot));
    }
    return layers;
}

ExrSelection wholePart(const Imf::MultiPartInputFile& file, int part) {
    const std::vector<std::string> names = orderedChannels(file.header(part).channels());
    return {part, names, names, false, false};
}

/// Channels of a view or a layer of a part; nothing if it has none of that name.
std::optional<ExrSelection> partially(const Imf::MultiPartInputFile& file, int part, const std::string& name) {
    const Imf::Header& header = file.header(part);
    ExrSelection s{part, {}, {}, true, true};
    const Imf::StringVector views = viewsOf(header);
    const bool view = std::find(views.begin(), views.end(), name) != views.end();
    const Imf::ChannelList list = view ? Imf::channelsInView(name, header.channels(), views) : header.channels();
    for (const std::string& stored : orderedChannels(list)) {
        if (!view && !stored.starts_with(name + ".")) continue;
        s.stored.push_back(stored);
        s.names.push_back(view ? Imf::removeViewName(stored, name) : stored.substr(name.size() + 1));
    }
    if (name.empty() || s.stored.empty()) return {};
    return s;
}

std::optional<int> partOf(const Imf::MultiPartInputFile& file, const std::string& text) {
    for (int p = 0; p < file.parts(); ++p)
        if (file.header(p).hasName() && file.header(p).name() == text) return p;
    constexpr std::size_t kLongest = 6;
    if (text.empty() || text.size() > kLongest || text.find_first_not_of("0123456789") != std::string::npos) return {};
    const int number = std::stoi(text);
    return number < file.parts() ? std::optional(number) : std::nullopt;
}

std::optional<ExrSelection> find(const Imf::MultiPartInputFile& file, const std::string& choice) {
    const auto chosen = [&](int part) {
        ExrSelection s = wholePart(file, part);
        s.chosen = true;
        return s;
    };
    if (const auto part = partOf(file, choice)) return chosen(*part);
    for (std::size_t dot = choice.find('.'); dot != std::string::npos; dot = choice.find('.', dot + 1))
        if (const auto part = partOf(file, choice.substr(0, dot)))
            if (auto some = partially(file, *part, choice.substr(dot + 1))) return some;
    for (int p = 0; p < file.parts(); ++p)
        if (file.header(p).hasView() && file.header(p).view() == choice) return chosen(p);
    for (int p = 0; p < file.parts(); ++p)
        if (auto some = partially(file, p, choice)) return some;
    return {};
}

std::vector<std::string> asUtf8(std::vector<std::string> names) {
    for (std::string& name : names) name = toUtf8(name);
    return names;
}

/// `names` are UTF-8.
std::string channelText(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i ? " " : "") + names[i];
    return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more" : text;
}

std::vector<ExrChoice> choicesOf(const Imf::MultiPartInputFile& file) {
    std::vector<ExrChoice> all;
    const bool several = file.parts() > 1;
    for (int p = 0; p < file.parts(); ++p) {
        const Imf::Header& header = file.header(p);
        const Imath::Box2i& window = header.dataWindow();
        std::string part = std::to_string(p);
        const std::int64_t width = std::int64_t{window.max.x} - window.min.x + 1, height = std::int64_t{window.max.y} - window.min.y + 1;
        const auto add = [&](std::string choice, ExrChoiceKind kind, const std::string& what, const std::vector<std::string>& names) {
            const std::vector<std::string> channels = asUtf8(names);
            all.push_back({std::move(choice), what + channelText(channels), kind, p, width, height, channels});
        };
        if (header.hasName() && !header.name().empty() && partOf(file, header.name()) == p) part = header.name();
        if (several)
            add(part, ExrChoiceKind::part,
                "part " + std::to_string(p) + ", " + std::to_string(width) + " x " + std::to_string(height) + ", ",
                wholePart(file, p).names);
        const Imf::StringVector views = viewsOf(header);
        std::vector<std::pair<std::string, ExrChoiceKind>> names;
        for (const std::string& view : views) names.emplace_back(view, ExrChoiceKind::view);
        for (const std::string& layer : layersOf(header))
            if (std::find(views.begin(), views.end(), layer) == views.end()) names.emplace_back(layer, ExrChoiceKind::layer);
        for (const auto& [name, kind] : names) {
            if (all.size() >= kMaxEntries) return all;
            if (const auto some = partially(file, p, name))
                add(several ? part + "." + name : name, kind, kind == ExrChoiceKind::view ? "view, " : "layer, ", some->names);
        }
    }
    return all;
}

}  // namespace

ExrSelection selectExr(const std::string& path, const Imf::MultiPartInputFile& file, const std::string& choice) {
    if (choice.empty()) return wholePart(file, 0);
    if (auto found = find(file, choice)) return *found;
    constexpr std::size_t kListed = 30;
    const std::vector<ExrChoice> choices = choicesOf(file);
    std::string list;
    for (std::size_t i = 0; i < std::min(kListed, choices.size()); ++i) list += "\n  #" + choices[i].choice + ": " + choices[i].description;
    if (choices.size() > kListed) list += "\n  and " + std::to_string(choices.size() - kListed) + " more (parallax-cli info)";
    throw Error(ErrorCode::input, "Cannot open '" + path + "#" + choice + "'", "it has no part, layer or view '" + choice + "'",
                choices.empty() ? "Leave out '#" + choice + "': it has one part without layers" : "Choose one of these:" + list);
}

std::vector<ExrChoice> exrChoices(const std::string& path) {
    return withReason(path, [&] {
        (void)checkExrHeaders(path);
        return choicesOf(Imf::MultiPartInputFile(path.c_str(), 0));
    });
}

}  // namespace parallax
