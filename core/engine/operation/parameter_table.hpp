// SPDX-License-Identifier: GPL-3.0-or-later
// One table over a plain struct describes its parameters. The form, the command line, recipes, validation, documents
// and tests are all derived from it; kernels get the typed struct. Standard library only, so that nvcc reads it.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace parallax {

/// A choice is held by its key.
using ParameterValue = std::variant<bool, std::int64_t, double, std::string>;
enum class ParameterKind { boolean, integer, real, choice, text };

struct ParameterChoice {
    std::string key, title, help;
};

/// Everything about one parameter but its member.
struct ParameterInfo {
    std::string key;    ///< name in recipes and on the command line
    std::string title;  ///< for people
    std::string unit;   ///< "px", "deg", ...; empty if none
    std::string help;   ///< at least one sentence; the tooltip
    ParameterKind kind = ParameterKind::real;
    double minimum = 0, maximum = 0;  ///< inclusive, for integer and real
    std::string minimumMeans;         ///< what is shown for the minimum if that is no number, as "centre"; else empty
    std::string minimumWord;          ///< what is written and read in place of the minimum, as "unit"; else empty
    bool logarithmic = false;         ///< a slider should move in ratios
    bool multiline = false;           ///< text of several lines
    bool pickable = false;            ///< a pixel of the input can give it: see PicksParameters
    std::string editor;               ///< an editor that suits the text, as "kernel" for a matrix of weights; else empty
    std::string startText;            ///< replaces an empty text in that editor and when the parameter becomes shown
    std::vector<ParameterChoice> choices;
    ParameterValue defaultValue;
    /// Only meaningful when the parameter `shownIfKey` has one of `shownIfValues` (as text); empty key: always.
    std::string shownIfKey;
    std::vector<std::string> shownIfValues;
};

class ParameterTableBase {
public:
    virtual ~ParameterTableBase() = default;
    const std::vector<ParameterInfo>& infos() const { return infos_; }
    /// Position of a key, or -1.
    int find(std::string_view key) const;
    virtual std::any makeDefault() const = 0;
    virtual ParameterValue get(const std::any& values, std::size_t index) const = 0;
    /// No validation: ParameterBlock does that.
    virtual void assign(std::any& values, std::size_t index, const ParameterValue& value) const = 0;

protected:
    std::vector<ParameterInfo> infos_;
};

/// One row of a table: member -> description. Made by integer(), real(), boolean(), choice(), text().
template <class P>
struct ParameterColumn {
    ParameterInfo info;
    std::function<ParameterValue(const P&)> get;
    std::function<void(P&, const ParameterValue&)> set;

    ParameterColumn&& shownIf(std::string key, std::vector<std::string> values) && {
        info.shownIfKey = std::move(key);
        info.shownIfValues = std::move(values);
        return std::move(*this);
    }
    ParameterColumn&& minimumMeans(std::string text) && {
        info.minimumMeans = std::move(text);
        return std::move(*this);
    }
    /// Shown, written in steps and recipes, and read from them.
    ParameterColumn&& minimumWord(std::string word) && {
        info.minimumMeans = info.minimumWord = std::move(word);
        return std::move(*this);
    }
    ParameterColumn&& logarithmic() && {
        info.logarithmic = true;
        return std::move(*this);
    }
    ParameterColumn&& multiline() && {
        info.multiline = true;
        return std::move(*this);
    }
    ParameterColumn&& pickable() && {
        info.pickable = true;
        return std::move(*this);
    }
    ParameterColumn&& editor(std::string name, std::string startText) && {
        info.editor = std::move(name);
        info.startText = std::move(startText);
        return std::move(*this);
    }
};

/// The row of a member of type T, held in a ParameterValue as Held.
template <class Held, class P, class T>
ParameterColumn<P> valueColumn(T P::*member, ParameterInfo info) {
    return {std::move(info), [member](const P& p) { return ParameterValue(static_cast<Held>(p.*member)); },
            [member](P& p, const ParameterValue& v) { p.*member = static_cast<T>(std::get<Held>(v)); }};
}

template <class P>
ParameterColumn<P> integer(int P::*member, std::string key, std::string title, std::int64_t minimum, std::int64_t maximum, std::string unit,
                           std::string help) {
    return valueColumn<std::int64_t>(member, {.key = std::move(key),
                                              .title = std::move(title),
                                              .unit = std::move(unit),
                                              .help = std::move(help),
                                              .kind = ParameterKind::integer,
                                              .minimum = static_cast<double>(minimum),
                                              .maximum = static_cast<double>(maximum)});
}

