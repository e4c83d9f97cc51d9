// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/launch_comments.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <regex>
#include <string_view>

#include "core/engine/operation/operation.hpp"
#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/kernels/packed_parameters.hpp"

namespace parallax::user {
namespace {

constexpr std::int64_t kMaxThreads = 1024, kMaxBlocksX = 2147483647, kMaxBlocks = 65535, kConstantBytes = 64 << 10;

[[noreturn]] void refuse(const std::string& path, int line, const std::string& why) {
    throw Error(ErrorCode::input, path + ":" + std::to_string(line) + ": error", why);
}

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The name at a place, which moves behind it; empty if there is none.
std::string nameAt(std::string_view text, std::size_t& at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    const std::size_t begin = at;
    while (at < text.size() && isNameCharacter(text[at])) ++at;
    return std::string(text.substr(begin, at - begin));
}

/// The place behind the parenthesis that closes the one at `open`; npos if there is none.
std::size_t behindParentheses(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) return at + 1;
    }
    return std::string_view::npos;
}

/// The name of the `__global__` function that follows; empty if there is none.
std::string functionAfter(std::string_view text) {
    constexpr std::string_view kGlobal = "__global__";
    std::size_t at = text.find(kGlobal);
    if (at == std::string_view::npos) return {};
    at += kGlobal.size();
    // Attributes such as __launch_bounds__(256) have parentheses too.
    for (std::string last; at < text.size() && text[at] != ';' && text[at] != '{';) {
        if (text[at] == '(' && !last.empty() && last.rfind("__", 0) != 0) return last;
        if (text[at] == '(') {
            at = behindParentheses(text, at);
            last.clear();
            if (at == std::string_view::npos) return {};
            continue;
        }
        if (std::string name = nameAt(text, at); !name.empty()) last = std::move(name);
        else if (at < text.size() && text[at] != '(') ++at;
    }
    return {};
}

/// The variable in constant memory that follows; empty if there is none.
std::string constantAfter(std::string_view text) {
    constexpr std::string_view kConstant = "__constant__";
    const std::size_t begin = text.find(kConstant), end = text.find_first_of("[;", begin == std::string_view::npos ? 0 : begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) return {};
    const std::string_view declaration = trimmed(text.substr(begin + kConstant.size(), end - begin - kConstant.size()));
    std::size_t first = declaration.size();
    while (first > 0 && isNameCharacter(declaration[first - 1])) --first;
    return std::string(declaration.substr(first));
}

/// The parts between the commas outside of parentheses.
std::vector<std::string> parts(std::string_view text) {
    std::vector<std::string> all;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && text[at] == '(') ++depth;
        if (at < text.size() && text[at] == ')') --depth;
        if (at < text.size() && (text[at] != ',' || depth > 0)) continue;
        all.emplace_back(trimmed(text.substr(begin, at - begin)));
        begin = at + 1;
    }
    return all;
}

class Reader {
public:
    Reader(const std::string& path, const std::string& text) : text_(text) { comments_.path = path; }

    LaunchComments read() {
        static const std::regex comment(R"re(^[ \t]*//[ \t]*(launch|prepare|constant|workspace|requires):(.*)$)re");
        std::size_t begin = 0;
        for (line_ = 1; begin < text_.size(); ++line_) {
            const std::size_t end = std::min(text_.find('\n', begin), text_.size());
            const std::string line(trimmed(std::string_view(text_).substr(begin, end - begin)));
            std::smatch match;
            constexpr std::size_t kLongest = 1000;
            if (line.rfind("//", 0) == 0 && line.size() < kLongest && std::regex_match(line, match, comment))
                take(match[1], std::string(trimmed(match.str(2))), std::string_view(text_).substr(end));
            begin = end + 1;
        }
        const bool prepares = std::all_of(comments_.launches.begin(), comments_.launches.end(), [](const auto& l) { return l.prepares; });
        if (!comments_.launches.empty() && prepares)
            refuse(comments_.path, comments_.launches.front().line, "no function has a comment '// launch: ...'");
        if (comments_.launches.empty() && !comments_.constants.empty())
            refuse(comments_.path, comments_.constants.front().line, "only kernels with a comment '// launch: ...' have constants");
        return std::move(comments_);
    }

private:
    void take(const std::string& kind, const std::string& value, std::string_view rest) {
        if (kind == "workspace") {
            comments_.workspace = value;
            comments_.workspaceLine = line_;
        } else if (kind == "requires") {
            takeCondition(value);
        } else if (kind == "constant") {
            ConstantComment constant{.line = line_, .array = value, .variable = constantAfter(rest)};
            if (constant.variable.empty()) refuse(comments_.path, line_, "no __constant__ variable follows");
            comments_.constants.push_back(std::move(constant));
        } else {
            takeLaunch(kind == "prepare", value, rest);
        }
    }

