// SPDX-License-Identifier: GPL-3.0-or-later
// The window: docks around the panes, actions, and the wiring between session and views.
#pragma once

#include <QMainWindow>
#include <QStringList>
#include <QTemporaryDir>

#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/session.hpp"

class QActionGroup;
class QMenu;
class QMimeData;
class QStackedWidget;

namespace parallax::ui {

class CommandPalette;
class CompareView;
class EmptyState;
class ImagePane;
class FileWatch;
class InspectorPanel;
class MessageBar;
class MessageLog;
class PipelinePanel;
class RecentFiles;
class RegionPanel;
class SessionKeeper;
class TimingPanel;
class VolumeView;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(const Catalog& catalog, QWidget* parent = nullptr);
    ~MainWindow() override;

    Session& session() { return *session_; }
    ViewState& view() { return view_; }
    CompareView& compareView() { return *compare_; }
    VolumeState& volume() { return volume_; }
    VolumeView& volumeView() { return *volumeView_; }
    /// Is the open document a volume, shown in planes?
    bool showsVolume() const;
    PipelinePanel& pipelinePanel() { return *pipeline_; }
    InspectorPanel& inspectorPanel() { return *inspector_; }
    TimingPanel& timingPanel() { return *timing_; }
    RegionPanel& regionPanel() { return *regions_; }
    MessageBar& messageBar() { return *messages_; }
    MessageLog& messageLog() { return *log_; }
    RecentFiles& recentFiles() { return *recent_; }

    /// Files, folders (their first image) and generated images; the first is shown, the others follow with Page Down.
    void openInputs(const QStringList& inputs);
    /// "single", "side-by-side", "compare", "difference", "wipe"; false if there is no such view.
    bool setViewName(const QString& name);
    static QStringList viewNames();
    /// Nothing is computed, loaded or still to be drawn.
    bool settled() const;
    void resetLayout();
    /// Panels and panes for one purpose: "view", "compare" or "measure".
    void applyPreset(const QString& name);
    /// For windows that no person uses: nothing is asked, and their files are nobody's memory.
    void setUnattended();
    /// Layout and size of the last time.
    void restoreLayout();
    /// From now on what one does is kept in this folder, and what a run left there that ended badly is offered.
    void keepSession(const QString& folder);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void childEvent(QChildEvent* event) override;

private:
    QAction* makeAction(const char* name, const QString& text, const QString& icon, const QList<QKeySequence>& shortcuts,
                        const QString& tip);
    void makeActions();
    void makeFileActions();
    void makeSessionActions();
    void makeVolumeActions();
    QMenu* makeVolumeMenu();
    void fillWindowMenu();
    void showDocument();
    /// Another volume of the open file, from 0.
    void openVolume(int volume);
    void makeDocks();
    void makeMenus();
    void makeToolBar();
    void connectSession();
    void askOpen();
    void askOpenFolder();
    /// Opens the series of a folder, or asks which one.
    /// Looks into folders in the background, then shows what is in them.
    void openFolders(const QStringList& inputs);
    /// Something else is opened than what is still looked for.
    void forgetFolders();
    void askOpenRaw();
    /// Finds out what has to be known about raw samples: from their description, or from the person. `open` follows with an input, unless
    /// something else is opened in between or the person gives up, for which there is `gaveUp`. `always`: ask in any case.
    void askRaw(const QString& file, bool always, std::function<void(const QString&)> open, std::function<void()> gaveUp);
    void showInputs(const QStringList& inputs);
    void askGenerate();
    void fillRecentMenu();
    void reload();
    void fileChanged(const QString& path);
    void copyView();
    void copyView(QWidget& pane, const QString& name);
    void showPaneMenu(PaneRole role, const QPoint& where);
    /// What a pane shows; null if it is hidden or empty.
    QImage pictureOf(PaneRole role);
    void saveData(std::optional<PaneRole> role);
    void copyPixel();
    /// Opens files or an image that were pasted or dropped.
    bool take(const QMimeData& mime);
    static bool canTake(const QMimeData& mime);
    QByteArray keptSession() const;
    void restoreSession();
    void tell(const Message& message);
    void step(int by);
    void showInput(int index);
    /// One of several inputs, which the person goes through.
    void showInputAt(QStringList inputs, int index);
    void updateActions();
    void updateTitle();
    /// All of them, and back as they were.
    void hidePanels(bool hidden);
    void forgetHiddenPanels();
    void showAbout();
    void showShortcuts();
    QAction* action(const char* name) const;

    ViewState view_;
    VolumeState volume_;
    std::unique_ptr<Session> session_;
    CompareView* compare_ = nullptr;
    VolumeView* volumeView_ = nullptr;
    QMenu* windowMenu_ = nullptr;
    DisplaySettings imageDisplay_;  // while a volume or a slice of one is shown
    QString shownMeasured_;         // its name; empty while light is shown
    MessageBar* messages_ = nullptr;
    MessageLog* log_ = nullptr;
    QDialog* logDialog_ = nullptr;
    CommandPalette* palette_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    EmptyState* empty_ = nullptr;
    RecentFiles* recent_ = nullptr;
    FileWatch* watch_ = nullptr;
    QMenu* recentMenu_ = nullptr;
    std::unique_ptr<QTemporaryDir> pasted_;  // images from the clipboard
    int pastedCount_ = 0;
    PipelinePanel* pipeline_ = nullptr;
    InspectorPanel* inspector_ = nullptr;
    TimingPanel* timing_ = nullptr;
    RegionPanel* regions_ = nullptr;
    QDockWidget *pipelineDock_ = nullptr, *inspectorDock_ = nullptr, *timingDock_ = nullptr, *regionsDock_ = nullptr;
    QActionGroup *layouts_ = nullptr, *themes_ = nullptr;
    QStringList inputs_;
    int currentInput_ = -1;
    bool looking_ = false;  // into a folder, or at a file, before it is opened
    bool unattended_ = false;
    bool closing_ = false;  // as soon as everything is saved
    quint64 opening_ = 0;   // the newest wish to open something
    std::unique_ptr<SessionKeeper> keeper_;
    QByteArray factoryLayout_;
    QByteArray withPanels_;  ///< how it was before the panels were hidden; empty while they are not
    Inbox inbox_;
    JobQueue folderQueue_;  // last: its thread ends before anything that it could use goes
};

/// Image files of a folder, sorted; a file stays itself.
QStringList expandInput(const QString& input);

}  // namespace parallax::ui
