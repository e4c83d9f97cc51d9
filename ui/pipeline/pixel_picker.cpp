// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/pixel_picker.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/engine/operation/capabilities.hpp"
#include "core/image/error.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {
namespace {

const QString kSource = QStringLiteral("pick");

/// Rounds to five digits, so that form and recipe show the same value.
double rounded(double value) {
    if (value == 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 4);
    return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

}  // namespace

PixelPicker::PixelPicker(Session& session, ViewState& view, ParameterForm& form)
    : QObject(&form), session_(session), view_(view), form_(form) {
    connect(&form_, &ParameterForm::pickRequested, this, &PixelPicker::begin);
    connect(&view_, &ViewState::picked, this, &PixelPicker::take);
    connect(&view_, &ViewState::pickingChanged, this, &PixelPicker::showState);
    connect(&session_, &Session::originalChanged, this, [this] { view_.setPicking(false); });
}

void PixelPicker::begin(const std::string& key, bool wanted) {
    if (view_.picking()) view_.setPicking(false);  // picking for another parameter
    key_ = key;
    row_ = form_.row();
    if (wanted && session_.original()) return view_.setPicking(true);
    showState();
    if (wanted) session_.tasks().raise({Message::Kind::information, tr("Picking needs an image"), {}, tr("Open an image"), kSource});
}

void PixelPicker::showState() {
    const bool picking = view_.picking();
    if (ParameterEditor* editor = form_.editor(key_)) editor->setPicking(picking);
    if (picking) {
        session_.tasks().raise({Message::Kind::information,
                                tr("Click a pixel, or press Enter for the one in the middle of a pane. Esc cancels."),
                                {},
                                {},
                                kSource});
    } else {
        session_.tasks().clear(kSource);
    }
}

void PixelPicker::take(PixelPosition position) {
    const ImagePtr image = session_.original();
    PipelineModel& model = session_.pipeline();
    if (!image || row_ != form_.row() || row_ < 0 || row_ >= model.rowCount()) return view_.setPicking(false);
    const Step& step = model.step(row_);
    const int index = step.parameters.table().find(key_);
    if (index < 0) return view_.setPicking(false);
    const ParameterInfo& info = step.parameters.table().infos()[static_cast<std::size_t>(index)];
    const auto refuse = [&](const QString& what, const QString& why) {
        // Picking continues with another pixel.
        session_.tasks().raise({Message::Kind::warning, what, why, tr("Click another pixel, or cancel with Esc"), kSource});
    };
    const View<const float> view = image->view();
    // A result, such as a mosaic of sub-bands, may be larger than the original.
    if (position.x < 0 || position.y < 0 || position.x >= view.shape.width || position.y >= view.shape.height)
        return refuse(tr("The pixel is outside the original"),
                      tr("the original has %1").arg(formatExtent(view.shape.width, view.shape.height, 1)));
    std::vector<float> samples;
    for (std::int64_t c = 0; c < view.shape.channels; ++c) samples.push_back(view.at(position.x, position.y, 0, c));
    try {
        // Statistics of the whole image do not matter for one pixel.
        const double value = pickedValueOf(*step.operation, makeProblem(*image, step.parameters, SampleStatistics{}), key_, samples);
        const QString title = catalogText(info.title);
        if (!std::isfinite(value)) return refuse(tr("Cannot take %1 from this pixel").arg(title), tr("its samples are NaN or infinite"));
        // The minimum may have a special meaning, which a click on a black pixel does not intend.
        if (value < info.minimum || (value == info.minimum && !info.minimumMeans.empty()))
            return refuse(tr("Cannot take %1 from this pixel").arg(title), tr("it is too dark"));
        if (value > info.maximum) return refuse(tr("Cannot take %1 from this pixel").arg(title), tr("it is too bright"));
        const double kept = std::clamp(rounded(value), info.minimum, info.maximum);
        ParameterBlock values = step.parameters;
        values.set(key_, info.kind == ParameterKind::integer ? ParameterValue(static_cast<std::int64_t>(std::llround(kept)))
                                                             : ParameterValue(kept));
        model.setParameters(row_, values, tr("Pick %1").arg(title));
    } catch (const Error& e) {
        return refuse(tr("This pixel cannot be used"), QString::fromUtf8(e.what()));
    }
    view_.setPicking(false);
}

}  // namespace parallax::ui