    void takeCondition(const std::string& value) {
        RequiresComment condition{.line = line_, .condition = value, .reason = "it requires " + value};
        if (const auto quote = value.find('"'); quote != std::string::npos && value.size() > quote + 1 && value.back() == '"') {
            condition.condition = std::string(trimmed(value.substr(0, quote)));
            condition.reason = value.substr(quote + 1, value.size() - quote - 2);
        }
        comments_.conditions.push_back(std::move(condition));
    }

    void takeLaunch(bool prepares, const std::string& value, std::string_view rest) {
        LaunchComment launch{.line = line_, .prepares = prepares, .function = functionAfter(rest)};
        if (launch.function.empty()) refuse(comments_.path, line_, "no __global__ function follows");
        for (std::size_t at = 0; at < value.size();) {
            const std::string key = nameAt(value, at);
            const std::size_t end = at < value.size() && value[at] == '(' ? behindParentheses(value, at) : std::string::npos;
            if (end == std::string::npos || (key != "block" && key != "grid" && key != "shared"))
                refuse(comments_.path, line_, "'" + value.substr(at - key.size()) + "' is none of block(...), grid(...), shared(...)");
            std::vector<std::string> own = parts(std::string_view(value).substr(at + 1, end - at - 2));
            if (own.size() > (key == "shared" ? 1U : 3U)) refuse(comments_.path, line_, key + "(...) has too many values");
            if (key == "block") launch.block = std::move(own);
            else if (key == "grid") launch.grid = std::move(own);
            else launch.shared = own.front();
            at = end;
            while (at < value.size() && std::isspace(static_cast<unsigned char>(value[at]))) ++at;
        }
        if (launch.block.empty() || launch.grid.empty())
            refuse(comments_.path, line_, std::string(launch.block.empty() ? "block" : "grid") + "(...) is missing");
        comments_.launches.push_back(std::move(launch));
    }

    const std::string& text_;
    LaunchComments comments_;
    int line_ = 0;
};

std::int64_t valueOf(const std::string& path, int line, const std::string& expression, const Names& names) {
    try {
        return evaluate(expression, names);
    } catch (const ExpressionError& e) {
        refuse(path, line, "'" + expression + "': " + e.what());
    }
}

/// The name of a function that is not extern "C", by the ABI that NVIDIA's compilers follow.
std::string mangled(const std::string& function, const std::string& parameters) {
    std::string name = "_Z";
    for (const std::string& part :
         {function, std::string("parallax_input"), std::string("parallax_output"), parameters, std::string("parallax_context")})
        name += std::to_string(part.size()) + part;
    return name;
}

template <std::size_t N>
void copyName(char (&to)[N], const std::string& name, const LaunchComments& comments, int line) {
    if (name.size() >= N) refuse(comments.path, line, "the name '" + name + "' is too long");
    std::memcpy(to, name.c_str(), name.size() + 1);
}

