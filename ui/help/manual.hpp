// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the manual, read from Markdown. An address is a page and, if needed, a section: "charts.md#roofline".
#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

namespace parallax::ui {

struct ManualSection {
    QString address, title;
    int level = 1;     ///< of its heading
    QString markdown;  ///< without the heading
};

struct ManualPage {
    QString name, title;  ///< "charts.md", "Charts"
    QString markdown;     ///< without comments
    QList<ManualSection> sections;
};

/// A heading of the index page and the pages that are linked below it.
struct ManualChapter {
    QString title;
    QStringList pages;
};

class Manual {
public:
    /// Reads all pages of a folder. Its index.md gives chapters and their order.
    explicit Manual(const QString& folder);
    /// Returns the manual that is compiled into the program.
    static const Manual& instance();

    const QString& folder() const { return folder_; }
    const QList<ManualPage>& pages() const { return pages_; }
    const QList<ManualChapter>& chapters() const { return chapters_; }
    /// Returns null if there is no such page.
    const ManualPage* page(const QString& name) const;
    bool contains(const QString& address) const;
    /// Returns the address of the section that documents a topic, empty if none does. A section lists its topics in a comment:
    /// <!-- topics: convolve kernelEditor -->. They are ids of operations and the names that setHelpTopic() gives to widgets.
    QString addressOf(const QString& topic) const { return topics_.value(topic); }
    QStringList topics() const { return topics_.keys(); }
    /// Returns the sections that contain all words, those with a hit in their title first.
    QList<ManualSection> search(const QString& words) const;

    static QString indexPage() { return QStringLiteral("index.md"); }

private:
    void readPage(const QString& name, const QString& text);
    void readChapters();

    QString folder_;
    QList<ManualPage> pages_;
    QList<ManualChapter> chapters_;
    QHash<QString, QString> topics_;
};

/// Returns the anchor of a heading, made as Git hosts make it: "Reading the table" becomes "reading-the-table".
QString manualAnchor(const QString& heading);
/// Returns the targets of links and pictures, code left out.
QStringList markdownLinks(const QString& markdown);

}  // namespace parallax::ui
