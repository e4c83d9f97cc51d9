// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a matrix of weights from the text of other programs: see parseKernelText().
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/image/error.hpp"
#include "core/operations/convolution/kernel.hpp"

namespace parallax {
namespace {

constexpr std::string_view kBlanks = " \t\r", kMinusSign = "\xE2\x88\x92";
constexpr std::size_t kQuotedBytes = 24;  // of a text that could not be read

[[noreturn]] void refuse(const std::string& why, const std::string& advice) {
    throw Error(ErrorCode::usage, "Cannot make this convolution kernel", why, advice);
}

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isNamePart(char c) { return isNameStart(c) || c == '.' || (c >= '0' && c <= '9'); }

/// Is this a function that returns its matrix unchanged, such as np.array()?
bool makesMatrix(std::string_view name) {
    constexpr std::array<std::string_view, 8> kFunctions{"array", "asarray", "matrix", "mat", "tensor", "float32", "float64", "single"};
    if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos) name.remove_prefix(dot + 1);
    return name == "double" || std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
}

class KernelReader {
public:
    /// `slices`: of a window in three dimensions; else the text is one.
    KernelReader(std::string_view text, bool slices) : text_(text), inSlices_(slices) {}

    KernelSlices read() {
        while (at_ < text_.size()) readNext();
        endSlice();
        if (kernel_.weights.empty()) refuse("the custom kernel has no numbers", "Write rows of numbers, for example 0 1 0; 1 -4 1; 0 1 0");
        for (double& weight : kernel_.weights) weight *= factor_;
        for (const double weight : kernel_.weights)
            if (!std::isfinite(weight)) refuse("a weight is too large", "Use smaller numbers");
        kernel_.height = sliceHeight_;
        return std::move(kernel_);
    }

private:
    void readNext() {
        const char c = text_[at_];
        if (c == '\n') {
            // An empty line separates slices; NumPy writes one between them.
            if (inSlices_ && inRow_ == 0 && isBlank(lineStart_, at_)) endSlice();
            ++line_;
            lineStart_ = ++at_;
            // NumPy breaks long rows into lines.
            if (brackets_ < (inSlices_ && deepest_ > 2 ? 3 : 2)) endRow();
        } else if (c == '|') {
            if (!inSlices_) refuse("it has several slices, separated by '|'", "Set axes=xyz");
            ++at_;
            endSlice();
        } else if (c == ';') {
            ++at_;
            endRow();
        } else if (c == '[' || c == '{') {
            ++at_;
            deepest_ = std::max(deepest_, ++brackets_);
        } else if (c == ']' || c == '}') {
            ++at_;
            brackets_ = std::max(0, brackets_ - 1);
            endRow();
            if (inSlices_ && deepest_ > 2 && brackets_ == 1) endSlice();
        } else if (c == '(' || c == ')') {
            ++at_;
            parentheses_ = std::max(0, parentheses_ + (c == '(' ? 1 : -1));
        } else if (c == ',' || kBlanks.find(c) != std::string_view::npos) {
            ++at_;
        } else if (c == '*' || c == '/') {
            readFactor(c);
        } else if (isNameStart(c)) {
            readName();
        } else {
            readWeight();
        }
    }

    void endRow() {
        if (inRow_ == 0) return;
        if (kernel_.width == 0) kernel_.width = inRow_;
        if (inRow_ != kernel_.width)
            refuse("row " + std::to_string(kernel_.height + 1) + " (line " + std::to_string(rowLine_) + ") has " + std::to_string(inRow_) +
                       " numbers, the rows before have " + std::to_string(kernel_.width),
                   "Use the same number of weights in every row");
        if (++kernel_.height > kMaximumKernelSize)
            refuse("it has more than " + std::to_string(kMaximumKernelSize) + " rows", "Use a smaller one");
        inRow_ = 0;
    }

    void endSlice() {
        endRow();
        if (kernel_.height == 0) return;
        if (sliceHeight_ == 0) sliceHeight_ = kernel_.height;
        if (kernel_.height != sliceHeight_)
            refuse("slice " + std::to_string(kernel_.depth + 1) + " has " + std::to_string(kernel_.height) +
                       " rows, the slices before have " + std::to_string(sliceHeight_),
                   "Use the same number of rows in every slice");
        if (++kernel_.depth > kMaximumKernelSize)
            refuse("it has more than " + std::to_string(kMaximumKernelSize) + " slices", "Use a smaller one");
        kernel_.height = 0;
    }

    bool isBlank(std::size_t begin, std::size_t end) const {
        return text_.substr(begin, end - begin).find_first_not_of(kBlanks) == std::string_view::npos;
    }