template <class P>
ParameterColumn<P> real(double P::*member, std::string key, std::string title, double minimum, double maximum, std::string unit,
                        std::string help) {
    return valueColumn<double>(member, {.key = std::move(key),
                                        .title = std::move(title),
                                        .unit = std::move(unit),
                                        .help = std::move(help),
                                        .kind = ParameterKind::real,
                                        .minimum = minimum,
                                        .maximum = maximum});
}

template <class P>
ParameterColumn<P> boolean(bool P::*member, std::string key, std::string title, std::string help) {
    return valueColumn<bool>(member,
                             {.key = std::move(key), .title = std::move(title), .help = std::move(help), .kind = ParameterKind::boolean});
}

template <class P>
ParameterColumn<P> text(std::string P::*member, std::string key, std::string title, std::string help) {
    return valueColumn<std::string>(
        member, {.key = std::move(key), .title = std::move(title), .help = std::move(help), .kind = ParameterKind::text});
}

/// The enumerators of E must be 0, 1, 2, ... in the order of the choices.
template <class P, class E>
ParameterColumn<P> choice(E P::*member, std::string key, std::string title, std::vector<ParameterChoice> choices, std::string help) {
    ParameterInfo info{.key = std::move(key), .title = std::move(title), .help = std::move(help)};
    info.kind = ParameterKind::choice;
    info.choices = choices;
    return {std::move(info), [member, choices](const P& p) { return ParameterValue(choices.at(static_cast<std::size_t>(p.*member)).key); },
            [member, choices](P& p, const ParameterValue& v) {
                for (std::size_t i = 0; i < choices.size(); ++i)
                    if (choices[i].key == std::get<std::string>(v)) p.*member = static_cast<E>(i);
            }};
}

template <class P>
class ParameterTable final : public ParameterTableBase {
public:
    ParameterTable(std::initializer_list<ParameterColumn<P>> columns) : ParameterTable(std::vector(columns)) {}
    ParameterTable(std::vector<ParameterColumn<P>> columns) : columns_(std::move(columns)) {
        const P defaults{};
        for (auto& column : columns_) {
            column.info.defaultValue = column.get(defaults);
            infos_.push_back(column.info);
        }
    }
    std::any makeDefault() const override { return P{}; }
    ParameterValue get(const std::any& values, std::size_t index) const override {
        return columns_.at(index).get(*std::any_cast<P>(&values));
    }
    void assign(std::any& values, std::size_t index, const ParameterValue& value) const override {
        columns_.at(index).set(*std::any_cast<P>(&values), value);
    }

private:
    std::vector<ParameterColumn<P>> columns_;
};

/// Values of one table: what generic code (form, command line, recipe) holds. Always valid: setters check and throw
/// Error(usage) that names the parameter, the value and the allowed range.
class ParameterBlock {
public:
    ParameterBlock() = default;
    explicit ParameterBlock(const ParameterTableBase& table) : table_(&table), values_(table.makeDefault()), revision_(nextRevision()) {}

    const ParameterTableBase& table() const { return *table_; }
    ParameterValue get(std::string_view key) const;
    void set(std::string_view key, const ParameterValue& value);
    /// From text as typed by a person: "7", "0.5", "true", "gaussian". Locale-independent.
    void setText(std::string_view key, std::string_view text);
    std::string text(std::string_view key) const;
    /// The value as steps and recipes write it: the word of the minimum in its place.
    ParameterValue written(std::string_view key) const;
    /// Does the parameter matter with the present values (its shown-if rule)?
    bool isShown(std::string_view key) const;
    void reset() {
        values_ = table_->makeDefault();
        revision_ = nextRevision();
    }

    template <class P>
    const P& as() const {
        return *std::any_cast<P>(&values_);
    }
    /// All values at once, checked as set() does; nothing changes if one of them is not allowed.
    template <class P>
    void assign(P values) {
        takeChecked(std::any(std::move(values)));
    }
    bool operator==(const ParameterBlock& other) const;
    /// Blocks with the same revision have the same values: copies share it, and every change makes a new one.
    std::uint64_t revision() const { return revision_; }

private:
    std::size_t indexOf(std::string_view key) const;
    void takeChecked(std::any values);
    static std::uint64_t nextRevision();
    const ParameterTableBase* table_ = nullptr;
    std::any values_;
    std::uint64_t revision_ = 0;
};

/// "7", "0.25", "true", "gaussian": shortest text that reads back to the same value.
std::string toText(const ParameterValue& value);

}  // namespace parallax
