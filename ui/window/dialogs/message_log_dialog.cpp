// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/message_log_dialog.hpp"

#include <QAction>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QStatusBar>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/widgets.hpp"

namespace parallax::ui {

MessageLogDialog::MessageLogDialog(MessageLog& log, QWidget* parent)
    : QDialog(parent), log_(log), table_(new QTableView), details_(new QLabel) {
    setWindowTitle(tr("Messages"));
    setObjectName(QStringLiteral("messageLog"));
    table_->setModel(&log_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    styleTable(*table_);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    described(table_, tr("Messages"), tr("Messages of this session, newest last"));
    details_->setWordWrap(true);
    details_->setTextFormat(Qt::PlainText);
    selectable(details_);
    details_->setMinimumHeight(3 * details_->fontMetrics().lineSpacing() + 4);
    details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    described(details_, tr("Selected message"), tr("Details of the selected message"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    copy_ = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy_->setToolTip(tr("Copy the selected messages, or all if none is selected, as text (Ctrl+C)"));
    clear_ = buttons->addButton(tr("C&lear"), QDialogButtonBox::ActionRole);
    clear_->setToolTip(tr("Delete all messages from the list"));
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Close the list (Esc)"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(table_, 1);
    layout->addWidget(details_);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(copy_, &QPushButton::clicked, this, &MessageLogDialog::copy);
    connect(clear_, &QPushButton::clicked, &log_, &MessageLog::clear);
    connect(new QShortcut(QKeySequence::Copy, table_, nullptr, nullptr, Qt::WidgetShortcut), &QShortcut::activated, this,
            &MessageLogDialog::copy);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &MessageLogDialog::showDetails);
    connect(&log_, &MessageLog::changed, this, [this] {
        if (isVisible()) log_.markRead();
        showDetails();
    });
    resize(680, 380);
    showDetails();
}

void MessageLogDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    log_.markRead();
    if (log_.rowCount() > 0) table_->selectRow(log_.rowCount() - 1);
    table_->scrollToBottom();
    table_->setFocus();
}

QList<int> MessageLogDialog::selectedRows() const {
    QList<int> rows;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows()) rows << index.row();
    std::sort(rows.begin(), rows.end());
    return rows;
}

void MessageLogDialog::showDetails() {
    copy_->setEnabled(log_.rowCount() > 0);
    clear_->setEnabled(log_.rowCount() > 0);
    const QList<int> rows = selectedRows();
    if (rows.size() != 1) return details_->setText(log_.rowCount() == 0 ? tr("No messages yet.") : QString());
    const Message& message = log_.entry(rows.front()).message;
    QStringList lines{message.what};
    if (!message.why.isEmpty()) lines << tr("Why: %1").arg(message.why);
    if (!message.whatToDo.isEmpty()) lines << tr("What to do: %1").arg(message.whatToDo);
    details_->setText(lines.join(QLatin1Char('\n')));
}

void MessageLogDialog::copy() {
    const QList<int> rows = selectedRows();
    QGuiApplication::clipboard()->setText(rows.isEmpty() ? log_.toText() : log_.toText(rows));
}

void addMessageButton(MessageLog& log, QStatusBar& bar, QAction& show) {
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("messageButton"));
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIcon(show.icon());
    button->setToolTip(show.toolTip());
    const auto update = [button, &log] {
        button->setText(log.unread() > 0 ? QString::number(log.unread()) : QString());
        button->setToolButtonStyle(log.unread() > 0 ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        button->setAccessibleName(log.unread() > 0 ? MessageLogDialog::tr("Messages, %1 new").arg(log.unread())
                                                   : MessageLogDialog::tr("Messages"));
    };
    QObject::connect(&log, &MessageLog::changed, button, update);
    QObject::connect(button, &QToolButton::clicked, &show, &QAction::trigger);
    update();
    bar.addPermanentWidget(button);
}

}  // namespace parallax::ui
