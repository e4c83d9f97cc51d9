// SPDX-License-Identifier: GPL-3.0-or-later
// The main window: panes, docks, actions, and the wiring between session and views.
#pragma once

#include <QAction>
#include <QMainWindow>
#include <QPointer>
#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>
#include <map>
#include <memory>

#include "ui/models/document/kept_session.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"

class QActionGroup;
class QMenu;
class QMimeData;
class QStackedWidget;

namespace parallax::ui {

class BatchWindow;
class CommandPalette;
class CompareView;
class ContextHelp;
class DropOverlay;
class EmptyState;
class ImagePane;
class FileWatch;
class Filmstrip;
class InspectorPanel;
class KernelWindow;
class MessageBar;
class MessageLog;
class PartBar;
class PipelinePanel;
class QuitDialog;
class RecentFiles;
class RegionPanel;
class SeriesBar;
class SessionKeeper;
class TimingPanel;
class TimingStrip;
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
    ContextHelp& help() { return *help_; }
    RecentFiles& recentFiles() { return *recent_; }

    /// Opens files, folders and generated images. Shows the first one; Page Down shows the next.
    void openInputs(const QStringList& inputs);
    /// Chooses "single", "side-by-side", "compare", "difference", "wipe" or "all". Returns false for any other name.
    bool setViewName(const QString& name);
    static QStringList viewNames();
    /// Is all computing, loading and drawing done?
    bool settled() const;
    void resetLayout();
    /// Opens the Timing panel.
    void showTiming();
    /// Arranges panels and panes for a task: "view", "compare" or "measure".
    void applyPreset(const QString& name);
    /// For screenshots and tests: asks nothing and leaves the list of recent files alone.
    void setUnattended();
    /// Reports settings that are damaged or do not suit this machine.
    void checkSettings();
    /// Restores size and layout of the last session.
    void restoreLayout();
    /// Keeps the state of the session in this folder from now on, and offers to restore what a crashed run left there.
    void keepSession(const QString& folder);
    /// Restores the session of the last normal end, if there is one and the settings ask for it.
    bool restoreAtStart();
    /// Closes without a question, as a signal asks for; waits for files that are being saved, unless repeated.
    bool closeWithoutAsking();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void childEvent(QChildEvent* event) override;

private:
    /// Actions of the active pane, for its menus.
    static constexpr const char* kPaneActions = "add-pane remove-pane - use-reference same-steps";
    QAction* makeAction(const char* name, const QString& text, const QString& icon, const QList<QKeySequence>& shortcuts,
                        const QString& tip);
    /// Makes an action that does `effect` when it is triggered.
    template <class Effect>
    QAction* makeCommand(const char* name, const QString& text, const QString& icon, const QList<QKeySequence>& shortcuts,
                         const QString& tip, Effect&& effect) {
        QAction* made = makeAction(name, text, icon, shortcuts, tip);
        connect(made, &QAction::triggered, this, std::forward<Effect>(effect));
        return made;
    }
    /// The same with a check mark.
    template <class Effect>
    QAction* makeCheck(const char* name, const QString& text, const QString& icon, const QList<QKeySequence>& shortcuts, const QString& tip,
                       Effect&& effect) {
        QAction* made = makeCommand(name, text, icon, shortcuts, tip, std::forward<Effect>(effect));
        made->setCheckable(true);
        return made;
    }
    void makeOpenCommands();
    void makeSaveCommands();
    void makeKernelCommands();
    void makeBatchCommand();
    void makeEditCommands();
    void makeViewCommands();
    void makeHelpCommands();
    void makePaneActions();
    void makeLayoutActions();
    void makeThemeActions();
    void makeFileActions();
    void makeSessionActions();
    void makeSheetActions();
    void makeFilmstrip();
    void makeVolumeActions();
    void makeNonFiniteCommand();
    /// An action whose menu chooses what becomes of NaN and infinity.
    QAction* makeNonFinitePolicies();
    void clampNonFinite();
    void tellNonFinite(const Image& image);
    void showNextNonFinite();
    /// Adds actions by their names, separated by blanks; "-" is a separator.
    void fillMenu(QMenu& menu, const char* names);
    void addPanelActions(QMenu& view);
    void fillWindowMenu();
    void showDocument();
    /// Shows A by its own range while it is another quantity than its input and the display settings are untouched.
    void followQuantity();
    void makePartBars();
    void makePartActions();
    /// Opens another volume, page or part of the open file: the text after '#'; empty: none.
    void openChoice(const QString& choice);
    void makeDocks();
    void makeCentre();
    /// Puts pipeline and inspector into one column: above each other in a high window, else as tabs. A layout of the user stays.
    void arrangeColumn();
    int columnWidth() const;
    void updateTimingStrip();
    void makeMenus();
    void makeToolBar();
    void connectSession();
    void askOpen();
    /// Is it a file whose layout must be asked for?
    static bool lacksHeader(const QString& input);
    /// For file dialogs.
    static QString imageFilter();
    void askPaneInput(Side side);
    void askOpenFolder();
    /// Lists folders in the background, then calls `open` with their images, or asks which of several series to open.
    void openFolders(const QStringList& inputs, std::function<void(const QStringList&)> open);
    /// Ignores the result of an inspection that still runs, because something else is opened.
    void cancelPendingOpen();
    void askOpenRaw();
    /// Finds the layout of a raw file in its description, or asks for it (`always`: even if there is a description), then calls `open`
    /// with the input. Calls `cancelled` if the user cancels, and neither if something else is opened meanwhile.
    void askRaw(const QString& file, bool always, std::function<void(const QString&)> open, std::function<void()> cancelled);
    void showInputs(const QStringList& inputs);
    void askGenerate();
    /// The window of kernels, made when it is first needed.
    KernelWindow& kernelWindow();
    /// Writes a kernel to begin with and opens it.
    void askNewKernel(const Operation& operation);
    QMenu* newKernelMenu(QWidget* parent);
    /// Asks for the values of a contact sheet, beginning with this step and parameter.
    void askContactSheet(int row, const std::string& key = {});
    /// Arranges the panes for a contact sheet, or as they were before.
    void followSheet();
    void makeRecentFiles();
    void fillRecentMenu();
    /// Offers to pin, unpin and remove an entry of the recent files.
    void showRecentMenu(const QString& path, const QPoint& where);
    /// The open input as recent files list it; empty if they may not, as generated images and, while patient data are hidden, medical ones.
    QString recentInput() const;
    void updatePin();
    /// Removes folders with DICOM files that earlier versions stored, if patient data are hidden.
    void forgetPatientFolders();
    void reload();
    /// Closes the current file and shows its neighbour; without one the window is empty again.
    void closeFile();
    void followSettings();
    /// Reloads, or offers it.
    void fileChanged(const QString& input, const ImagePtr& image);
    void watchPaneInput(const QString& input);
    void copyView();
    void copyView(QWidget& pane, const QString& name);
    void showPaneMenu(PaneRole role, const QPoint& where);
    /// A picture of a pane; null if it is hidden or empty.
    QImage pictureOf(PaneRole role);
    void saveData(std::optional<PaneRole> role);
    Side activeSide() const { return session_->pipeline().active(); }
    /// The other side of the difference that the active one is compared in.
    Side comparedSide() const;
    void copyPixel();
    /// Opens files or an image that were pasted or dropped.
    bool take(const QMimeData& mime);
    static bool canTake(const QMimeData& mime);
    /// Shows where dragged files can be dropped, unless they open as a whole anywhere.
    void showDropZones(const QMimeData& mime);
    /// Makes files the inputs of a pane and the next ones, and of new panes.
    void compareFiles(int firstPane, const QStringList& files);
    void placeInputs(int firstPane, const QStringList& inputs);
    KeptSession currentSession() const;
    /// The same as text; empty if nothing is open.
    QByteArray keptSession() const;
    void restoreSession();
    void openSession(const QString& path);
    /// Reads a session in the background, and applies it without missing inputs.
    void startSession(const QString& title, std::function<KeptSession(const Catalog&)> read);
    void applySession(const KeptSession& kept, const QString& title);
    /// Restores position, zoom and selection once the image is there.
    void applyArrivedView();
    void applyPanels(const QHash<QString, KeptPanel>& panels);
    void askSaveSession();
    void saveSession(const QString& path, bool overwrite);
    /// Shows whether the session differs from its file.
    void updateSessionState();
    /// Calls `effect` whenever a part of the session changes.
    template <class Effect>
    void onSessionEdit(QObject* context, Effect&& effect);
    /// Asks or waits if files are being saved, something is measured or a batch runs.
    bool mayClose();
    void closeWhenIdle();
    void tell(const Message& message);
    /// Shows the next or previous open input; with a single one, opens that of its folder.
    void step(int by);
    /// Opens the next or previous image file of the folder in place of the current input.
    void stepInFolder(int by);
    void closeInput(int index);
    void updateFilmstrip();
    /// "2 of 3": the place among the open inputs, or in the folder once it is known.
    QString placeText() const;
    void showInput(int index);
    /// Opens one of several inputs; Page Up and Page Down open the others.
    void showInputAt(QStringList inputs, int index);
    void updateActions();
    void updateCompareActions();
    void updateTitle();
    /// Hides all panels, or restores those that were shown.
    void hidePanels(bool hidden);
    void forgetHiddenPanels();
    QAction* action(const char* name) const;