PlannedStep planned(const LaunchComments& comments, const LaunchComment& l, const std::string& parameters, const Names& names) {
    PlannedStep step{.kind = l.prepares ? PlannedKind::prepare : PlannedKind::launch};
    copyName(step.name, l.function, comments, l.line);
    copyName(step.mangled, mangled(l.function, parameters), comments, l.line);
    const auto size = [&](const std::vector<std::string>& expressions, std::int64_t* to, const char* what, const std::int64_t* most) {
        for (std::size_t i = 0; i < expressions.size(); ++i) {
            to[i] = valueOf(comments.path, l.line, expressions[i], names);
            if (to[i] < 1 || to[i] > most[i])
                refuse(comments.path, l.line,
                       std::string(what) + "(...): '" + expressions[i] + "' is " + std::to_string(to[i]) + ", which is not in 1 to " +
                           std::to_string(most[i]));
        }
    };
    const std::int64_t mostThreads[] = {kMaxThreads, kMaxThreads, 64}, mostBlocks[] = {kMaxBlocksX, kMaxBlocks, kMaxBlocks};
    size(l.block, step.block, "block", mostThreads);
    size(l.grid, step.grid, "grid", mostBlocks);
    if (const std::int64_t threads = step.block[0] * step.block[1] * step.block[2]; threads > kMaxThreads)
        refuse(comments.path, l.line,
               "the block has " + std::to_string(threads) + " threads; " + std::to_string(kMaxThreads) + " are possible");
    if (!l.shared.empty()) step.shared = valueOf(comments.path, l.line, l.shared, names);
    if (step.shared < 0) refuse(comments.path, l.line, "shared(...) is " + std::to_string(step.shared));
    return step;
}

}  // namespace

LaunchComments readLaunchComments(const std::string& path, const std::string& text) { return Reader(path, text).read(); }

Names namesFor(const Operation& operation, const Problem& problem, std::int64_t multiprocessors) {
    const Shape in = problem.shape, out = operation.outputShape(problem);
    Names names{{"width", in.width},       {"height", in.height},          {"depth", in.depth},
                {"channels", in.channels}, {"out_width", out.width},       {"out_height", out.height},
                {"out_depth", out.depth},  {"out_channels", out.channels}, {"multiprocessors", multiprocessors}};
    for (const ParameterMember& m : membersOf(operation, problem)) {
        if (m.kind == ParameterMember::Kind::whole) names.emplace(m.name, m.value);
        if (m.kind != ParameterMember::Kind::array) continue;
        names.emplace(m.name + ".width", m.width);
        names.emplace(m.name + ".height", m.height);
    }
    for (const auto& [name, value] : constantsOf(operation)) names.emplace(name, value);
    return names;
}

std::optional<std::string> refusalOf(const LaunchComments& comments, const Names& names) {
    for (const RequiresComment& c : comments.conditions)
        if (valueOf(comments.path, c.line, c.condition, names) == 0) return c.reason;
    return std::nullopt;
}

LaunchPlan planLaunches(const LaunchComments& comments, const Operation& operation, const Problem& problem, const Names& names) {
    LaunchPlan plan;
    const std::vector<ParameterMember> members = membersOf(operation, problem);
    for (const ConstantComment& c : comments.constants) {
        const auto array = std::find_if(members.begin(), members.end(), [&](const ParameterMember& m) {
            return m.kind == ParameterMember::Kind::array && m.name == c.array;
        });
        if (array == members.end()) refuse(comments.path, c.line, "'" + operation.id() + "' has no array '" + c.array + "'");
        PlannedStep step{.kind = PlannedKind::constant};
        copyName(step.name, c.variable, comments, c.line);
        step.word = static_cast<std::int64_t>(array->word);
        step.bytes = array->width * array->height * static_cast<std::int64_t>(sizeof(float));
        if (step.bytes > kConstantBytes)
            refuse(comments.path, c.line,
                   "'" + c.array + "' has " + std::to_string(step.bytes) + " bytes, and constant memory " + std::to_string(kConstantBytes) +
                       ". Say so: // requires: " + c.array + ".width * " + c.array + ".height <= " + std::to_string(kConstantBytes / 4));
        plan.steps.push_back(step);
    }
    for (const bool prepares : {true, false})
        for (const LaunchComment& l : comments.launches)
            if (l.prepares == prepares) plan.steps.push_back(planned(comments, l, structNameOf(operation), names));
    if (!comments.workspace.empty()) plan.workspace = valueOf(comments.path, comments.workspaceLine, comments.workspace, names);
    if (plan.workspace < 0) refuse(comments.path, comments.workspaceLine, "the workspace has " + std::to_string(plan.workspace) + " bytes");
    return plan;
}

}  // namespace parallax::user
