// SPDX-License-Identifier: GPL-3.0-or-later
// Shows pages of the manual in the colours of the theme, with pictures that fit its width.
#pragma once

#include <QStringList>
#include <QTextBrowser>
#include <QTimer>

namespace parallax::ui {

class Manual;

class ManualBrowser : public QTextBrowser {
    Q_OBJECT
public:
    explicit ManualBrowser(const Manual& manual, QWidget* parent = nullptr);
    /// Opens an address of the manual; it becomes the newest entry of the history.
    void open(const QString& address);
    /// Returns what is shown, empty at first.
    QString address() const;
    /// Marks every occurrence of these words and returns their number. The first one behind the shown section comes into view.
    int mark(const QStringList& words);
    /// Moves to the next or previous occurrence, around the ends of the page.
    void stepMark(int by);

    QVariant loadResource(int type, const QUrl& url) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void follow(const QUrl& link);
    /// Styles the page, which Qt has just loaded: again for each address, since it has been modified by styling. source() still returns
    /// the previous address.
    void polishPage(const QUrl& address);
    void fitPictures();
    void showMark(int index);
    /// Where the shown section begins in the document.
    int sectionStart() const;

    const Manual& manual_;
    QUrl shown_;  ///< address of the shown page
    QTimer fitting_;
    int shownMark_ = -1;
};

}  // namespace parallax::ui