    struct FolderPlace {
        QString file;
        int number = 0, count = 0;
    };
    struct ViewBeforeSheet {
        QString layout;
        bool original;
        PlaneChoice planes;
    };

    ViewState view_;
    VolumeState volume_;
    std::unique_ptr<Session> session_;
    CompareView* compare_ = nullptr;
    VolumeView* volumeView_ = nullptr;
    QMenu* windowMenu_ = nullptr;
    PartBar* partBar_ = nullptr;
    SeriesBar* seriesBar_ = nullptr;
    DisplaySettings imageDisplay_;  // of images, kept while measurements are shown
    bool showsQuantity_ = false;    // the first display is that of the result of A
    QString shownMeasured_;         // input that holds measurements; empty while an image is shown
    MessageBar* messages_ = nullptr;
    MessageLog* log_ = nullptr;
    QDialog* logDialog_ = nullptr;
    KernelWindow* kernels_ = nullptr;
    BatchWindow* batch_ = nullptr;
    QString newKernel_;  // the file of a kernel that is being written
    CommandPalette* palette_ = nullptr;
    ContextHelp* help_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    EmptyState* empty_ = nullptr;
    RecentFiles* recent_ = nullptr;
    FileWatch* watch_ = nullptr;
    std::map<QString, std::unique_ptr<FileWatch>> paneWatches_;
    QMenu* recentMenu_ = nullptr;
    std::unique_ptr<QTemporaryDir> pasted_;  // images from the clipboard
    int pastedCount_ = 0;
    PipelinePanel* pipeline_ = nullptr;
    InspectorPanel* inspector_ = nullptr;
    TimingPanel* timing_ = nullptr;
    TimingStrip* timingStrip_ = nullptr;
    Filmstrip* filmstrip_ = nullptr;
    DropOverlay* dropOverlay_ = nullptr;
    RegionPanel* regions_ = nullptr;
    QDockWidget *pipelineDock_ = nullptr, *inspectorDock_ = nullptr, *timingDock_ = nullptr, *regionsDock_ = nullptr;
    QActionGroup *layouts_ = nullptr, *themes_ = nullptr;
    QStringList inputs_;
    QString closedInput_;  // until the next one is open
    int currentInput_ = -1;
    FolderPlace folderPlace_;
    bool inspecting_ = false;  // a folder or file, before it is opened
    bool unattended_ = false;
    bool closing_ = false;  // when running work is finished
    bool asksOnClose_ = true;
    QPointer<QuitDialog> quitDialog_;
    QString sessionFile_;                                          // open session file; empty if none
    QByteArray savedSession_;                                      // content of that file, for comparison
    std::optional<std::pair<QString, QByteArray>> savingSession_;  // path and content
    std::optional<KeptSession> arriving_;                          // its image is being loaded
    QTimer sessionCheck_;
    std::optional<ViewBeforeSheet> viewBeforeSheet_;  // while a contact sheet is shown
    quint64 opening_ = 0;                             // number of the newest request to open something
    std::unique_ptr<SessionKeeper> keeper_;
    bool high_ = true, wide_ = true;  ///< is there room for panels above each other, and for wide ones?
    QByteArray factoryLayout_;
    QByteArray layoutWithPanels_;  ///< before the panels were hidden; empty while they are shown
    Background background_;        // last: its thread ends before what it uses is destroyed
};

/// Image files of a folder, sorted; a file stays itself.
QStringList expandInput(const QString& input);

}  // namespace parallax::ui
