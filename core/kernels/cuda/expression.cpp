// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cuda/expression.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>

#include "core/image/texts.hpp"

namespace parallax::user {
namespace {

constexpr int kDeepest = 100;  // levels of parentheses

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

/// Recursive descent. What is not evaluated, as the right side of 0 && ..., is read with live_ = false: it may divide by zero.
class Evaluator {
public:
    Evaluator(std::string_view text, const Names& names) : text_(text), names_(names) {}

    std::int64_t all() {
        const std::int64_t value = choice();
        skipBlanks();
        if (at_ < text_.size()) fail("'" + std::string(text_.substr(at_)) + "' was not expected");
        return value;
    }

private:
    [[noreturn]] static void fail(const std::string& why) { throw ExpressionError(why); }

    void skipBlanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    bool accept(std::string_view token) {
        skipBlanks();
        if (text_.substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }
    void expect(std::string_view token) {
        if (!accept(token)) fail("'" + std::string(token) + "' is missing");
    }
    /// The first of the operators that follows.
    std::string_view acceptOne(std::initializer_list<std::string_view> operators) {
        for (const std::string_view o : operators)
            if (accept(o)) return o;
        return {};
    }
    template <class Read>
    std::int64_t unless(bool dead, Read&& read) {
        const bool before = live_;
        live_ = live_ && !dead;
        const std::int64_t value = read();
        live_ = before;
        return value;
    }

    std::int64_t choice() {
        if (++depth_ > kDeepest) fail("it is nested too deeply");
        const std::int64_t condition = either();
        std::int64_t value = condition;
        if (accept("?")) {
            const std::int64_t yes = unless(condition == 0, [&] { return choice(); });
            expect(":");
            const std::int64_t no = unless(condition != 0, [&] { return choice(); });
            value = condition != 0 ? yes : no;
        }
        --depth_;
        return value;
    }
    std::int64_t either() {
        std::int64_t value = both();
        while (accept("||")) {
            const std::int64_t right = unless(value != 0, [&] { return both(); });
            value = value != 0 || right != 0;
        }
        return value;
    }
    std::int64_t both() {
        std::int64_t value = equality();
        while (accept("&&")) {
            const std::int64_t right = unless(value == 0, [&] { return equality(); });
            value = value != 0 && right != 0;
        }
        return value;
    }
    std::int64_t equality() {
        std::int64_t value = relation();
        for (std::string_view o; !(o = acceptOne({"==", "!="})).empty();) {
            const std::int64_t right = relation();
            value = (value == right) == (o == "==");
        }
        return value;
    }
    std::int64_t relation() {
        std::int64_t value = sum();
        for (std::string_view o; !(o = acceptOne({"<=", ">=", "<", ">"})).empty();) {
            const std::int64_t right = sum();
            value = o == "<=" ? value <= right : o == ">=" ? value >= right : o == "<" ? value < right : value > right;
        }
        return value;
    }
    std::int64_t sum() {
        std::int64_t value = product();
        for (std::string_view o; !(o = acceptOne({"+", "-"})).empty();) {
            const std::int64_t right = product();
            std::int64_t result = 0;
            const bool overflow = o == "+" ? __builtin_add_overflow(value, right, &result) : __builtin_sub_overflow(value, right, &result);
            value = checked(overflow, result);
        }
        return value;
    }
    std::int64_t product() {
        std::int64_t value = sign();
        for (std::string_view o; !(o = acceptOne({"*", "/", "%"})).empty();) {
            const std::int64_t right = sign();
            if (o == "*") {
                std::int64_t result = 0;
                const bool overflow = __builtin_mul_overflow(value, right, &result);
                value = checked(overflow, result);
            } else {
                value = quotient(value, right, o == "%");
            }
        }
        return value;
    }
    std::int64_t checked(bool overflow, std::int64_t value) const {
        if (overflow && live_) fail("its value has more than 64 bits");
        return overflow ? 0 : value;
    }
    std::int64_t quotient(std::int64_t a, std::int64_t b, bool remainder) const {
        if (b == 0 && live_) fail("it divides by zero");
        if (b == 0) return 0;
        if (b == -1) return remainder ? 0 : checked(a == INT64_MIN, a == INT64_MIN ? 0 : -a);
        return remainder ? a % b : a / b;
    }
    std::int64_t sign() {
        if (++depth_ > kDeepest) fail("it is nested too deeply");
        std::int64_t value = 0;
        if (accept("-")) value = quotient(sign(), -1, false);
        else if (accept("+")) value = sign();
        else if (text_.substr(at_, 2) != "!=" && accept("!")) value = sign() == 0;
        else value = primary();
        --depth_;
        return value;
    }
    std::int64_t primary() {
        if (accept("(")) {
            const std::int64_t value = choice();
            expect(")");
            return value;
        }
        if (at_ == text_.size()) fail("a value is missing at its end");
        if (isDigit(text_[at_])) return number();
        if (!isLetter(text_[at_])) fail("'" + std::string(text_.substr(at_)) + "' was not expected");
        const std::size_t begin = at_;
        while (at_ < text_.size() && (isLetter(text_[at_]) || isDigit(text_[at_]) || text_[at_] == '.')) ++at_;
        const std::string_view name = text_.substr(begin, at_ - begin);
        if (accept("(")) return function(name);
        const auto found = names_.find(name);
        if (found == names_.end())
            fail("there is no '" + std::string(name) + "'; known are " + joined(names_, ", ", [](const auto& n) { return n.first; }));
        return found->second;
    }
    std::int64_t number() {
        std::int64_t value = 0;
        const char* const end = text_.data() + text_.size();
        const auto [next, error] = std::from_chars(text_.data() + at_, end, value);
        if (error != std::errc{}) fail("a number has more than 64 bits");
        if (next != end && (isLetter(*next) || *next == '.')) fail("only whole numbers are known");
        at_ = static_cast<std::size_t>(next - text_.data());
        return value;
    }
    std::int64_t function(std::string_view name) {
        if (name != "min" && name != "max" && name != "ceil")
            fail("there is no function '" + std::string(name) + "'; known are min(a, b), max(a, b), ceil(a, b)");
        const std::int64_t a = choice();
        expect(",");
        const std::int64_t b = choice();
        expect(")");
        if (name == "min") return std::min(a, b);
        if (name == "max") return std::max(a, b);
        const std::int64_t down = quotient(a, b, false), rest = quotient(a, b, true);
        return down + (rest != 0 && (rest > 0) == (b > 0) ? 1 : 0);
    }

    std::string_view text_;
    const Names& names_;
    std::size_t at_ = 0;
    int depth_ = 0;
    bool live_ = true;
};

}  // namespace

std::int64_t evaluate(std::string_view text, const Names& names) { return Evaluator(text, names).all(); }

}  // namespace parallax::user
