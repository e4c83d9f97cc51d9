// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/kernels/kernel_window.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "core/measure/sampling/rows.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/kernels/line_changes.hpp"
#include "ui/session/kernels/kernels.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/window/kernels/version_table.hpp"
#include "ui/window/shell/file_watch.hpp"

namespace parallax::ui {
namespace {

QString placeOf(const WorstPixel& pixel) {
    QString text = QStringLiteral("x = %1, y = %2").arg(pixel.x).arg(pixel.y);
    if (pixel.z > 0) text += QStringLiteral(", z = %1").arg(pixel.z);
    if (pixel.channel > 0) text += KernelWindow::tr(", channel %1").arg(pixel.channel);
    return text;
}

QString textOf(const FailedProblem& f) {
    QStringList lines{QStringLiteral("%1\n%2").arg(QString::fromStdString(f.step), QString::fromStdString(f.input))};
    if (!f.altered.empty()) lines << QString::fromStdString(f.altered);
    if (!f.error.empty()) lines << QString::fromStdString(f.error);
    const bool local = f.difference.closest && f.difference.closest->share > 1;
    if (f.error.empty() && (local || !f.difference.worst.empty())) {
        const WorstPixel& pixel = local ? f.difference.closest->pixel : f.difference.worst.front();
        const double allowed = local ? f.difference.closest->tolerance() : f.tolerance;
        lines << KernelWindow::tr("%1: %2 instead of %3, where %4 is allowed")
                     .arg(placeOf(pixel), QString::number(pixel.b, 'g', 9), QString::number(pixel.a, 'g', 9),
                          QString::number(allowed, 'g', 2));
    }
    return lines.join(QLatin1Char('\n'));
}

/// What failed: the smallest problem, then the steps by the number of their failures.
QString textOf(const KernelCheck& check) {
    if (check.failed.empty()) return {};
    QStringList lines{KernelWindow::tr("The smallest problem that fails:"), textOf(check.failed.front()), QString(),
                      KernelWindow::tr("Failures by step:")};
    std::vector<std::pair<std::int64_t, std::string>> steps;
    for (const auto& [step, count] : check.failuresOfSteps) steps.emplace_back(-count, step);
    std::sort(steps.begin(), steps.end());
    for (const auto& [count, step] : steps) lines << QStringLiteral("%1  %2").arg(-count, 5).arg(QString::fromStdString(step));
    return lines.join(QLatin1Char('\n'));
}

/// Returns a sentence that follows the verdict, and lines for the messages, about the check with a sanitizer.
std::pair<QString, QStringList> sanitizerTexts(const OpenKernelState& kernel) {
    if (kernel.sanitizing) return {KernelWindow::tr("Looking for memory errors …"), {}};
    if (kernel.noSanitizer) return {kernel.noSanitizer->what + QLatin1Char('.'), {kernel.noSanitizer->why, kernel.noSanitizer->whatToDo}};
    if (!kernel.sanitized) return {};
    QStringList lines;
    const QString folder = QFileInfo(kernel.path).path() + QLatin1Char('/');
    for (const std::string& error : errorsOf(*kernel.sanitized)) lines << QString::fromStdString(error).remove(folder);
    if (lines.isEmpty()) return {KernelWindow::tr("No memory errors."), {}};
    lines.prepend(KernelWindow::tr("Memory errors:"));
    return {KernelWindow::tr("Memory errors found."), lines};
}

}  // namespace

KernelWindow::KernelWindow(Session& session, QWidget* parent)
    : QDialog(parent),
      session_(session),
      kernels_(session.kernels()),
      files_(described(new QComboBox, tr("Kernel"), tr("Kernel that is shown"), "kernelFiles")),
      sanitizes_(
          described(new QCheckBox(tr("Find &memory errors")), tr("Find memory errors"),
                    tr("Check each version with AddressSanitizer (C++) or compute-sanitizer (CUDA), too, which names the line that uses "
                       "memory wrongly. That takes longer; times are measured without it."),
                    "kernelSanitizer")),
      verdict_(selectable(new QLabel)),
      details_(selectable(new QLabel)),
      versions_(new VersionTable),
      tabs_(described(new QTabWidget, tr("Messages and changes"), tr("Messages about the newest version, or changes of the selected one"))),
      text_(described(new QPlainTextEdit, tr("Messages"), tr("Messages of the compiler, or problems that fail"), "kernelMessages")),
      changes_(described(new QPlainTextEdit, tr("Changes"), tr("Changes of the selected version in the source"), "kernelChanges")) {
    setWindowTitle(tr("Kernels"));
    setObjectName(QStringLiteral("kernelWindow"));
    verdict_->setObjectName(QStringLiteral("kernelVerdict"));
    verdict_->setWordWrap(true);
    makeBold(*verdict_);
    details_->setWordWrap(true);
    text_->setPlaceholderText(tr("Messages of the compiler and problems that fail appear here."));
    changes_->setPlaceholderText(tr("Changes of the selected version appear here."));
    for (QPlainTextEdit* text : {text_, changes_}) {
        text->setReadOnly(true);
        text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        text->setLineWrapMode(QPlainTextEdit::NoWrap);
        tabs_->addTab(text, text->accessibleName());
    }
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(tabs_);
    splitter->addWidget(versions_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)
        ->setToolTip(tr("Close this window; open kernels are still compiled when they are saved (Esc)"));
    edit_ = buttons->addButton(tr("&Edit"), QDialogButtonBox::ActionRole);
    edit_->setToolTip(tr("Open the file in the editor of this desktop"));
    again_ = buttons->addButton(tr("Compile &again"), QDialogButtonBox::ActionRole);
    again_->setToolTip(tr("Compile and check the kernel again"));
    use_ = buttons->addButton(tr("Use as &B"), QDialogButtonBox::ActionRole);
    use_->setToolTip(tr("Compute result B by this kernel, with its operation as the only step unless the steps have it"));
    auto* layout = new QVBoxLayout(this);
    auto* top = new QHBoxLayout;
    top->addWidget(files_, 1);
    top->addWidget(sanitizes_);
    layout->addLayout(top);
    layout->addWidget(verdict_);
    layout->addWidget(details_);
    layout->addWidget(splitter, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(edit_, &QPushButton::clicked, this, [this] {
        if (const OpenKernelState* kernel = shown()) QDesktopServices::openUrl(QUrl::fromLocalFile(kernel->path));
    });
    connect(again_, &QPushButton::clicked, this, [this] {
        if (const OpenKernelState* kernel = shown()) kernels_.compile(QString(kernel->path));
    });
    sanitizes_->setChecked(kernels_.sanitizes());
    connect(sanitizes_, &QCheckBox::toggled, &kernels_, &Kernels::setSanitizes);
    connect(use_, &QPushButton::clicked, this, &KernelWindow::useIt);
    connect(files_, &QComboBox::currentIndexChanged, this, [this] {
        versions_->clear();
        showKernel();
    });
    connect(versions_, &VersionTable::selectionChanged, this, &KernelWindow::showChanges);
    connect(versions_, &VersionTable::restoreWanted, this, &KernelWindow::restore);
    connect(&kernels_, &Kernels::changed, this, [this](const QString& path) {
        if (files_->currentData().toString() == path) showKernel();
    });
    resize(760, 600);
    showKernel();
}

KernelWindow::~KernelWindow() = default;

void KernelWindow::open(const QString& path) {
    const QString file = QFileInfo(path).absoluteFilePath();
    if (files_->findData(file) < 0) files_->addItem(QFileInfo(file).fileName(), file);
    files_->setItemData(files_->findData(file), file, Qt::ToolTipRole);
    files_->setCurrentIndex(files_->findData(file));
    kernels_.compile(file);
    watch(file);
    show();
    raise();
    activateWindow();
}

void KernelWindow::watch(const QString& path) {
    std::unique_ptr<FileWatch>& watch = watches_[path];
    if (!watch) {
        watch = std::make_unique<FileWatch>();
        connect(watch.get(), &FileWatch::changed, &kernels_, &Kernels::compile);
    }
    watch->watch(path, kernels_.find(path)->stamp);
}

const OpenKernelState* KernelWindow::shown() const { return kernels_.find(files_->currentData().toString()); }

void KernelWindow::showKernel() {
    const OpenKernelState* kernel = shown();
    use_->setEnabled(kernel && kernel->compiled);
    edit_->setEnabled(kernel);
    again_->setEnabled(kernel && !kernel->busy());
    if (!kernel) {
        verdict_->setText(tr("No kernel is open."));
        details_->setText(tr("File > New kernel writes one to begin with, and File > Open kernel opens one."));
        versions_->clear();
        return text_->clear();
    }
    versions_->show(*kernel);
    const std::optional<OpenedKernel>& compiled = kernel->compiled;
    QString verdict, messages, details;
    switch (kernel->phase) {
        case OpenKernelState::Phase::compiling: verdict = tr("Version %1 is compiled …").arg(kernel->version); break;
        case OpenKernelState::Phase::checking: verdict = tr("Version %1 is compared with the reference …").arg(kernel->version); break;
        case OpenKernelState::Phase::failed:
            verdict = tr("Version %1: %2").arg(kernel->version).arg(kernel->error.what);
            messages = kernel->error.why.trimmed();
            if (!kernel->error.whatToDo.isEmpty()) messages += QStringLiteral("\n\n") + kernel->error.whatToDo;
            break;
        case OpenKernelState::Phase::done:
            if (!kernel->check) verdict = tr("Version %1 was not compared with the reference.").arg(kernel->version);
            else if (kernel->check->passed())
                verdict = tr("Version %1 agrees with the reference on all %2 problems.").arg(kernel->version).arg(kernel->check->checked);
            else
                verdict = tr("Version %1 disagrees with the reference on %2 of %3 problems.")
                              .arg(kernel->version)
                              .arg(kernel->check->failures)
                              .arg(kernel->check->checked);
            if (kernel->check) messages = textOf(*kernel->check);
            const auto [sentence, lines] = sanitizerTexts(*kernel);
            if (!sentence.isEmpty()) verdict += QLatin1Char(' ') + sentence;
            if (!lines.isEmpty())
                messages = lines.join(QLatin1Char('\n')) + (messages.isEmpty() ? QString() : QStringLiteral("\n\n") + messages);
            break;
    }
    if (compiled && kernel->phase != OpenKernelState::Phase::failed) {
        details = tr("%1 computes %2; compiled in %3 s by %4.")
                      .arg(QString::fromStdString(compiled->target()), QString::fromStdString(compiled->operation),
                           QString::number(compiled->seconds, 'f', 2), QString::fromStdString(compiled->compiler));
        for (const user::FunctionResources& f : compiled->functions) details += QLatin1Char('\n') + QString::fromStdString(user::toText(f));
        if (messages.isEmpty()) messages = QString::fromStdString(compiled->messages).trimmed();
    }
    // Problems of a new version come to the front, whatever was looked at before.
    if (text_->toPlainText() != messages && !messages.isEmpty() && !kernel->busy()) tabs_->setCurrentWidget(text_);
    verdict_->setText(verdict);
    details_->setText(details);
    details_->setVisible(!details.isEmpty());
    if (text_->toPlainText() != messages) text_->setPlainText(messages);
}

void KernelWindow::showChanges() {
    const OpenKernelState* kernel = shown();
    const KernelVersion* version = kernel ? kernel->find(versions_->selected()) : nullptr;
    const KernelVersion* before = version ? kernel->find(version->number - 1) : nullptr;
    QString text;
    if (before) {
        text = lineChanges(QString::fromUtf8(before->source), QString::fromUtf8(version->source));
        if (text.isEmpty()) text = tr("Version %1 has the source of version %2.").arg(version->number).arg(before->number);
    }
    if (changes_->toPlainText() != text) changes_->setPlainText(text);
    tabs_->setTabText(1, before ? tr("Changes of version %1").arg(version->number) : tr("Changes"));
}

/// The file is watched, so that it becomes a new version. What it holds now must be one already, so that nothing is lost.
void KernelWindow::restore(int number) {
    const OpenKernelState* kernel = shown();
    const KernelVersion* version = kernel ? kernel->find(number) : nullptr;
    if (!version) return;
    if (stampOf(kernel->path) != kernel->stamp) return kernels_.compile(QString(kernel->path));
    session_.saver().saveBytes(kernel->path, true, [source = version->source] { return source; });
}

void KernelWindow::useIt() {
    const OpenKernelState* kernel = shown();
    if (!kernel || !kernel->compiled) return;
    const Operation& operation = session_.catalog().operation(kernel->compiled->operation);
    const std::string label = kernel->compiled->target();
    CompareSetup setup = session_.pipeline().setup();
    std::vector<Step>& steps = setup.stepsOf(Side::b).steps;
    const bool alone = std::all_of(steps.begin(), steps.end(), [&](const Step& s) { return !s.enabled || s.operation == &operation; });
    if (steps.empty() || !alone) {
        steps.clear();
        steps.push_back({.operation = &operation, .parameters = ParameterBlock(operation.parameters())});
    }
    setup.pane(Side::b).target = targetOfLabel(label);
    setup.pane(Side::b).automatic = false;
    session_.pipeline().replaceSetup(std::move(setup), tr("Use %1 as B").arg(QString::fromStdString(label)));
}

}  // namespace parallax::ui
