// SPDX-License-Identifier: GPL-3.0-or-later
// Edits the settings. Every change applies at once and is saved.
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;

namespace parallax {
class Catalog;
}

namespace parallax::ui {

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    /// `clearRecent` is triggered by a button; see the action of that name.
    SettingsDialog(const Catalog& catalog, QAction& clearRecent, QWidget* parent = nullptr);

private:
    QWidget* makeAppearancePage();
    QWidget* makeComputingPage();
    QWidget* makeFilesPage();
    QWidget* makePrivacyPage(QAction& clearRecent);
    // Controls bound to a setting; their object name is its key.
    QComboBox* choice(const char* key, const QString& name, const QString& tip);
    QSpinBox* number(const char* key, const QString& name, const QString& tip, const QString& zero = {}, const QString& unit = {});
    QCheckBox* flag(const char* key, const QString& text, const QString& tip);
    QWidget* launcher();
    QWidget* folder(const char* key, const QString& name, const QString& tip);
    /// Connects a choice whose items, with their values as data, are complete.
    void bind(QComboBox& box, const char* key);
    void fillBackends(QComboBox& box);
    void fillDevices();
    void restoreDefaults();
    void load();

    const Catalog& catalog_;
    QComboBox* device_ = nullptr;
    std::vector<std::function<void()>> loaders_;  // show the stored values
};

}  // namespace parallax::ui
