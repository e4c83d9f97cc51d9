// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual_browser.hpp"

#include <QDesktopServices>
#include <QFile>
#include <QImage>
#include <QTextBlock>
#include <QTextTable>
#include <algorithm>

#include "ui/help/manual.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kMargin = 18;

/// A resource path such as ":/manual/charts.md" as a URL.
QUrl urlOf(const QString& path) { return QUrl(QStringLiteral("qrc") + path); }
QString fileOf(const QUrl& url) { return QLatin1Char(':') + url.path(); }

void polishTable(QTextTable& table) {
    QTextTableFormat format = table.format();
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(currentTheme().border);
    format.setBorderCollapse(true);
    format.setCellPadding(5);
    format.setCellSpacing(0);
    format.setTopMargin(6);
    format.setBottomMargin(10);
    table.setFormat(format);
    QTextCharFormat bold;
    bold.setFontWeight(QFont::Bold);
    for (int column = 0; column < table.columns(); ++column) {
        QTextCursor cell = table.cellAt(0, column).firstCursorPosition();
        cell.setPosition(table.cellAt(0, column).lastPosition(), QTextCursor::KeepAnchor);
        cell.mergeCharFormat(bold);
    }
}

void polishHeading(const QTextBlock& block) {
    QTextCursor cursor(block);
    QTextBlockFormat format = block.blockFormat();
    format.setTopMargin(format.headingLevel() == 1 ? 4 : 16);
    format.setBottomMargin(6);
    cursor.setBlockFormat(format);
    QTextCharFormat anchor;
    anchor.setAnchor(true);
    anchor.setAnchorNames({manualAnchor(block.text())});
    cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
    cursor.mergeCharFormat(anchor);
}

void polishCode(const QTextBlock& block) {
    QTextBlockFormat format = block.blockFormat();
    format.setBackground(currentTheme().palette.color(QPalette::AlternateBase));
    format.setLeftMargin(8);
    format.setNonBreakableLines(false);  // wrapped rather than scrolled
    const auto isCode = [](const QTextBlock& b) { return b.isValid() && b.blockFormat().hasProperty(QTextFormat::BlockCodeFence); };
    format.setTopMargin(isCode(block.previous()) ? 0 : 6);
    format.setBottomMargin(isCode(block.next()) ? 0 : 8);
    QTextCursor(block).setBlockFormat(format);
}

}  // namespace

ManualBrowser::ManualBrowser(const Manual& manual, QWidget* parent) : QTextBrowser(parent), manual_(manual) {
    setOpenLinks(false);
    document()->setDocumentMargin(kMargin);
    fitting_.setSingleShot(true);
    fitting_.setInterval(60);
    connect(&fitting_, &QTimer::timeout, this, &ManualBrowser::fitPictures);
    connect(this, &QTextBrowser::anchorClicked, this, &ManualBrowser::follow);
    connect(this, &QTextBrowser::sourceChanged, this, &ManualBrowser::polishPage);
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this, [this] {
        if (!shown_.isEmpty()) reload();
    });
}

void ManualBrowser::open(const QString& address) {
    setSource(urlOf(manual_.folder() + QLatin1Char('/') + address), QTextDocument::MarkdownResource);
}

QString ManualBrowser::address() const {
    if (shown_.isEmpty()) return {};
    return shown_.hasFragment() ? shown_.fileName() + QLatin1Char('#') + shown_.fragment() : shown_.fileName();
}

void ManualBrowser::follow(const QUrl& link) {
    const QUrl target = shown_.resolved(link);
    if (target.scheme() != QLatin1String("qrc")) {
        QDesktopServices::openUrl(target);
        return;
    }
    open(target.fileName() + (target.hasFragment() ? QLatin1Char('#') + target.fragment() : QString()));
}

QVariant ManualBrowser::loadResource(int type, const QUrl& url) {
    const QUrl resolved = urlOf(manual_.folder() + QLatin1Char('/')).resolved(url);
    if (type == QTextDocument::MarkdownResource) {
        const ManualPage* page = manual_.page(resolved.fileName());
        return page ? page->markdown : tr("The manual has no page '%1'.").arg(resolved.fileName());
    }
    QImage image(fileOf(resolved));
    if (type != QTextDocument::ImageResource || image.isNull()) return {};
    const qreal ratio = devicePixelRatioF();
    const int room = static_cast<int>((viewport()->width() - 2 * kMargin - 4) * ratio);
    const int width = std::min(static_cast<int>(image.width() * ratio), std::max(100, room));
    image = image.scaledToWidth(width, Qt::SmoothTransformation);
    image.setDevicePixelRatio(ratio);
    return image;
}

void ManualBrowser::polishPage(const QUrl& address) {
    shown_ = address;
    setExtraSelections({});
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0) polishHeading(block);
        else if (block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)) polishCode(block);
    }
    for (QTextFrame* frame : document()->rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) polishTable(*table);
    moveCursor(QTextCursor::Start);
    if (address.hasFragment()) scrollToAnchor(address.fragment());
}

void ManualBrowser::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fitting_.start();
}

void ManualBrowser::fitPictures() {
    QTextDocument* page = document();
    for (QTextBlock block = page->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it) {
            const QTextImageFormat format = it.fragment().charFormat().toImageFormat();
            if (!format.isValid()) continue;
            const QUrl name(format.name());
            page->addResource(QTextDocument::ImageResource, shown_.resolved(name), loadResource(QTextDocument::ImageResource, name));
            page->addResource(QTextDocument::ImageResource, name, loadResource(QTextDocument::ImageResource, name));
            page->markContentsDirty(it.fragment().position(), it.fragment().length());
        }
}

int ManualBrowser::sectionStart() const {
    if (!shown_.hasFragment()) return 0;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 && manualAnchor(block.text()) == shown_.fragment()) return block.position();
    return 0;
}

int ManualBrowser::mark(const QStringList& words) {
    QList<ExtraSelection> marks;
    QTextCharFormat format;
    format.setBackground(palette().color(QPalette::Highlight));
    format.setForeground(palette().color(QPalette::HighlightedText));
    for (const QString& word : words)
        for (QTextCursor hit = document()->find(word); !hit.isNull(); hit = document()->find(word, hit))
            marks << ExtraSelection{hit, format};
    std::sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) { return a.cursor.position() < b.cursor.position(); });
    setExtraSelections(marks);
    const auto first = std::find_if(marks.begin(), marks.end(),
                                    [start = sectionStart()](const ExtraSelection& m) { return m.cursor.selectionStart() >= start; });
    if (first != marks.end()) showMark(static_cast<int>(first - marks.begin()));
    return static_cast<int>(marks.size());
}

void ManualBrowser::stepMark(int by) {
    const int count = static_cast<int>(extraSelections().size());
    if (count > 0) showMark((shownMark_ + by + count) % count);
}

void ManualBrowser::showMark(int index) {
    shownMark_ = index;
    QTextCursor cursor = extraSelections().at(index).cursor;
    cursor.setPosition(cursor.selectionStart());
    setTextCursor(cursor);
    ensureCursorVisible();
}

}  // namespace parallax::ui
