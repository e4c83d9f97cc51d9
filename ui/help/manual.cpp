// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/manual.hpp"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <algorithm>

/// Q_INIT_RESOURCE must stand outside of every namespace.
static void initialiseManual() { Q_INIT_RESOURCE(parallax_manual); }

namespace parallax::ui {
namespace {

bool isFence(const QString& line) { return line.trimmed().startsWith(QLatin1String("```")); }

QString plainText(QString heading) { return heading.remove(QLatin1Char('`')); }

}  // namespace

QString manualAnchor(const QString& heading) {
    QString anchor;
    for (const QChar c : heading.trimmed().toLower()) {
        if (c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_')) anchor += c;
        else if (c == QLatin1Char(' ')) anchor += QLatin1Char('-');
    }
    return anchor;
}

QStringList markdownLinks(const QString& markdown) {
    static const QRegularExpression inlineCode(QStringLiteral("`[^`\n]*`"));
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)\\s]+)\\)"));
    QString text;
    bool code = false;
    for (const QString& line : markdown.split(QLatin1Char('\n'))) {
        if (isFence(line)) code = !code;
        else if (!code) text += line + QLatin1Char('\n');
    }
    text.remove(inlineCode);
    QStringList links;
    for (auto it = link.globalMatch(text); it.hasNext();) links << it.next().captured(1);
    return links;
}

Manual::Manual(const QString& folder) : folder_(folder) {
    for (const QString& name : QDir(folder).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name)) {
        QFile file(folder + QLatin1Char('/') + name);
        if (file.open(QIODevice::ReadOnly)) readPage(name, QString::fromUtf8(file.readAll()));
    }
    readChapters();
}

const Manual& Manual::instance() {
    static const Manual manual = [] {
        initialiseManual();
        return Manual(QStringLiteral(":/manual"));
    }();
    return manual;
}

void Manual::readPage(const QString& name, const QString& text) {
    static const QRegularExpression heading(QStringLiteral("^(#{1,6}) +(.*?) *$"));
    static const QRegularExpression comment(QStringLiteral("<!--(.*?)-->\n?"), QRegularExpression::DotMatchesEverythingOption);
    static const QString topics = QStringLiteral("topics:");
    ManualPage page{name, name, {}, {}};
    ManualSection section{name, name, 1, {}};
    const auto finish = [&] {
        for (auto it = comment.globalMatch(section.markdown); it.hasNext();) {
            const QString said = it.next().captured(1).simplified();
            if (!said.startsWith(topics)) continue;
            for (const QString& topic : said.mid(topics.size()).split(QLatin1Char(' '), Qt::SkipEmptyParts))
                topics_[topic] = section.address;
        }
        section.markdown.remove(comment);
        if (section.address != name || page.title != name) page.sections << section;
    };
    bool code = false;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        if (isFence(line)) code = !code;
        const auto match = code ? QRegularExpressionMatch() : heading.match(line);
        if (!match.hasMatch()) {
            section.markdown += line + QLatin1Char('\n');
            continue;
        }
        const int level = static_cast<int>(match.capturedLength(1));
        const QString title = match.captured(2);
        if (level == 1) {
            page.title = section.title = plainText(title);
            continue;
        }
        finish();
        section = {name + QLatin1Char('#') + manualAnchor(title), plainText(title), level, {}};
    }
    finish();
    page.markdown = QString(text).remove(comment);
    pages_ << page;
}

void Manual::readChapters() {
    const ManualPage* index = page(indexPage());
    if (!index) return;
    for (const ManualSection& section : index->sections) {
        ManualChapter chapter{section.title, {}};
        for (const QString& link : markdownLinks(section.markdown))
            if (page(link)) chapter.pages << link;
        if (!chapter.pages.isEmpty()) chapters_ << chapter;
    }
}

const ManualPage* Manual::page(const QString& name) const {
    const auto it = std::find_if(pages_.begin(), pages_.end(), [&](const ManualPage& p) { return p.name == name; });
    return it == pages_.end() ? nullptr : &*it;
}

bool Manual::contains(const QString& address) const {
    const ManualPage* found = page(address.section(QLatin1Char('#'), 0, 0));
    return found && std::any_of(found->sections.begin(), found->sections.end(),
                                [&](const ManualSection& s) { return s.address == address || found->name == address; });
}

QList<ManualSection> Manual::search(const QString& words) const {
    const QStringList all = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto holds = [&](const QString& text) {
        return std::all_of(all.begin(), all.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    };
    QList<ManualSection> inTitle, inText;
    if (all.isEmpty()) return {};
    for (const ManualPage& page : pages_)
        for (const ManualSection& section : page.sections) {
            if (holds(section.title)) inTitle << section;
            else if (holds(section.title + QLatin1Char('\n') + section.markdown)) inText << section;
        }
    return inTitle + inText;
}

}  // namespace parallax::ui
