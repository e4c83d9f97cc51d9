// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a pane on many files.
#pragma once

#include <QDialog>
#include <QTimer>
#include <chrono>

#include "ui/session/background.hpp"
#include "ui/window/batch/batch_run.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTableView;

namespace parallax::ui {

class BatchTable;
class Session;

class BatchWindow : public QDialog {
    Q_OBJECT
public:
    /// `filter`: of files that can be opened, for file dialogs.
    BatchWindow(Session& session, QString filter, QWidget* parent = nullptr);
    ~BatchWindow() override;

    /// Adds files, and what folders and patterns stand for.
    void add(const QStringList& names);
    bool running() const { return run_.running(); }
    /// "71 of 400 done, 2 failed".
    QString stateText() const;

signals:
    /// The text has changed, or the window was shown or hidden.
    void stateChanged();
    void ended();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void reject() override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void buildForm();
    void connectAll();
    void askFiles();
    void askFolder();
    void chooseOutputFolder();
    /// Names the outputs again. Shows what is wrong with them.
    void plan();
    void start();
    void take(const Message& message);
    void showSteps();
    void showState();
    void showProgress();
    void showError(const QString& text);
    std::string outputPattern() const;
    bool converts() const;

    Session& session_;
    QString filter_;
    BatchTable* table_;
    QTableView* view_;
    QComboBox *work_, *format_;
    QLineEdit *folder_, *pattern_;
    QSpinBox* jobs_;
    QCheckBox *keepGoing_, *upToDate_, *replace_;
    QPushButton *files_, *folders_, *remove_, *browse_;
    QPushButton *start_ = nullptr, *stop_ = nullptr, *show_ = nullptr;
    QLabel *error_, *state_;
    QProgressBar* progress_;
    QTimer poll_;
    QTimer planDelay_;
    std::chrono::steady_clock::time_point started_;
    BatchRun run_;
    Background expansion_;
    int requests_ = 0;   // folders whose files were asked for, ever
    int expanding_ = 0;  // folders being read now
};

}  // namespace parallax::ui
