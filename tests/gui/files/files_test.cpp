// SPDX-License-Identifier: GPL-3.0-or-later
// Every image and volume of the test data opens in the window, or is refused with a message, as expected.
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/gui/gui_support.hpp"

using namespace parallax::ui;

class FilesTest : public QObject {
    Q_OBJECT
private slots:
    void everyFile() {
        const QString folder = qEnvironmentVariable("PARALLAX_TEST_DATA", PARALLAX_TEST_DATA_DEFAULT);
        QFile facts(folder + "/facts.json");
        if (!facts.open(QIODevice::ReadOnly))
            QSKIP(qPrintable("The test data are absent: no facts.json in " + folder + "; set PARALLAX_TEST_DATA to their folder"));
        static const QStringList imageKinds{"png",     "png_bad",      "exr",   "exr_bad",   "exr_deep", "hdr",      "img",
                                            "img_bad", "dicom_series", "dicom", "dicom_bad", "nifti",    "nifti_bad"};
        // Deep data are flattened, which is more than the facts ask for.
        static const QString deep = QStringLiteral("exr_deep");
        auto window = shownWindow({900, 600});
        window->session().pipeline().setEnabled(0, false);  // this test is about opening
        int opened = 0, refused = 0;
        QStringList wrong;
        for (const QJsonValue& value : QJsonDocument::fromJson(facts.readAll()).object().value("entries").toArray()) {
            const QJsonObject entry = value.toObject();
            if (!imageKinds.contains(entry.value("kind").toString())) continue;
            const QString path = folder + '/' + entry.value("path").toString();
            const QString expect = entry.value("kind").toString() == deep ? QStringLiteral("open") : entry.value("expect").toString();
            if (!QFileInfo::exists(path)) {
                wrong << path + ": missing";
                continue;
            }
            Message error;
            const auto connection = connect(&window->session().tasks(), &Tasks::messageRaised, this, [&](const Message& m) {
                if (m.kind == Message::Kind::error) error = m;
            });
            const auto before = window->session().original();
            if (!openAndWait(*window, path)) wrong << path + ": the window stayed busy";
            disconnect(connection);
            const bool isOpen = window->session().original() != before && window->session().inputName() == path;
            (isOpen ? opened : refused) += 1;
            if (expect == "open" && !isOpen) wrong << path + ": refused: " + error.plainText();
            if (expect == "refuse" && isOpen) wrong << path + ": opened, should be refused";
            if (!isOpen && error.what.isEmpty()) wrong << path + ": neither opened nor explained";
        }
        qInfo("%d files opened, %d refused", opened, refused);
        QVERIFY2(wrong.isEmpty(), qPrintable('\n' + wrong.join('\n')));
        QVERIFY(opened > 0);
    }
};

QTEST_MAIN(FilesTest)
#include "files_test.moc"
