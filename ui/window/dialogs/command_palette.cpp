// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/command_palette.hpp"

#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPointer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/document/fuzzy_match.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/window/dialogs/palette_entries.hpp"

namespace parallax::ui {
namespace {

const QString kRecentKey = QStringLiteral("palette/recent");
constexpr int kRecentKept = 12;
constexpr int kWidth = 620, kHeight = 420, kMargin = 12;
// A match in the title counts more than one in the menu's name or in the description.
constexpr int kTitleWeight = 4, kPathWeight = 2, kShortcutMatch = 100;

/// The object name of an action; path and title for kernels and presets, which have none; empty for recent files, which leave no trace.
QString keyOf(const ActionEntry& entry) {
    if (entry.action->data().isValid() && entry.action->objectName().isEmpty()) return {};
    return entry.action->objectName().isEmpty() ? entry.path + QLatin1Char('/') + entry.title : entry.action->objectName();
}

/// Returns the score of an entry, or nothing if a word does not match.
std::optional<int> rank(const ActionEntry& entry, const QStringList& words) {
    int total = 0;
    for (const QString& word : words) {
        int best = -1;
        if (const auto score = fuzzyScore(word, entry.title)) best = std::max(best, kTitleWeight * *score);
        if (const auto score = fuzzyScore(word, entry.path)) best = std::max(best, kPathWeight * *score);
        for (const QString& keys : entry.shortcuts.split(QStringLiteral(", "), Qt::SkipEmptyParts))
            if (keys.compare(word, Qt::CaseInsensitive) == 0) best = std::max(best, kShortcutMatch);
        // Descriptions are long enough to match any scattered letters: match whole words only.
        if (entry.tip.contains(word, Qt::CaseInsensitive)) best = std::max(best, static_cast<int>(word.size()));
        if (best < 0) return std::nullopt;
        total += best;
    }
    // The title of an operation adds a step rather than writing a kernel.
    if (!words.isEmpty() && entry.action->objectName().startsWith(QLatin1String("new-kernel-"))) --total;
    return total;
}

}  // namespace

CommandPalette::CommandPalette(const QMenuBar& menus, PipelineModel& pipeline, QWidget& window)
    : QFrame(&window), menus_(menus), pipeline_(pipeline), search_(new QLineEdit), list_(new QTreeWidget), hint_(new QLabel) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Command palette"));
    search_->setPlaceholderText(tr("Type a command, kernel, preset or file"));
    described(search_, tr("Search commands"),
              tr("Type a few letters of a command, its menu or its shortcut. Arrow keys select, Enter runs, Esc closes."));
    search_->setClearButtonEnabled(true);
    list_->setColumnCount(3);
    list_->setHeaderHidden(true);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setAccessibleName(tr("Commands"));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(0, QHeaderView::Fixed);
    list_->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    hint_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 8);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    layout->addWidget(hint_);
    connect(search_, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::runCurrent);
    connect(list_, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        hint_->setText(item ? item->toolTip(0) : tr("No matching command"));
        setAccessibleDescription(item ? item->text(0) + QStringLiteral(". ") + item->toolTip(0) : hint_->text());
    });
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, &CommandPalette::restyle);
    search_->installEventFilter(this);
    window.installEventFilter(this);
    restyle();
    hide();
}

void CommandPalette::popUp() {
    focusBefore_ = QApplication::focusWidget();
    entries_ = menuActions(menus_);
    owner_ = std::make_unique<QObject>();
    const std::vector<ActionEntry> more = pipelineEntries(pipeline_, *owner_);
    entries_.insert(entries_.end(), more.begin(), more.end());
    recent_ = Settings::instance().remembered(kRecentKey).toStringList();
    search_->clear();
    fill();
    place();
    show();
    raise();
    search_->setFocus();
}

