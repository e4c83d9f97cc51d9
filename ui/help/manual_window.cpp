// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_window.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/help/manual.hpp"
#include "ui/help/manual_browser.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kAddressRole = Qt::UserRole;

QStringList wordsOf(const QString& text) { return text.split(QLatin1Char(' '), Qt::SkipEmptyParts); }

QTreeWidgetItem* makeItem(const QString& title, const QString& address) {
    auto* item = new QTreeWidgetItem({title});
    item->setData(0, kAddressRole, address);
    item->setToolTip(0, title);
    return item;
}

}  // namespace

ManualWindow::ManualWindow(const Manual& manual, QWidget* parent)
    : QDialog(parent),
      manual_(manual),
      browser_(new ManualBrowser(manual)),
      search_(new QLineEdit),
      tree_(new QTreeWidget),
      count_(new QLabel) {
    setObjectName(QStringLiteral("manualWindow"));
    setWindowTitle(tr("Manual – Parallax"));
    setWindowFlags(Qt::Window);
    setAttribute(Qt::WA_QuitOnClose, false);
    described(browser_, tr("Page of the manual"), tr("Click a link to follow it. Ctrl+wheel changes the size of the text."));
    browser_->viewport()->setToolTip(QString());
    auto* page = new QWidget;
    auto* column = makeLayout<QVBoxLayout>(page);
    column->addWidget(makeBar());
    column->addWidget(browser_, 1);
    auto* splitter = new QSplitter;
    splitter->addWidget(makeSide());
    splitter->addWidget(page);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({250, 750});
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(splitter);
    connect(browser_, &QTextBrowser::sourceChanged, this, &ManualWindow::showPlace);
    connect(search_, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(search_, &QLineEdit::returnPressed, this, [this] { browser_->stepMark(1); });
    connect(tree_, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) { openItem(item); });
    connect(tree_, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) { openItem(item); });
    const auto shortcut = [this](const QKeySequence& key, auto&& effect) {
        connect(new QShortcut(key, this), &QShortcut::activated, this, effect);
    };
    shortcut(QKeySequence::Find, [this] {
        search_->setFocus();
        search_->selectAll();
    });
    shortcut(QKeySequence::FindNext, [this] { browser_->stepMark(1); });
    shortcut(QKeySequence::FindPrevious, [this] { browser_->stepMark(-1); });
    fillContents();
    resize(QSize(1060, 760).boundedTo(screen()->availableSize() - QSize(40, 60)));
}

QWidget* ManualWindow::makeSide() {
    search_->setPlaceholderText(tr("Search the manual"));
    search_->setClearButtonEnabled(true);
    described(search_, tr("Search the manual"),
              tr("List the sections that contain all these words (Ctrl+F). Enter or F3 moves to the next occurrence."));
    tree_->setHeaderHidden(true);
    described(tree_, tr("Contents"), tr("Pages and sections of the manual"), "manualContents");
    tree_->setIndentation(14);
    tree_->setTextElideMode(Qt::ElideRight);
    count_->setForegroundRole(QPalette::PlaceholderText);
    count_->hide();
    auto* side = new QWidget;
    auto* column = makeLayout<QVBoxLayout>(side);
    column->addWidget(search_);
    column->addWidget(count_);
    column->addWidget(tree_, 1);
    return side;
}

QWidget* ManualWindow::makeBar() {
    auto* bar = new QWidget;
    auto* row = makeLayout<QHBoxLayout>(bar);
    const auto add = [&](const char* icon, const QString& text, const QString& tip, const QKeySequence& key) {
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("manual-") + QLatin1String(icon));
        button->setIcon(actionIcon(QLatin1String(icon)));
        button->setText(text);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        button->setToolTip(tr("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
        button->setShortcut(key);
        row->addWidget(button);
        return button;
    };
    QToolButton* back = add("back", tr("Back"), tr("Go back to the previous page"), Qt::ALT | Qt::Key_Left);
    QToolButton* forward = add("forward", tr("Forward"), tr("Go forward to the next page"), Qt::ALT | Qt::Key_Right);
    QToolButton* index = add("manual", tr("Contents"), tr("Go to the first page"), Qt::ALT | Qt::Key_Home);
    row->addStretch();
    back->setEnabled(false);
    forward->setEnabled(false);
    connect(back, &QToolButton::clicked, browser_, &QTextBrowser::backward);
    connect(forward, &QToolButton::clicked, browser_, &QTextBrowser::forward);
    connect(index, &QToolButton::clicked, this, [this] { browser_->open(Manual::indexPage()); });
    connect(browser_, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
    connect(browser_, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
    return bar;
}

void ManualWindow::open(const QString& address) {
    if (!address.isEmpty()) {
        search_->clear();
        browser_->open(address);
    } else if (browser_->address().isEmpty()) browser_->open(Manual::indexPage());
    show();
    raise();
    activateWindow();
    browser_->setFocus();
}

QTreeWidgetItem* ManualWindow::addPage(QTreeWidgetItem* parent, const QString& name) {
    const ManualPage* page = manual_.page(name);
    QTreeWidgetItem* item = makeItem(page->title, name);
    parent->addChild(item);
    for (const ManualSection& section : page->sections)
        if (section.level == 2) item->addChild(makeItem(section.title, section.address));
    return item;
}

void ManualWindow::fillContents() {
    tree_->clear();
    for (const ManualChapter& chapter : manual_.chapters()) {
        auto* head = new QTreeWidgetItem(tree_, {chapter.title});
        QFont bold = tree_->font();
        bold.setBold(true);
        head->setFont(0, bold);
        head->setFlags(Qt::ItemIsEnabled);
        for (const QString& name : chapter.pages) addPage(head, name);
        head->setExpanded(true);
    }
    showPlace();
}

void ManualWindow::fillHits() {
    tree_->clear();
    const QList<ManualSection> hits = manual_.search(search_->text());
    for (const ManualSection& hit : hits) {
        const QString page = hit.address.section(QLatin1Char('#'), 0, 0);
        const QString title = hit.address == page ? hit.title : tr("%1 › %2").arg(manual_.page(page)->title, hit.title);
        tree_->addTopLevelItem(makeItem(title, hit.address));
    }
    count_->setText(tr("Sections found: %1").arg(hits.size()));
}

void ManualWindow::search(const QString& text) {
    const bool searching = !wordsOf(text).isEmpty();
    following_ = true;
    if (searching) fillHits();
    else fillContents();
    following_ = false;
    count_->setVisible(searching);
    if (!searching) browser_->mark({});
    else if (tree_->topLevelItemCount() > 0) tree_->setCurrentItem(tree_->topLevelItem(0));
}

void ManualWindow::openItem(const QTreeWidgetItem* item) {
    const QString address = item ? item->data(0, kAddressRole).toString() : QString();
    if (following_ || address.isEmpty()) return;
    if (address != browser_->address()) browser_->open(address);
    if (const QStringList words = wordsOf(search_->text()); !words.isEmpty()) browser_->mark(words);
}

void ManualWindow::showPlace() {
    const QString address = browser_->address();
    for (const QString& candidate : {address, address.section(QLatin1Char('#'), 0, 0)})
        for (QTreeWidgetItemIterator it(tree_); *it; ++it) {
            if ((*it)->data(0, kAddressRole).toString() != candidate) continue;
            following_ = true;
            tree_->setCurrentItem(*it);
            (*it)->setExpanded(true);
            following_ = false;
            return;
        }
}

}  // namespace parallax::ui
