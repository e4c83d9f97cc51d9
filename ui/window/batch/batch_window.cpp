// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/batch/batch_window.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>
#include <utility>

#include "ui/desktop/show_in_folder.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/export/format_label.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/window/batch/batch_table.hpp"
#include "ui/window/dialogs/file_dialog.hpp"

namespace parallax::ui {
namespace {

const QString kFolderKey = QStringLiteral("batch/folder"), kPatternKey = QStringLiteral("batch/pattern"),
              kFormatKey = QStringLiteral("batch/format");
constexpr int kPollMilliseconds = 200;
constexpr int kPlanMilliseconds = 250;  // without another edit: thousands of names take longer than a key stroke

std::string encoded(const QString& path) { return QFile::encodeName(path).toStdString(); }

/// "convolve, tonemap".
QString stepsText(const Pipeline& pipeline) {
    QStringList ids;
    for (const Step& step : pipeline.steps)
        if (step.enabled) ids << QString::fromStdString(step.operation->id());
    return ids.join(QStringLiteral(", "));
}

/// The inputs that names stand for, or why there are none.
struct Expansion {
    std::vector<std::string> inputs;
    Message problem;
};

}  // namespace

BatchWindow::BatchWindow(Session& session, QString filter, QWidget* parent)
    : QDialog(parent),
      session_(session),
      filter_(std::move(filter)),
      table_(new BatchTable(this)),
      view_(described(new QTableView, tr("Files"), tr("Files of the batch and the outcome of each"), "batchFiles")),
      work_(described(new QComboBox, tr("Work"), tr("Apply the steps of result A on its backend, or convert the files as they are"),
                      "batchWork")),
      format_(described(new QComboBox, tr("Format"), tr("Format of the outputs"), "batchFormat")),
      folder_(described(new QLineEdit, tr("Folder"), tr("Folder of the outputs; it is created if it does not exist"), "batchFolder")),
      pattern_(described(new QLineEdit, tr("Name"),
                         tr("Names of the outputs: {name} is the name of the input, {folder} that of its folder, {number} its place in the "
                            "list, {op} the steps, {backend} the backend"),
                         "batchPattern")),
      jobs_(
          described(new QSpinBox, tr("At a time"), tr("Number of files processed at the same time; they share the threads"), "batchJobs")),
      keepGoing_(described(new QCheckBox(tr("Continue after &errors")), tr("Continue after errors"),
                           tr("Compute the other files when one cannot be opened, computed or saved"), "batchKeepGoing")),
      upToDate_(described(new QCheckBox(tr("Skip &up-to-date files")), tr("Skip up-to-date files"),
                          tr("Skip files whose output exists and is not older than the input, and replace older outputs"), "batchResume")),
      replace_(described(new QCheckBox(tr("&Replace existing files")), tr("Replace existing files"),
                         tr("Replace outputs that already exist"), "batchReplace")),
      files_(described(new QPushButton(tr("&Add files …")), tr("Add files"), tr("Add images or volumes"), "batchAddFiles")),
      folders_(described(new QPushButton(tr("Add f&older …")), tr("Add folder"), tr("Add the images, or the DICOM series, of a folder"),
                         "batchAddFolder")),
      remove_(described(new QPushButton(tr("Re&move")), tr("Remove"), tr("Remove the selected files from the list, or all of them"),
                        "batchRemove")),
      browse_(described(new QPushButton(tr("&Choose …")), tr("Choose the folder"), tr("Choose the folder of the outputs"), "batchBrowse")),
      error_(errorLabel(QString(), "batchError")),
      state_(new QLabel),
      progress_(described(new QProgressBar, tr("Progress"), tr("Share of the batch that is done"), "batchProgress")),
      run_(session.catalog()) {
    setWindowTitle(tr("Batch"));
    setObjectName(QStringLiteral("batchWindow"));
    setAcceptDrops(true);
    state_->setObjectName(QStringLiteral("batchState"));
    state_->setWordWrap(true);
    buildForm();
    connectAll();
    showSteps();
    plan();
    resize(900, 620);
}

BatchWindow::~BatchWindow() = default;

void BatchWindow::buildForm() {
    work_->addItem(QString());
    work_->addItem(tr("Convert only"));
    for (const SavableFormat& format : savableFormats()) format_->addItem(formatLabel(format), QString::fromStdString(format.extension));
    Settings& settings = Settings::instance();
    format_->setCurrentIndex(std::max(0, format_->findData(settings.remembered(kFormatKey, QStringLiteral("png")))));
    pattern_->setText(settings.remembered(kPatternKey, QStringLiteral("{name}_{op}")).toString());
    folder_->setText(
        QDir::toNativeSeparators(settings.remembered(kFolderKey, QDir(exportFolder()).filePath(QStringLiteral("batch"))).toString()));
    jobs_->setRange(0, 64);
    jobs_->setSpecialValueText(tr("automatic"));
    keepGoing_->setChecked(true);
    progress_->setRange(0, 1000);
    progress_->hide();
    view_->setModel(table_);
    styleTable(*view_);
    view_->verticalHeader()->hide();
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setTextElideMode(Qt::ElideMiddle);
    view_->horizontalHeader()->setStretchLastSection(true);
    const int letter = view_->fontMetrics().averageCharWidth();
    for (const auto& [column, letters] : {std::pair(BatchTable::kInput, 26),
                                          {BatchTable::kOutput, 30},
                                          {BatchTable::kSize, 15},
                                          {BatchTable::kState, 17},
                                          {BatchTable::kTime, 10}})
        view_->setColumnWidth(column, letters * letter);

    auto* adding = new QHBoxLayout;
    for (QPushButton* button : {files_, folders_, remove_}) adding->addWidget(button);
    adding->addStretch();
    auto* folder = new QHBoxLayout;
    folder->addWidget(folder_, 1);
    folder->addWidget(browse_);
    auto* name = new QHBoxLayout;
    name->addWidget(pattern_, 1);
    name->addWidget(format_);
    auto* options = new QHBoxLayout;
    options->setSpacing(16);
    for (QCheckBox* box : {keepGoing_, upToDate_, replace_}) options->addWidget(box);
    options->addStretch();
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Work:"), work_);
    const auto addRow = [form](const QString& text, QHBoxLayout* row, QWidget* first) {
        auto* label = new QLabel(text);
        label->setBuddy(first);
        form->addRow(label, row);
    };
    addRow(tr("Fol&der:"), folder, folder_);
    addRow(tr("&Name:"), name, pattern_);
    auto* atATime = new QHBoxLayout;
    atATime->addWidget(jobs_);
    atATime->addStretch();
    addRow(tr("At a &time:"), atATime, jobs_);
    form->addRow(QString(), options);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Close this window; a running batch continues (Esc)"));
    start_ = described(buttons->addButton(tr("&Start"), QDialogButtonBox::ActionRole), tr("Start"), tr("Compute and save all files"),
                       "batchStart");
    stop_ = described(buttons->addButton(tr("Sto&p"), QDialogButtonBox::ActionRole), tr("Stop"),
                      tr("Stop the batch; saved files are kept, and no file is left incomplete"), "batchStop");
    show_ = described(buttons->addButton(tr("S&how folder"), QDialogButtonBox::ActionRole), tr("Show folder"),
                      tr("Open the folder of the outputs"), "batchShow");
    connect(buttons, &QDialogButtonBox::rejected, this, &BatchWindow::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(adding);
    layout->addWidget(view_, 1);
    layout->addLayout(form);
    layout->addWidget(error_);
    layout->addWidget(state_);
    layout->addWidget(progress_);
    layout->addWidget(buttons);
}

void BatchWindow::connectAll() {
    connect(files_, &QPushButton::clicked, this, &BatchWindow::askFiles);
    connect(folders_, &QPushButton::clicked, this, &BatchWindow::askFolder);
    connect(browse_, &QPushButton::clicked, this, &BatchWindow::chooseOutputFolder);
    connect(remove_, &QPushButton::clicked, this, [this] {
        QList<int> rows;
        for (const QModelIndex& index : view_->selectionModel()->selectedRows()) rows << index.row();
        for (int row = 0; rows.isEmpty() && row < table_->rowCount(); ++row) rows << row;
        table_->removeItems(rows);
        plan();
    });
    connect(start_, &QPushButton::clicked, this, &BatchWindow::start);
    connect(stop_, &QPushButton::clicked, this, [this] {
        run_.stop();
        stop_->setEnabled(false);
    });
    connect(show_, &QPushButton::clicked, this, [this] {
        if (!table_->items().empty()) showInFolder(QFile::decodeName(QByteArray::fromStdString(table_->items().front().output)));
    });
    planDelay_.setSingleShot(true);
    planDelay_.setInterval(kPlanMilliseconds);
    connect(&planDelay_, &QTimer::timeout, this, &BatchWindow::plan);
    for (QLineEdit* edit : {folder_, pattern_}) connect(edit, &QLineEdit::textChanged, &planDelay_, qOverload<>(&QTimer::start));
    connect(format_, &QComboBox::currentIndexChanged, this, &BatchWindow::plan);
    connect(work_, &QComboBox::currentIndexChanged, this, &BatchWindow::plan);
    connect(&session_.pipeline(), &PipelineModel::setupChanged, this, [this] {
        if (isVisible()) showSteps();
    });
    connect(&run_, &BatchRun::changed, this, [this](int item, const BatchResult& result) { table_->setResult(item, result); });
    connect(&run_, &BatchRun::ended, this, &BatchWindow::take);
    poll_.setInterval(kPollMilliseconds);
    connect(&poll_, &QTimer::timeout, this, &BatchWindow::showProgress);
}

bool BatchWindow::converts() const { return work_->currentIndex() == 1 || !session_.pipeline().setup().stepsOf(Side::a).hasEnabledSteps(); }

void BatchWindow::askFiles() {
    askForFiles(this, {tr("Add files"), kOpenFolderKey, QFileDialog::ExistingFiles, {filter_, tr("All files (*)")}},
                [this](const QStringList& paths) { add(paths); });
}

void BatchWindow::askFolder() {
    askForFiles(this, {tr("Add folder"), kOpenFolderKey, QFileDialog::Directory, {}}, [this](const QStringList& paths) { add(paths); });
}

void BatchWindow::chooseOutputFolder() {
    askForFiles(this, {tr("Folder of the outputs"), kFolderKey, QFileDialog::Directory, {}},
                [this](const QStringList& paths) { folder_->setText(QDir::toNativeSeparators(paths.front())); });
}

/// Folders are read in the background: one of DICOM files takes a while.
void BatchWindow::add(const QStringList& names) {
    if (running()) return;
    std::vector<std::string> all;
    for (const QString& name : names) all.push_back(encoded(name));
    ++expanding_;
    showState();
    expansion_.request(
        std::to_string(++requests_),
        [all](const std::stop_token& stop) {
            Expansion expansion;
            LoadOptions options;
            options.stop = stop;
            (void)guarded(
                QStringLiteral("batch"), [&] { expansion.inputs = expandInputs(all, options); },
                [&](ErrorCode, const Message& message) { expansion.problem = message; });
            return expansion;
        },
        [this](const Expansion& expansion) {
            --expanding_;
            table_->add(expansion.inputs);
            plan();
            if (!expansion.problem.what.isEmpty()) showError(expansion.problem.plainText());
        });
}

std::string BatchWindow::outputPattern() const {
    const QString extension = format_->currentData().toString(), slash = QStringLiteral("/");
    const QString name = pattern_->text().trimmed() + (extension == slash ? slash : QLatin1Char('.') + extension);
    return encoded(QDir::cleanPath(QDir(exportFolder()).absoluteFilePath(QDir::fromNativeSeparators(folder_->text().trimmed())))) + '/' +
           name.toStdString();
}

void BatchWindow::plan() {
    planDelay_.stop();
    if (running()) return;
    showError({});
    std::vector<BatchItem> items;
    try {
        const Pipeline& steps = session_.pipeline().setup().stepsOf(Side::a);
        BatchNames names{
            .operations = converts() ? "converted" : stepsText(steps).replace(QStringLiteral(", "), QStringLiteral("-")).toStdString(),
            .backend = converts() ? "" : session_.pipeline().setup().pane(Side::a).target.label()};
        if (folder_->text().trimmed().isEmpty()) showError(tr("Choose the folder of the outputs."));
        else items = planBatch(table_->inputs(), outputPattern(), names);
    } catch (const Error& e) {
        showError(toMessage(e, {}).plainText());
    }
    table_->setItems(std::move(items));
    showState();
}

void BatchWindow::start() {
    const Pipeline& steps = session_.pipeline().setup().stepsOf(Side::a);
    BatchOptions options;
    if (!converts()) {
        options.pipeline = steps;
        options.target = session_.pipeline().setup().pane(Side::a).target;
        options.encodedLight = session_.pipeline().setup().pane(Side::a).encoded;
    }
    options.jobs = jobs_->value();
    options.keepGoing = keepGoing_->isChecked();
    options.resume = upToDate_->isChecked();
    options.save.overwrite = replace_->isChecked();
    plan();
    if (table_->items().empty()) return;
    try {
        run_.start(std::move(options), table_->items());
    } catch (const Error& e) {
        Message message = toMessage(e, {});
        // The command line's advice names its options.
        if (e.code() == ErrorCode::output) message.whatToDo = tr("Replace them, skip up-to-date files, or choose another folder or name.");
        return showError(message.plainText());
    }
    Settings& settings = Settings::instance();
    settings.remember(kPatternKey, pattern_->text());
    settings.remember(kFormatKey, format_->currentData());
    rememberFolder(kFolderKey, QDir::fromNativeSeparators(folder_->text().trimmed()));
    started_ = std::chrono::steady_clock::now();
    poll_.start();
    showProgress();
    showState();
}

void BatchWindow::take(const Message& message) {
    poll_.stop();
    showProgress();
    if (!message.what.isEmpty()) showError(message.plainText());
    showState();
    const QString source = QStringLiteral("batch");
    const bool failed = table_->count(BatchState::failed) > 0 || !message.what.isEmpty();
    if (isVisible()) session_.tasks().clear(source);
    else
        session_.tasks().raise({failed ? Message::Kind::warning : Message::Kind::information, tr("The batch has ended"), stateText(),
                                failed ? tr("File > Batch shows what failed") : QString(), source});
    emit ended();
}

void BatchWindow::showSteps() {
    const Pipeline& steps = session_.pipeline().setup().stepsOf(Side::a);
    const QString text = stepsText(steps);
    work_->setItemText(0, text.isEmpty()
                              ? tr("Steps of result A: none yet")
                              : tr("Steps of result A: %1, on %2")
                                    .arg(text, QString::fromStdString(session_.pipeline().setup().pane(Side::a).target.label())));
    // The outcome of a batch stays until its files or names are changed here.
    if (table_->count(BatchState::waiting) == table_->rowCount()) planDelay_.start();
}

void BatchWindow::showState() {
    const bool active = running();
    for (QWidget* widget : std::initializer_list<QWidget*>{files_, folders_, browse_, work_, folder_, pattern_, format_, jobs_, keepGoing_,
                                                           upToDate_, replace_})
        widget->setEnabled(!active);
    remove_->setEnabled(!active && table_->rowCount() > 0);
    start_->setEnabled(!active && expanding_ == 0 && !table_->items().empty());
    stop_->setEnabled(active);
    show_->setEnabled(table_->count(BatchState::done) + table_->count(BatchState::upToDate) > 0);
    start_->setDefault(true);
    state_->setText(stateText());
    emit stateChanged();
}

QString BatchWindow::stateText() const {
    const int all = table_->rowCount(), done = table_->count(BatchState::done), failed = table_->count(BatchState::failed),
              left = table_->count(BatchState::upToDate), notRun = table_->count(BatchState::notRun);
    if (expanding_ > 0) return tr("Reading folders …");
    if (all == 0) return tr("Add files or folders, or drop them here.");
    if (done + failed + left + notRun == 0 && !running()) return all == 1 ? tr("1 file") : tr("%1 files").arg(all);
    QStringList parts{tr("%1 of %2 done").arg(done).arg(all)};
    if (failed > 0) parts << tr("%1 failed").arg(failed);
    if (left > 0) parts << tr("%1 up to date").arg(left);
    if (notRun > 0) parts << tr("%1 not run").arg(notRun);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    const double fraction = run_.fraction();
    if (running() && fraction > .02 && seconds > 2) parts << tr("about %1 s left").arg(static_cast<int>(seconds / fraction - seconds));
    return parts.join(QStringLiteral(", "));
}

void BatchWindow::showProgress() {
    progress_->setVisible(running());
    progress_->setValue(static_cast<int>(1000 * run_.fraction()));
    showState();
}

void BatchWindow::showError(const QString& text) {
    error_->setText(text);
    error_->setVisible(!text.isEmpty());
}

void BatchWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && !running()) event->acceptProposedAction();
}

void BatchWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    if (paths.isEmpty()) return event->ignore();
    add(paths);
    event->acceptProposedAction();
}

/// Closing keeps the list, and what runs.
void BatchWindow::reject() { hide(); }

void BatchWindow::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    showSteps();
    emit stateChanged();
}

void BatchWindow::hideEvent(QHideEvent* event) {
    QDialog::hideEvent(event);
    emit stateChanged();
}

}  // namespace parallax::ui