    /// "[...] / 16", or "1/16 * [...]" after its first number.
    void readFactor(char sign) {
        const std::size_t start = at_++;
        if (sign == '*' && kernel_.depth == 0 && kernel_.height == 0 && kernel_.weights.size() == 1 && inRow_ == 1) {
            factor_ *= kernel_.weights.front();
            kernel_.weights.clear();
            inRow_ = 0;
            return;
        }
        // Within a row, numbers have their own fractions.
        if (inRow_ > 0 || kernel_.weights.empty()) refuseText(start);
        const double number = readNumber(start);
        factor_ *= sign == '*' ? number : 1 / number;
        endsWithFactor_ = true;
        if (!std::isfinite(factor_)) refuseText(start);
    }

    /// "np.array(" before the matrix, "dtype=np.float32" after it, or "kernel =".
    void readName() {
        const std::size_t start = at_;
        while (at_ < text_.size() && isNamePart(text_[at_])) ++at_;
        const std::string_view name = text_.substr(start, at_ - start);
        skipBlanks();
        const char next = at_ < text_.size() ? text_[at_] : '\n';
        if (next == '(' && makesMatrix(name)) return;
        const bool afterMatrix = parentheses_ > 0 && brackets_ == 0 && !kernel_.weights.empty();
        if (afterMatrix && (next == '=' || next == ',' || next == ')')) {
            while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')' && text_[at_] != '\n') ++at_;
        } else if (next == '=' && kernel_.weights.empty()) {
            ++at_;
        } else {
            refuseText(start);
        }
    }

    /// A number or a fraction.
    void readWeight() {
        const std::size_t start = at_;
        if (inSlices_ && endsWithFactor_) refuse("a factor between slices would count for all of them", "Write it after the last one");
        double value = readNumber(start);
        const std::size_t end = at_;
        skipBlanks();
        if (at_ < text_.size() && text_[at_] == '/') {
            ++at_;
            value /= readNumber(start);
        } else {
            at_ = end;
        }
        constexpr std::string_view kAfterNumber = " \t\r\n,;[]{}()*|";
        if (!std::isfinite(value) || (at_ < text_.size() && kAfterNumber.find(text_[at_]) == std::string_view::npos)) refuseText(start);
        if (inRow_ == 0) rowLine_ = line_;
        kernel_.weights.push_back(value);
        if (++inRow_ > kMaximumKernelSize)
            refuse("row " + std::to_string(kernel_.height + 1) + " has more than " + std::to_string(kMaximumKernelSize) + " numbers",
                   "Use a smaller one");
    }

    /// `start`: of the text that an error quotes.
    double readNumber(std::size_t start) {
        skipBlanks();
        bool negative = false;
        if (text_.substr(at_, 1) == "+" || text_.substr(at_, 1) == "-") negative = text_[at_++] == '-';
        else if (text_.substr(at_, kMinusSign.size()) == kMinusSign) {
            negative = true;
            at_ += kMinusSign.size();
        }
        // from_chars() reads a second sign, and words such as "inf".
        if (at_ >= text_.size() || !(text_[at_] == '.' || (text_[at_] >= '0' && text_[at_] <= '9'))) refuseText(start);
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc{}) refuseText(start);
        at_ = static_cast<std::size_t>(end - text_.data());
        return negative ? -value : value;
    }

    void skipBlanks() {
        while (at_ < text_.size() && kBlanks.find(text_[at_]) != std::string_view::npos) ++at_;
    }

    [[noreturn]] void refuseText(std::size_t start) const {
        std::string_view token = text_.substr(start);
        token = token.substr(0, std::max<std::size_t>(1, token.find_first_of(" \t\r\n,;[]{}()|")));
        bool cut = false;
        while (token.size() > kQuotedBytes || (cut && (static_cast<unsigned char>(text_[start + token.size()]) & 0xC0) == 0x80)) {
            token.remove_suffix(1);  // whole characters of UTF-8
            cut = true;
        }
        refuse("could not read '" + std::string(token) + (cut ? "..." : "") + "' in line " + std::to_string(line_),
               "Write one row of numbers per line, or separate rows by semicolons");
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool inSlices_;
    std::size_t lineStart_ = 0;
    KernelSlices kernel_;  ///< its height counts the rows of the present slice
    int sliceHeight_ = 0;
    int inRow_ = 0, line_ = 1, rowLine_ = 1, brackets_ = 0, deepest_ = 0, parentheses_ = 0;
    double factor_ = 1;
    bool endsWithFactor_ = false;
};

}  // namespace

Kernel parseKernelText(std::string_view text) {
    KernelSlices slice = KernelReader(text, false).read();
    return {.width = slice.width, .height = slice.height, .weights = std::move(slice.weights)};
}

KernelSlices parseKernelSlices(std::string_view text) { return KernelReader(text, true).read(); }

}  // namespace parallax
