// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/parameter_form.hpp"
#include "ui/models/pipeline/catalog_text.hpp"

#include <QContextMenuEvent>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "core/image/error.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/sheet/sheet_values.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

QString tipOf(const ParameterInfo& info) {
    QString tip = catalogText(info.help);
    if (info.kind == ParameterKind::integer || info.kind == ParameterKind::real)
        tip += ParameterForm::tr("\n%1 … %2").arg(formatSample(info.minimum), formatSample(info.maximum));
    const QString initial = valueText(info, info.defaultValue);
    if (!initial.isEmpty()) tip += ParameterForm::tr("\nDefault: %1").arg(initial);
    // Only rich text wraps in tooltips.
    return QStringLiteral("<qt>%1</qt>").arg(tip.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

}  // namespace

ParameterForm::ParameterForm(PipelineModel& model, QWidget* parent) : QWidget(parent), model_(model), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(1, 1);
    connect(&model_, &PipelineModel::parametersChanged, this, [this](int row) {
        if (row == row_) refresh();
    });
}

void ParameterForm::setRow(int row) {
    // Apply typed text to the step that was selected until now, if it still exists.
    if (row != row_ && hasStep())
        for (const Line& line : lines_) line.editor->commit();
    row_ = row < model_.rowCount() ? row : -1;
    const Operation* operation = row_ < 0 ? nullptr : model_.step(row_).operation;
    if (operation != operation_) {
        operation_ = operation;
        rebuild();
    }
    refresh();
}

ParameterEditor* ParameterForm::editor(const std::string& key) const {
    for (const Line& line : lines_)
        if (line.key == key) return line.editor;
    return nullptr;
}

void ParameterForm::setValueScale(const ValueScale& image) {
    scale_ = image;
    for (const Line& line : lines_) line.editor->setValueScale(image);
}

void ParameterForm::setImage(const ImagePtr& image) {
    image_ = image;
    for (const Line& line : lines_) line.editor->setImage(image);
}

void ParameterForm::rebuild() {
    model_.endMerge();  // the editor that began it is about to be deleted
    // Signals of an editor being deleted must not reach the others.
    for (const Line& line : std::exchange(lines_, {})) {
        line.editor->disconnect(this);
        delete line.label;  // before the editor, which may hold it
        delete line.reset;
        delete line.editor;
    }
    if (!operation_) return;
    int y = 0;
    for (const ParameterInfo& info : operation_->parameters().infos()) {
        auto* label = new QLabel(catalogText(info.title), this);
        ParameterEditor* editor = makeParameterEditor(info, this);
        auto* reset = new QToolButton(this);
        reset->setIcon(actionIcon(QStringLiteral("reset")));
        reset->setAutoRaise(true);
        reset->setIconSize(QSize(14, 14));
        described(reset, tr("Reset %1").arg(catalogText(info.title)),
                  tr("Reset to the default: %1").arg(valueText(info, info.defaultValue)));
        const QString tip = tipOf(info);
        label->setWordWrap(true);
        label->setToolTip(tip);
        editor->setToolTip(tip);
        label->setBuddy(editor);
        label->setAlignment(info.multiline ? Qt::AlignLeft | Qt::AlignTop : Qt::AlignLeft | Qt::AlignVCenter);
        if (editor->takeLine(label, reset)) {
            grid_->addWidget(editor, y, 0, 1, 3);
        } else {
            grid_->addWidget(label, y, 0);
            grid_->addWidget(editor, y, 1);
            grid_->addWidget(reset, y, 2, info.multiline ? Qt::AlignTop : Qt::AlignVCenter);
        }
        editor->setValueScale(scale_);
        editor->setImage(image_);
        editor->setOperation(*operation_);
        connect(editor, &ParameterEditor::valueEdited, this, [this, key = info.key](const ParameterValue& value) { edit(key, value); });
        editor->setAccepts([this, key = info.key](const ParameterValue& value) { return accepts(key, value); });
        connect(editor, &ParameterEditor::editingBegun, &model_, &PipelineModel::beginMerge);
        connect(editor, &ParameterEditor::editingEnded, &model_, &PipelineModel::endMerge);
        connect(editor, &ParameterEditor::pickRequested, this, [this, key = info.key](bool wanted) { emit pickRequested(key, wanted); });
        const auto toDefault = [this, key = info.key] { model_.resetParameter(row_, key); };
        connect(reset, &QToolButton::clicked, this, toDefault);
        connect(editor, &ParameterEditor::resetRequested, this, toDefault);
        lines_.push_back({info.key, label, editor, reset});
        ++y;
    }
}

bool ParameterForm::hasStep() const { return row_ >= 0 && row_ < model_.rowCount() && model_.step(row_).operation == operation_; }

void ParameterForm::refresh() {
    if (!hasStep()) return;
    const ParameterBlock& values = model_.step(row_).parameters;
    const auto& infos = values.table().infos();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const Line& line = lines_[i];
        const bool shown = values.isShown(line.key);
        line.editor->setValue(values.get(line.key));
        line.label->setVisible(shown);
        line.editor->setVisible(shown);
        // Keep the column width when a value becomes the default; hidden rows take no room.
        QSizePolicy policy = line.reset->sizePolicy();
        policy.setRetainSizeWhenHidden(shown);
        line.reset->setSizePolicy(policy);
        line.reset->setVisible(shown && values.get(line.key) != infos[i].defaultValue);
    }
}

bool ParameterForm::accepts(const std::string& key, const ParameterValue& value) const {
    return !hasStep() || acceptsValue(model_.step(row_), key, value);
}

void ParameterForm::contextMenuEvent(QContextMenuEvent* event) {
    const QWidget* under = childAt(event->pos());
    const auto line = std::find_if(lines_.begin(), lines_.end(), [&](const Line& each) {
        const auto holds = [&](const QWidget* part) { return part == under || part->isAncestorOf(under); };
        return under && (holds(each.label) || holds(each.editor) || holds(each.reset));
    });
    if (line == lines_.end() || !hasStep()) return event->ignore();
    const auto varied = sheetParameters(model_.step(row_));
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* sheet =
        menu->addAction(tr("Contact sheet of this parameter …"), this, [this, key = line->key] { emit sheetRequested(row_, key); });
    sheet->setObjectName(QStringLiteral("sheet-of-parameter"));
    sheet->setEnabled(std::any_of(varied.begin(), varied.end(), [&](const ParameterInfo* info) { return info->key == line->key; }));
    menu->addAction(tr("Reset to the default"), this, [this, key = line->key] { model_.resetParameter(row_, key); });
    menu->popup(event->globalPos());
}

void ParameterForm::edit(const std::string& key, const ParameterValue& value) {
    if (!hasStep()) return;
    try {
        model_.setParameter(row_, key, value);
    } catch (const Error& e) {
        emit refused(QString::fromUtf8(e.what()));
        refresh();
    }
}

}  // namespace parallax::ui