void CommandPalette::fill() {
    const QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    struct Hit {
        const ActionEntry* entry;
        int score;
        qsizetype age;  // 0: ran last
    };
    std::vector<Hit> hits;
    for (const ActionEntry& entry : entries_) {
        if (!entry.action || entry.action->objectName() == QLatin1String("palette")) continue;
        const auto score = rank(entry, words);
        if (!score) continue;
        const qsizetype place = recent_.indexOf(keyOf(entry));
        hits.push_back({&entry, *score, place < 0 ? kRecentKept : place});
    }
    std::stable_sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
        // Disabled commands come last, so that Enter runs an enabled one.
        const bool aOn = a.entry->action->isEnabled(), bOn = b.entry->action->isEnabled();
        if (aOn != bOn) return aOn;
        return a.score != b.score ? a.score > b.score : a.age < b.age;
    });
    list_->clear();
    int widest = 0;
    for (const Hit& hit : hits) {
        widest = std::max(widest, list_->fontMetrics().horizontalAdvance(hit.entry->title));
        auto* item = new QTreeWidgetItem({hit.entry->title, hit.entry->path, hit.entry->shortcuts});
        const bool enabled = hit.entry->action->isEnabled();
        for (int column = 0; column < 3; ++column)
            item->setToolTip(column, enabled ? hit.entry->tip : tr("Not available now: %1").arg(hit.entry->tip));
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        for (const int column : {1, 2}) item->setForeground(column, currentTheme().subtle);
        item->setDisabled(!enabled);
        item->setData(0, Qt::UserRole, QVariant::fromValue(static_cast<qsizetype>(hit.entry - entries_.data())));
        if (hit.entry->action->isChecked()) item->setText(0, hit.entry->title + QStringLiteral("  ✓"));
        list_->addTopLevelItem(item);
    }
    // Titles matter more than the menus that they are in.
    list_->setColumnWidth(0, std::clamp(widest + 3 * kMargin, kWidth * 3 / 10, kWidth * 6 / 10));
    list_->setCurrentItem(list_->topLevelItem(0));
    if (hits.empty()) hint_->setText(tr("No matching command"));
}

void CommandPalette::place() {
    const QSize room = parentWidget()->size();
    const int w = std::min(kWidth, room.width() - 2 * kMargin), h = std::min(kHeight, room.height() - 8 * kMargin);
    setGeometry((room.width() - w) / 2, std::min(6 * kMargin, room.height() / 8), w, h);
}

void CommandPalette::runCurrent() {
    const QTreeWidgetItem* item = list_->currentItem();
    if (!item || item->isDisabled()) return;
    const ActionEntry& entry = entries_[static_cast<std::size_t>(item->data(0, Qt::UserRole).value<qsizetype>())];
    if (!entry.action) return dismiss();
    if (const QString key = keyOf(entry); !key.isEmpty()) {
        recent_.removeAll(key);
        recent_.prepend(key);
        while (recent_.size() > kRecentKept) recent_.removeLast();
        Settings::instance().remember(kRecentKey, recent_);
    }
    QAction* action = entry.action;
    dismiss();
    action->trigger();
}

void CommandPalette::dismiss() {
    if (isHidden()) return;
    hide();
    // The widget that had the focus may have been deleted, or moved out of the window.
    if (focusBefore_ && parentWidget()->isAncestorOf(focusBefore_)) focusBefore_->setFocus();
    focusBefore_ = nullptr;
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) place();
    if (watched != search_) return false;
    if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason &&
        static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason) {
        hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride) return false;
    auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Escape:
        case Qt::Key_Tab: break;
        default: return false;
    }
    // Handled here, before the window's shortcuts for Escape and Page Down.
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) return true;
    if (key->key() == Qt::Key_Escape) dismiss();
    else if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) runCurrent();
    else if (key->key() != Qt::Key_Tab) QApplication::sendEvent(list_, event);
    return true;
}

void CommandPalette::restyle() {
    const Theme& theme = currentTheme();
    setStyleSheet(QStringLiteral("#commandPalette { background: %1; border: 1px solid %2; border-radius: 8px; }"
                                 "#commandPalette QTreeWidget { background: transparent; }"
                                 "#commandPalette QTreeWidget::item { padding: 0 2px; }"
                                 "#commandPalette QLineEdit { padding: 5px; }"
                                 "#commandPalette QLabel { color: %3; }")
                      .arg(theme.card.name(), theme.border.name(), theme.subtle.name()));
}

}  // namespace parallax::ui
