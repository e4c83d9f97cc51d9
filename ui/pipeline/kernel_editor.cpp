// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/kernel_editor.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/image/error.hpp"
#include "core/operations/convolution/kernel_analysis.hpp"
#include "ui/pipeline/kernel_plots.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kSmallestStart = 3;       // a single element can neither blur nor differentiate
constexpr int kPauseMilliseconds = 60;  // shows several changes of one gesture once

QPushButton* toolButton(const QString& text, const QString& tip) {
    auto* b = new QPushButton(text);
    b->setToolTip(tip);
    b->setAccessibleDescription(tip);
    b->setAutoDefault(false);  // Enter in the grid only ends the editing of an element
    return b;
}

/// Edits numbers with all digits; the default editor would show two decimals.
class WeightDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const override {
        auto* edit = new QLineEdit(parent);
        edit->setFrame(false);
        edit->setAlignment(Qt::AlignRight);
        edit->setAccessibleName(KernelEditor::tr("Weight in row %1, column %2").arg(index.row()).arg(index.column()));
        return edit;
    }
};

}  // namespace

KernelEditor::KernelEditor(const QString& text, const QString& startText, QWidget* parent)
    : QDialog(parent), model_(new KernelModel(this)), initial_(text) {
    setObjectName(QStringLiteral("kernelEditor"));
    setWindowTitle(tr("Edit kernel"));
    QString problem;
    try {
        model_->setText(text);
    } catch (const Error& e) {
        model_->setText(startText);
        problem =
            text.trimmed().isEmpty()
                ? tr("No weights yet. This kernel leaves the image unchanged.")
                : tr("The weights could not be read and have been replaced by the identity: %1.").arg(QString::fromStdString(e.why()));
    }
    grid_ = new QTableView;
    grid_->setModel(model_);
    grid_->setItemDelegate(new WeightDelegate(grid_));
    described(grid_, tr("Weights"),
              tr("Edit an element, or paste a matrix from NumPy, MATLAB or ImageJ. Rows and columns are counted from 0."));
    grid_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    grid_->setTabKeyNavigation(false);  // Tab leaves the grid, arrows move within it
    grid_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    grid_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    grid_->horizontalHeader()->setMinimumSectionSize(24);
    grid_->verticalHeader()->setDefaultSectionSize(grid_->fontMetrics().height() + 8);
    grid_->installEventFilter(this);

    facts_ = new QLabel;
    selectable(facts_);
    described(
        facts_, tr("Sum and rank"),
        tr("Sum of the weights and rank of the matrix. Rank 1 means separable: backends can filter in two fast passes. The rank counts "
           "singular values above float precision."));
    problem_ = new QLabel;
    problem_->setWordWrap(true);
    problem_->setAccessibleName(tr("Error"));
    problem_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    problem_->setFixedHeight(2 * problem_->fontMetrics().lineSpacing());  // an error must not move the buttons
    QSizePolicy policy = problem_->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    problem_->setSizePolicy(policy);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setToolTip(tr("Use these weights"));
    buttons->button(QDialogButtonBox::Cancel)->setToolTip(tr("Discard all changes"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* left = new QVBoxLayout;
    left->addWidget(makeSizes());
    left->addWidget(grid_, 1);
    left->addWidget(makeTools());
    auto* columns = new QHBoxLayout;
    columns->setSpacing(14);
    columns->addLayout(left, 1);
    columns->addWidget(makePlots());
    auto* foot = new QHBoxLayout;
    foot->addWidget(facts_, 1);
    foot->addWidget(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(columns, 1);
    layout->addWidget(problem_);
    layout->addLayout(foot);
    resize(910, 600);  // room for seven columns

    pause_.setSingleShot(true);
    pause_.setInterval(kPauseMilliseconds);
    connect(&pause_, &QTimer::timeout, this, [this] {
        analyse();
        emit textEdited(model_->text());
    });
    connect(model_, &KernelModel::changed, this, &KernelEditor::kernelChanged);
    connect(model_, &KernelModel::modelReset, this, &KernelEditor::fitColumns);
    explain(problem);
    kernelChanged();
    pause_.stop();
    edited_ = !problem.isEmpty();  // otherwise nothing has been edited yet
    analyse();
    fitColumns();
    grid_->setCurrentIndex(model_->index(model_->rowCount() / 2, model_->columnCount() / 2));
    grid_->setFocus();
}

QWidget* KernelEditor::makeSizes() {
    const auto number = [this](const QString& name, const QString& tip) {
        auto* box = new QSpinBox;
        box->setRange(1, kMaximumKernelSize);
        box->setKeyboardTracking(false);
        described(box, name, tip);
        connect(box, &QSpinBox::valueChanged, this, [this] { model_->resize(columns_->value(), rows_->value()); });
        return box;
    };
    rows_ = number(tr("Rows"), tr("Height of the kernel, 1 to %1. Weights keep their place around the centre.").arg(kMaximumKernelSize));
    columns_ =
        number(tr("Columns"), tr("Width of the kernel, 1 to %1. Weights keep their place around the centre.").arg(kMaximumKernelSize));
    auto* presets = toolButton(tr("&Start from"), tr("Replace the weights by a built-in kernel of about this size"));
    auto* menu = new QMenu(presets);
    for (const BuiltInKernel& start : builtInKernels()) {
        QAction* action = menu->addAction(catalogText(start.title));
        action->setToolTip(catalogText(start.help));
        connect(action, &QAction::triggered, this, [this, kind = start.kind] {
            model_->setKernel(builtInKernel(kind, std::max({kSmallestStart, model_->rowCount(), model_->columnCount()})));
            explain({});
        });
    }
    menu->setToolTipsVisible(true);
    presets->setMenu(menu);

    auto* row = new QWidget;
    auto* layout = makeLayout<QHBoxLayout>(row);
    auto* rowsLabel = new QLabel(tr("&Rows"));
    rowsLabel->setBuddy(rows_);
    auto* columnsLabel = new QLabel(tr("C&olumns"));
    columnsLabel->setBuddy(columns_);
    for (QWidget* w : std::initializer_list<QWidget*>{rowsLabel, rows_, columnsLabel, columns_}) layout->addWidget(w);
    layout->addStretch();
    layout->addWidget(presets);
    return row;
}

QWidget* KernelEditor::makeTools() {
    auto* tools = new QWidget;
    auto* layout = makeLayout<QGridLayout>(tools);
    int count = 0;
    const auto add = [&](const QString& text, const QString& tip, auto&& effect) {
        QPushButton* b = toolButton(text, tip);
        connect(b, &QPushButton::clicked, this, effect);
        layout->addWidget(b, count / 4, count % 4);
        ++count;
        return b;
    };
    add(tr("Flip &left–right"), tr("Mirror the columns"), [this] { model_->mirrorHorizontally(); });
    add(tr("Flip &up–down"), tr("Mirror the rows"), [this] { model_->mirrorVertically(); });
    add(tr("Rotate &90°"), tr("Rotate by 90 degrees clockwise"), [this] { model_->rotate(); });
    add(tr("&Transpose"), tr("Exchange rows and columns"), [this] { model_->transpose(); });
    normalise_ =
        add(tr("&Normalise"), tr("Divide by the sum to preserve brightness; unavailable if the sum is 0"), [this] { model_->normalise(); });
    add(tr("&Paste"), tr("Replace the weights by the matrix on the clipboard: text from NumPy, MATLAB or ImageJ (Ctrl+V in the grid)"),
        [this] { pasteText(QApplication::clipboard()->text()); });
    add(tr("&Copy"), tr("Copy the weights to the clipboard, one row per line (Ctrl+C in the grid)"),
        [this] { QApplication::clipboard()->setText(model_->text()); });
    return tools;
}

QWidget* KernelEditor::makePlots() {
    auto* plots = new QWidget;
    plots->setFixedWidth(230);
    auto* layout = makeLayout<QVBoxLayout>(plots);
    weights_ = new KernelPlot;
    response_ = new ResponsePlot;
    layout->addWidget(weights_, 1);
    layout->addWidget(response_, 1);
    return plots;
}

QString KernelEditor::facts() const { return facts_->text(); }

QString KernelEditor::problem() const { return problem_->isHidden() ? QString() : problem_->text(); }

void KernelEditor::explain(const QString& problem) {
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    QPalette palette = problem_->palette();
    palette.setColor(QPalette::WindowText, currentTheme().error);
    problem_->setPalette(palette);
}

void KernelEditor::pasteText(const QString& text) {
    try {
        Kernel pasted = parseKernelText(text.toStdString());
        const QModelIndex current = grid_->currentIndex();
        if (pasted.taps() == 1 && current.isValid()) model_->setData(current, pasted.weights.front(), Qt::EditRole);
        else model_->setKernel(std::move(pasted));
        explain({});
    } catch (const Error& e) {
        explain(tr("Not a matrix: %1. %2.").arg(QString::fromStdString(e.why()), QString::fromStdString(e.whatToDo())));
    }
}

void KernelEditor::kernelChanged() {
    const QSignalBlocker first(rows_), second(columns_);
    rows_->setValue(model_->rowCount());
    columns_->setValue(model_->columnCount());
    normalise_->setEnabled(model_->normalisable());
    edited_ = true;
    pause_.start();
}

void KernelEditor::analyse() {
    const Kernel& kernel = model_->kernel();
    const int rank = kernelRank(kernel);
    // Show a sum that is only rounding error as 0.
    const double sum = std::fabs(kernel.sum()) > 1e-14 * kernel.taps() * kernel.absoluteSum() ? kernel.sum() : 0;
    facts_->setText(
        tr("Sum %1 · %2").arg(withMinus(QLocale().toString(sum, 'g', 6)), rank == 1 ? tr("rank 1, separable") : tr("rank %1").arg(rank)));
    weights_->setKernel(kernel);
    response_->setResponse(frequencyResponse(kernel, ResponsePlot::kGrid));
}

void KernelEditor::fitColumns() {
    // Fixed width for any weight, without measuring up to 16,129 elements.
    grid_->horizontalHeader()->setDefaultSectionSize(grid_->fontMetrics().horizontalAdvance(QStringLiteral("-0.0002441")) + 12);
}

void KernelEditor::done(int result) {
    pause_.stop();
    if (edited_) emit textEdited(result == Accepted ? model_->text() : initial_);
    QDialog::done(result);
}

bool KernelEditor::eventFilter(QObject* watched, QEvent* event) {
    if (watched == grid_ && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Paste)) {
            pasteText(QApplication::clipboard()->text());
            return true;
        }
        if (key->matches(QKeySequence::Copy)) {
            QApplication::clipboard()->setText(model_->text());
            return true;
        }
        if (key->key() == Qt::Key_Delete || key->key() == Qt::Key_Backspace) {
            for (const QModelIndex& index : grid_->selectionModel()->selectedIndexes()) model_->setData(index, 0, Qt::EditRole);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace parallax::ui
