// SPDX-License-Identifier: GPL-3.0-or-later
// Languages other than English: complete, with the same placeholders, and usable by the keyboard.
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStyleOptionComboBox>
#include <QXmlStreamReader>

#include "core/engine/run/run_record.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/loader.hpp"
#include "core/measure/conditions/trust.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/support/dicom_writer.hpp"
#include "ui/models/document/message.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/window/shell/language.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

struct Text {
    QString source, translation;
    bool finished = true;
};

QList<Text> textsOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&file);
    QList<Text> texts;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("message")) texts << Text{};
        if (xml.name() == QLatin1String("source")) texts.back().source = xml.readElementText();
        if (xml.name() != QLatin1String("translation")) continue;
        texts.back().finished = !xml.attributes().hasAttribute("type");
        texts.back().translation = xml.readElementText();
    }
    return texts;
}

QStringList placeholders(const QString& text) {
    QStringList found;
    auto matches = QRegularExpression(QStringLiteral("%[1-9]")).globalMatch(text);
    while (matches.hasNext()) found << matches.next().captured();
    found.sort();
    return found;
}

}  // namespace

class TranslationTest : public QObject {
    Q_OBJECT
private slots:
    void translationsKeepPlaceholders() {
        const QStringList files = QDir(QStringLiteral(PARALLAX_TRANSLATIONS)).entryList({QStringLiteral("*.ts")});
        QVERIFY(!files.isEmpty());
        for (const QString& file : files) {
            const QList<Text> texts = textsOf(QDir(QStringLiteral(PARALLAX_TRANSLATIONS)).filePath(file));
            QVERIFY(texts.size() > 500);
            for (const Text& text : texts) {
                QVERIFY2(text.finished && !text.translation.isEmpty(), qPrintable(text.source));
                QVERIFY2(placeholders(text.source) == placeholders(text.translation), qPrintable(text.source));
                QVERIFY2(text.source.startsWith(' ') == text.translation.startsWith(' ') &&
                             text.source.endsWith(' ') == text.translation.endsWith(' '),
                         qPrintable(text.source));
                QVERIFY2(text.source.contains('&') == text.translation.contains('&'), qPrintable(text.source));
            }
        }
    }
    void germanWindow() {
        if (!builtInLanguages().contains(QStringLiteral("de"))) QSKIP("built without Qt Linguist's tools");
        QVERIFY(!useLanguage(QStringLiteral("xx")));
        QVERIFY(useLanguage(QStringLiteral("en")));
        QVERIFY(useLanguage(QStringLiteral("de")));
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48,channels=3"));
        QCOMPARE(doubledMnemonic(*window), QString());
        QCOMPARE(window->findChild<QAction*>("fit")->text().remove('&'), QStringLiteral("Ins Fenster einpassen"));
        // Texts of the catalog too: run resources/translations/catalog_texts.py and update.sh after a change of an operation.
        for (const auto& operation : processCatalog().operations()) {
            QVERIFY2(catalogText(operation->help()) != QString::fromStdString(operation->help()), operation->title().c_str());
            for (const ParameterInfo& info : operation->parameters().infos())
                QVERIFY2(catalogText(info.help) != QString::fromStdString(info.help), info.help.c_str());
        }
        for (const SyntheticKindInfo& kind : syntheticKinds())
            QVERIFY2(catalogText(kind.help) != QString::fromStdString(kind.help), kind.help.c_str());
        QVERIFY(window->compareView().pane(PaneRole::a).label().details.contains(QStringLiteral("Durchlauf")));
        const auto* effort = window->findChild<QComboBox*>("effort");
        QCOMPARE(effort->itemData(0).toString(), QStringLiteral("quick"));
        QCOMPARE(effort->itemText(0), QStringLiteral("schnell"));
    }
    /// Errors, warnings and notes of core, which are in English.
    void sentencesOfCoreAreGerman() {
        if (!builtInLanguages().contains(QStringLiteral("de"))) QSKIP("built without Qt Linguist's tools");
        std::vector<std::string> texts;
        MachineRecord machine;
        machine.hardwareThreads = machine.usableThreads = 8;
        machine.governor = "powersave";
        BuildInfo debug;
        debug.buildType = "Debug";
        SystemSnapshot before, after;
        before.onBattery = true;
        before.load = 27.6;
        after.wallSeconds = 10;
        after.busySeconds = 90;
        after.stolenSeconds = 4;
        after.throttles = 7;
        for (const auto& conditions : {conditionsOfMachine(machine, debug, before), conditionsWhile(machine, before, after)})
            for (const Condition& c : conditions) texts.insert(texts.end(), {c.what, c.advice, toText(c)});
        QCOMPARE(texts.size(), 7u * 3);
        QTemporaryDir folder;
        for (const int z : {0, 1, 3, 4}) {
            test::MadeDicom slice;
            slice.instance = z + 1;
            slice.position = {0, 0, 2.5 * z};
            slice.write(folder.filePath(QString::number(z)).toStdString());
        }
        const std::vector<std::string> remarks = listSeries(folder.path().toStdString()).front().warnings;
        QCOMPARE(remarks.size(), std::size_t{1});
        texts.push_back(remarks.front());
        Message message;
        try {
            (void)openInput("/nonexistent/x.1.exr");
        } catch (const Error& e) {
            texts.insert(texts.end(), {e.summary(), e.why(), e.whatToDo()});
            QVERIFY(useLanguage(QStringLiteral("de")));
            message = toMessage(e, {});
        }
        QCOMPARE(message.plainText(), QStringLiteral("„/nonexistent/x.1.exr“ lässt sich nicht öffnen: die Datei ist nicht vorhanden. Den "
                                                     "Namen prüfen"));
        QCOMPARE(coreText(remarks.front()),
                 QStringLiteral("1 Schicht fehlt: zwischen 2,5 mm (Schicht 1) und 7,5 mm (Schicht 2) beträgt der "
                                "Abstand 5 mm statt 2,5 mm. Es wurde nichts interpoliert"));
        QCOMPARE(coreText("load: Other programs load the machine (load average 27.6 on 8 hardware threads). Close them or wait a minute"),
                 QStringLiteral("load: Andere Programme belasten den Rechner (Last 27,6 bei 8 Hardware-Threads). Diese beenden oder eine "
                                "Minute warten"));
        for (const std::string& text : texts) QVERIFY2(coreText(text) != QString::fromStdString(text), text.c_str());
        QCOMPARE(coreText("No sentence of core: 2.5 mm. At all"), QStringLiteral("No sentence of core: 2.5 mm. At all"));
        QVERIFY(useLanguage(QStringLiteral("en")));
        for (const std::string& text : texts) QCOMPARE(coreText(text), QString::fromStdString(text));
        QCOMPARE(coreText("before: 'openmp', base record: noise: The median is known only to +-27.5 %"),
                 QStringLiteral("before: 'openmp', base record: noise: The median is known only to ±27.5 %"));
    }
    /// Texts of boxes and fields fit into panels of the initial width.
    void germanWordsFit() {
        if (!builtInLanguages().contains(QStringLiteral("de"))) QSKIP("built without Qt Linguist's tools");
        QVERIFY(useLanguage(QStringLiteral("de")));
        auto window = shownWindow({1400, 900});
        window->resetLayout();
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48,channels=3"));
        for (const char* step : {"convolve", "tonemap", "tonemap:operator=photoreceptor", "tonemap:operator=histogram",
                                 "wavelet-denoise:rule=universal", "wavelet-compress", "dwt"}) {
            setSteps(*window, {step});
            QVERIFY(waitForIdle(*window));
            int seen = 0;
            for (auto* box : window->findChildren<QComboBox*>()) {
                if (!box->isVisible() || box->isEditable()) continue;
                ++seen;
                QStyleOptionComboBox option;
                option.initFrom(box);
                option.editable = false;
                const int room = box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
                QVERIFY2(box->fontMetrics().horizontalAdvance(box->currentText()) <= room, qPrintable(box->currentText()));
            }
            for (auto* box : window->findChildren<QAbstractSpinBox*>()) {
                if (!box->isVisible()) continue;
                ++seen;
                const auto* field = box->findChild<QLineEdit*>();
                QVERIFY2(field->fontMetrics().horizontalAdvance(field->text()) + 4 <= field->width(), qPrintable(field->text()));
            }
            QVERIFY(seen > 10);
        }
    }
    void remarksOnSavedFilesAreTranslated() {
        QVERIFY(useLanguage(QStringLiteral("de")));
        const auto english = qScopeGuard([] { (void)useLanguage(QStringLiteral("en")); });
        QTemporaryDir folder;
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:64x48,channels=3"));
        QString remark;
        connect(&window->session().tasks(), &Tasks::messageRaised, this, [&](const Message& message) { remark = message.why; });
        window->session().saveImage(PaneRole::original, folder.filePath("clipped.png"));
        QVERIFY(waitForIdle(*window));
        QVERIFY2(remark.contains("EXR") && !remark.contains("samples") && !remark.contains("keep"), qPrintable(remark));
    }
};

QTEST_MAIN(TranslationTest)
#include "translation_test.moc"
