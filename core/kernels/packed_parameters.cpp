// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/packed_parameters.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <string_view>

#include "core/engine/operation/kernel_values.hpp"

namespace parallax::user {
namespace {

constexpr std::size_t kAlignment = 64;

std::string sanitised(std::string_view key) {
    std::string name(key);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

std::string upper(std::string_view text) {
    std::string name = sanitised(text);
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

std::vector<KernelValue> valuesOf(const Operation& operation, const Problem& problem) {
    const auto* gives = capability<GivesKernelValues>(operation);
    return gives ? gives->kernelValues(problem) : std::vector<KernelValue>{};
}

/// The values that an operation gives, for a problem that tells their names.
std::vector<KernelValue> valuesOf(const Operation& operation) {
    Problem problem;
    problem.shape = {1, 1, 1, 1};
    problem.channelNames = {"Y"};
    problem.parameters = ParameterBlock(operation.parameters());
    return valuesOf(operation, problem);
}

std::int64_t indexOf(const ParameterInfo& p, const std::string& choice) {
    return std::find_if(p.choices.begin(), p.choices.end(), [&](const ParameterChoice& c) { return c.key == choice; }) - p.choices.begin();
}

std::string rangeOf(const ParameterInfo& p) {
    if (p.kind != ParameterKind::integer && p.kind != ParameterKind::real) return {};
    std::string text = " From " + toText(p.minimum) + " to " + toText(p.maximum);
    if (!p.unit.empty()) text += " " + p.unit;
    if (!p.minimumMeans.empty()) text += "; the minimum means: " + p.minimumMeans;
    return text + ".";
}

std::string comment(const std::string& text, const std::string& indent) {
    constexpr std::size_t kWidth = 110;
    std::string out = indent + "/* ";
    std::size_t column = out.size();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (column + end - at > kWidth) {
            out += "\n" + indent + "   ";
            column = indent.size() + 3;
        } else if (at > 0) {
            out += ' ';
            ++column;
        }
        out += text.substr(at, end - at);
        column += end - at;
        at = end + 1;
    }
    return out + " */\n";
}

class Packer {
public:
    void word(std::uint64_t value) { packed_.words.push_back(value); }
    void pointerTo(const void* begin, std::size_t bytes) {
        while (packed_.data.size() % kAlignment != 0) packed_.data.push_back({});
        packed_.pointers.push_back(packed_.words.size());
        word(packed_.data.size());
        packed_.data.resize(packed_.data.size() + bytes);
        std::memcpy(packed_.data.data() + packed_.data.size() - bytes, begin, bytes);
    }
    PackedParameters take() { return std::move(packed_); }

private:
    PackedParameters packed_;
};

}  // namespace

std::string memberNameOf(std::string_view key) {
    constexpr std::string_view kReserved[] = {"operator", "union",    "class", "template", "default",
                                              "switch",   "register", "auto",  "new",      "delete"};
    const std::string name = sanitised(key);
    return std::find(std::begin(kReserved), std::end(kReserved), name) == std::end(kReserved) ? name : name + "_";
}

std::string structNameOf(const Operation& operation) { return "parallax_" + memberNameOf(operation.id()); }

std::string headerOf(const Operation& operation) {
    const std::string name = structNameOf(operation), constant = upper(operation.id()) + "_";
    std::string text = "/* " + operation.id() + ": " + operation.title() + ". Made by Parallax. */\n";
    text += "#ifndef " + upper(name) + "_H\n#define " + upper(name) + "_H\n\n#include \"parallax_kernel.h\"\n\n" +
            comment(operation.help(), "");
    std::string members;
    for (const ParameterInfo& p : operation.parameters().infos()) {
        std::string help = p.help;
        const std::string member = memberNameOf(p.key);
        if (p.kind == ParameterKind::choice) {
            help += " One of " + constant + upper(p.key) + "_... .";
            text += "enum {\n";
            for (const ParameterChoice& c : p.choices) text += "    " + constant + upper(p.key) + "_" + upper(c.key) + ",\n";
            text += "};\n";
        }
        if (!p.shownIfKey.empty()) {
            help += " Only if " + p.shownIfKey + " is ";
            for (std::size_t i = 0; i < p.shownIfValues.size(); ++i) help += (i ? " or " : "") + p.shownIfValues[i];
            help += ".";
        }
        members += comment(help + rangeOf(p), "    ");
        members += p.kind == ParameterKind::real ? "    double " : p.kind == ParameterKind::text ? "    const char *" : "    int64_t ";
        members += member + ";\n";
    }
    for (const KernelValue& v : valuesOf(operation))
        members += comment(v.help + ".", "    ") + (v.isArray ? "    parallax_array " : "    int64_t ") + memberNameOf(v.key) + ";\n";
    text += "\ntypedef struct " + name + " {\n" + members + "} " + name + ";\n\n";
    text +=
        "#ifdef PARALLAX_LAUNCH /* CUDA with launch comments: no functions on the host */\n/* __global__ void NAME(parallax_input in, "
        "parallax_output out, " +
        name + " p, parallax_context context) */\n#else\n\n";
    const std::string in = "const parallax_input *in", p = "const " + name + " *p", context = "const parallax_context *context";
    text += "/* Computes the output. */\nPARALLAX_ENTRY void parallax_kernel(" + in + ", const parallax_output *out, " + p + ", " +
            context + ");\n\n";
    text +=
        "/* The others may be left out. `in` has no data there. */\n"
        "/* Why the kernel cannot compute this; NULL if it can. Not asked for anything but this. */\n"
        "PARALLAX_ENTRY const char *parallax_refuses(" +
        in + ", " + p + ");\n";
    text += "/* Bytes of workspace that the kernel needs. */\nPARALLAX_ENTRY int64_t parallax_workspace(" + in + ", " + p + ", " + context +
            ");\n";
    text +=
        "/* Prepares the workspace, once for many runs with the same parameters: the stage `prepare`. */\nPARALLAX_ENTRY void "
        "parallax_prepare(" +
        in + ", " + p + ", " + context + ");\n\n#endif\n#endif\n";
    return text;
}

std::vector<ParameterMember> membersOf(const Operation& operation, const Problem& problem) {
    using Kind = ParameterMember::Kind;
    std::vector<ParameterMember> all;
    std::size_t word = 0;
    for (const ParameterInfo& p : operation.parameters().infos()) {
        ParameterMember m{.name = memberNameOf(p.key), .kind = Kind::whole, .word = word++};
        const ParameterValue value = problem.parameters.get(p.key);
        switch (p.kind) {
            case ParameterKind::boolean: m.value = std::get<bool>(value) ? 1 : 0; break;
            case ParameterKind::integer: m.value = std::get<std::int64_t>(value); break;
            case ParameterKind::choice: m.value = indexOf(p, std::get<std::string>(value)); break;
            case ParameterKind::real: m.kind = Kind::real; break;
            case ParameterKind::text: m.kind = Kind::text; break;
        }
        all.push_back(std::move(m));
    }
    for (const KernelValue& v : valuesOf(operation, problem)) {
        all.push_back({.name = memberNameOf(v.key),
                       .kind = v.isArray ? Kind::array : Kind::whole,
                       .word = word,
                       .value = v.number,
                       .width = v.width,
                       .height = v.height});
        word += v.isArray ? 3 : 1;
    }
    return all;
}

std::vector<std::pair<std::string, std::int64_t>> constantsOf(const Operation& operation) {
    std::vector<std::pair<std::string, std::int64_t>> all;
    for (const ParameterInfo& p : operation.parameters().infos())
        for (std::size_t i = 0; i < p.choices.size(); ++i)
            all.emplace_back(upper(operation.id()) + "_" + upper(p.key) + "_" + upper(p.choices[i].key), static_cast<std::int64_t>(i));
    return all;
}

PackedParameters packed(const Operation& operation, const Problem& problem) {
    Packer packer;
    for (const ParameterInfo& p : operation.parameters().infos()) {
        const ParameterValue value = problem.parameters.get(p.key);
        switch (p.kind) {
            case ParameterKind::boolean: packer.word(std::get<bool>(value) ? 1 : 0); break;
            case ParameterKind::integer: packer.word(static_cast<std::uint64_t>(std::get<std::int64_t>(value))); break;
            case ParameterKind::real: packer.word(std::bit_cast<std::uint64_t>(std::get<double>(value))); break;
            case ParameterKind::choice: packer.word(static_cast<std::uint64_t>(indexOf(p, std::get<std::string>(value)))); break;
            case ParameterKind::text: {
                const std::string& text = std::get<std::string>(value);
                packer.pointerTo(text.c_str(), text.size() + 1);
                break;
            }
        }
    }
    for (const KernelValue& v : valuesOf(operation, problem)) {
        if (!v.isArray) {
            packer.word(static_cast<std::uint64_t>(v.number));
            continue;
        }
        packer.pointerTo(v.values.data(), v.values.size() * sizeof(float));
        packer.word(static_cast<std::uint64_t>(v.width));
        packer.word(static_cast<std::uint64_t>(v.height));
    }
    return packer.take();
}

std::vector<std::byte> PackedParameters::bytes(const std::array<double, 3>& spacing) const {
    const std::uint64_t counts[] = {words.size(), pointers.size(), data.size()};
    const std::size_t head = sizeof counts + sizeof spacing, ofWords = words.size() * sizeof(std::uint64_t),
                      ofPointers = pointers.size() * sizeof(std::uint64_t);
    // Arrays are aligned in the data, and the data in the file.
    const std::size_t dataAt = (head + ofWords + ofPointers + kAlignment - 1) / kAlignment * kAlignment;
    std::vector<std::byte> all(dataAt + data.size());
    std::memcpy(all.data(), counts, sizeof counts);
    std::memcpy(all.data() + sizeof counts, spacing.data(), sizeof spacing);
    std::memcpy(all.data() + head, words.data(), ofWords);
    if (ofPointers > 0) std::memcpy(all.data() + head + ofWords, pointers.data(), ofPointers);
    if (!data.empty()) std::memcpy(all.data() + dataAt, data.data(), data.size());
    return all;
}

}  // namespace parallax::user
