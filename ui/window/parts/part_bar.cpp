// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/parts/part_bar.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <algorithm>

#include "core/image/error.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

QString channelsText(const std::vector<std::string>& channels) {
    constexpr std::size_t kShown = 8;
    QStringList shown;
    for (std::size_t i = 0; i < std::min(kShown, channels.size()); ++i) shown << QString::fromStdString(channels[i]);
    if (channels.size() > kShown) shown << QStringLiteral("…");
    return shown.join(QLatin1Char(' '));
}

/// "beauty · part 0 · 640 × 480 · R G B"
QString textOf(const ExrChoice& choice) {
    QStringList facts{QString::fromStdString(choice.choice)};
    switch (choice.kind) {
        case ExrChoiceKind::part: facts << PartBar::tr("part %1").arg(choice.part); break;
        case ExrChoiceKind::layer: facts << PartBar::tr("layer"); break;
        case ExrChoiceKind::view: facts << PartBar::tr("view"); break;
    }
    facts << formatExtent(choice.width, choice.height, 1) << channelsText(choice.channels);
    return facts.join(QStringLiteral(" · "));
}

/// The entry that a choice in an input means, which may also be a number, or a layer or view without its part; -1 if there is none.
int positionOf(const std::vector<ExrChoice>& choices, const QString& choice) {
    const std::string text = choice.toStdString();
    const auto position = [&](const auto& meant) {
        const auto found = std::find_if(choices.begin(), choices.end(), meant);
        return found == choices.end() ? -1 : static_cast<int>(found - choices.begin());
    };
    if (const int exact = position([&](const ExrChoice& c) { return c.choice == text; }); exact >= 0) return exact;
    if (text.empty()) return position([](const ExrChoice& c) { return c.kind == ExrChoiceKind::part && c.part == 0; });
    bool number = false;
    const int part = choice.section(QLatin1Char('.'), 0, 0).toInt(&number);
    const std::string rest = choice.section(QLatin1Char('.'), 1).toStdString();
    if (number)
        return position([&](const ExrChoice& c) {
            return c.part == part && (rest.empty() ? c.kind == ExrChoiceKind::part : c.choice.ends_with('.' + rest));
        });
    return position([&](const ExrChoice& c) { return c.choice.ends_with('.' + text); });
}

}  // namespace

PartBar::PartBar(Session& session, QWidget* parent) : QWidget(parent), session_(session), parts_(new QComboBox), place_(new QLabel) {
    setObjectName(QStringLiteral("partBar"));
    auto* label = new QLabel(tr("Part"));
    label->setBuddy(parts_);
    described(parts_, tr("Part of the file"),
              tr("Part, layer or view of the OpenEXR file to show. Panes and pipeline stay. In commands: FILE#PART"), "partOfFile");
    setNarrow(*parts_, 20);
    parts_->setMaxVisibleItems(24);
    parts_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    parts_->setMaximumWidth(620);
    auto* row = makeLayout<QHBoxLayout>(this, 6);
    row->setContentsMargins(8, 3, 8, 3);
    row->addWidget(label);
    row->addWidget(parts_, 1);
    row->addWidget(place_);
    row->addStretch();
    hide();
    connect(parts_, &QComboBox::activated, this, [this](int index) { emit choiceAsked(parts_->itemData(index).toString()); });
    connect(&session_, &Session::originalChanged, this, &PartBar::follow);
}

bool PartBar::canStep(int by) const {
    const int to = parts_->currentIndex() + by;
    return parts_->currentIndex() >= 0 && to >= 0 && to < parts_->count();
}

void PartBar::step(int by) {
    if (canStep(by)) emit choiceAsked(parts_->itemData(parts_->currentIndex() + by).toString());
}

void PartBar::follow() {
    const ImagePtr& image = session_.original();
    const bool exr = image && image->source.format == "OpenEXR";
    const QString file = exr ? pathOnDisk(session_.inputName()) : QString();
    if (file != file_) {
        file_ = file;
        fill({});
    } else {
        fill(choices_);  // marks the entry that is shown now
    }
    listing_ = exr;
    background_.cancel("parts");
    if (!exr) return;
    // Again for the same file: it may have been replaced.
    const auto list = [path = file.toStdString()](const std::stop_token&) {
        try {
            return exrChoices(path);
        } catch (const Error&) {
            return std::vector<ExrChoice>();  // the file has been removed meanwhile
        }
    };
    background_.request("parts", list, [this](const std::vector<ExrChoice>& choices) {
        listing_ = false;
        fill(choices);
    });
}

void PartBar::fill(const std::vector<ExrChoice>& choices) {
    const QSignalBlocker blocker(parts_);
    choices_ = choices;
    parts_->clear();
    // A file of one part opens with the channels of all its layers.
    const bool layers = !choices.empty() && choices.front().kind != ExrChoiceKind::part;
    if (layers) parts_->addItem(tr("All channels · %1").arg(formatExtent(choices.front().width, choices.front().height, 1)), QString());
    for (const ExrChoice& choice : choices) parts_->addItem(textOf(choice), QString::fromStdString(choice.choice));
    const QString choice = choiceOf(session_.inputName());
    parts_->setCurrentIndex(layers && choice.isEmpty() ? 0 : positionOf(choices, choice) + (layers ? 1 : 0));
    place_->setText(tr("%1 of %2").arg(parts_->currentIndex() + 1).arg(parts_->count()));
    setVisible(parts_->count() > 1);
    emit changed();
}

}  // namespace parallax::ui
