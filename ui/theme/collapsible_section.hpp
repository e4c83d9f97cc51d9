// SPDX-License-Identifier: GPL-3.0-or-later
// A section of a panel that its heading opens and closes. Whether it is open is remembered between sessions.
#pragma once

#include <QToolButton>
#include <QWidget>
#include <initializer_list>

namespace parallax::ui {

/// Heading with an arrow. Space, Enter and a click toggle it, Right opens, Left closes.
class SectionHeader : public QToolButton {
    Q_OBJECT
public:
    explicit SectionHeader(const QString& title, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

class CollapsibleSection : public QWidget {
    Q_OBJECT
public:
    /// `name`: of the widget and of the remembered state.
    CollapsibleSection(const QString& title, const char* name, std::initializer_list<QWidget*> content, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    bool isOpen() const { return header_->isChecked(); }
    void setOpen(bool open) { header_->setChecked(open); }
    SectionHeader& header() { return *header_; }

private:
    void showState(bool open);

    SectionHeader* header_;
    QWidget* content_;
};

}  // namespace parallax::ui
