// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/language.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QPointer>
#include <QTranslator>
#include <utility>

// Registers the resources of a static library; must stand outside any namespace.
static void initialiseTranslations() {
#ifdef PARALLAX_HAS_TRANSLATIONS
    Q_INIT_RESOURCE(parallax_translations);
#endif
}

namespace parallax::ui {
namespace {

const QString kFolder = QStringLiteral(":/i18n");
const QString kPrefix = QStringLiteral("parallax_");

/// Owned by the application.
QList<QPointer<QTranslator>>& installed() {
    static QList<QPointer<QTranslator>> all;
    return all;
}

void install(const QString& name, const QString& folder) {
    auto* translator = new QTranslator(QCoreApplication::instance());
    if (translator->load(name, folder) && QCoreApplication::installTranslator(translator)) installed() << translator;
    else delete translator;
}

void removeLanguage() {
    if (installed().isEmpty()) return;
    for (const QPointer<QTranslator>& translator : std::exchange(installed(), {})) delete translator;
    QLocale::setDefault(QLocale::system());
}

}  // namespace

QStringList builtInLanguages() {
    initialiseTranslations();
    QStringList languages;
    for (const QString& file : QDir(kFolder).entryList({kPrefix + QStringLiteral("*.qm")}, QDir::Files, QDir::Name))
        languages << file.mid(kPrefix.size()).section(QLatin1Char('.'), 0, 0);
    return languages;
}

bool useLanguage(const QString& language) {
    const QString english = QStringLiteral("en");
    QStringList candidates{language};
    if (language.isEmpty()) candidates = QLocale::system().uiLanguages();
    for (const QString& candidate : candidates) {
        const QString code = candidate.section(QLatin1Char('-'), 0, 0);
        if (code != english && !builtInLanguages().contains(code)) continue;
        removeLanguage();
        if (code == english) return true;
        if (!language.isEmpty()) QLocale::setDefault(QLocale(language));
        install(kPrefix + code, kFolder);
        install(QStringLiteral("qtbase_") + code, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
        return true;
    }
    return language.isEmpty();
}

}  // namespace parallax::ui
