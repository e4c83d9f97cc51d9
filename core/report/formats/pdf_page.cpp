// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/formats/pdf_page.hpp"

#include <cairo-pdf.h>

#include <algorithm>
#include <cmath>

#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr double kWidth = 595.276, kHeight = 841.89, kMargin = 45, kBottom = 50;
constexpr double kLine = 1.32;  // height of a line in font sizes
constexpr double kCellPadding = 3;
constexpr PdfText kCaption{.size = 7.5, .soft = true};
constexpr double kScaleHeight = 10;  // colour bar of a difference with its labels

void setColour(cairo_t* c, std::uint32_t rgb) {
    cairo_set_source_rgb(c, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
}

constexpr std::uint32_t kForeground = 0x1c1f23, kSoft = 0x5c6570, kGrid = 0xd5dae0, kBad = 0xb3261e;

/// Valid UTF-8 without control characters, except line breaks if asked for: cairo enters an error state at invalid bytes.
std::string clean(const std::string& text, bool keepBreaks = false) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        const std::size_t length = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
        bool good = length > 0 && i + length <= text.size();
        std::uint32_t code = length == 1 ? c : length == 2 ? c & 31U : length == 3 ? c & 15U : c & 7U;
        for (std::size_t k = 1; good && k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            good = (next & 0xc0U) == 0x80U;
            code = code << 6 | (next & 63U);
        }
        // Overlong forms, surrogates, code points beyond the last.
        good = good && !(length == 3 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) &&
               !(length == 4 && (code < 0x10000 || code > 0x10ffff));
        if (!good) {
            out += '?';
            ++i;
            continue;
        }
        if ((c < 0x20 && !(keepBreaks && c == '\n')) || c == 0x7f) out += ' ';
        else out.append(text, i, length);
        i += length;
    }
    return out;
}

/// End of the character that begins at `at`.
std::size_t characterEnd(const std::string& text, std::size_t at) {
    do ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U);
    return at;
}

cairo_status_t append(void* to, const unsigned char* data, unsigned int bytes) {
    try {
        static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), bytes);
        return CAIRO_STATUS_SUCCESS;
    } catch (...) {
        return CAIRO_STATUS_NO_MEMORY;
    }
}

}  // namespace

PdfPages::PdfPages(std::string* output, int pageCount, const std::string& footer)
    : surface_(cairo_pdf_surface_create_for_stream(output ? &append : nullptr, output, kWidth, kHeight)),
      cairo_(cairo_create(surface_)),
      pageCount_(pageCount),
      footer_(clean(footer)) {
    cairo_pdf_surface_restrict_to_version(surface_, CAIRO_PDF_VERSION_1_5);
    newPage();
}

PdfPages::~PdfPages() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
}

void PdfPages::metadata(const std::string& title, const std::string& creator, const std::string& when) {
    cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_TITLE, clean(title).c_str());
    cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATOR, clean(creator).c_str());
    // Date of the measurement, so that a record always gives the same file.
    if (!when.empty()) cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATE_DATE, clean(when).c_str());
}

double PdfPages::right() const { return kWidth - kMargin; }

void PdfPages::use(const PdfText& look) {
    cairo_select_font_face(cairo_, look.fixedWidth ? "DejaVu Sans Mono" : "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           look.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo_, look.size);
    setColour(cairo_, look.bad ? kBad : look.soft ? kSoft : kForeground);
}

double PdfPages::widthOf(const std::string& text) {
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, text.c_str(), &extents);
    return extents.x_advance;
}

void PdfPages::show(const std::string& text, double x, double y) {
    cairo_move_to(cairo_, x, y);
    cairo_show_text(cairo_, text.c_str());
}

std::vector<std::string> PdfPages::wrapped(const std::string& text, double width) {
    std::vector<std::string> lines(1);
    std::string word;
    const auto place = [&] {
        const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (widthOf(longer) <= width) {
            lines.back() = longer;
        } else {
            if (!lines.back().empty()) lines.emplace_back();
            // What fits on no line is cut between characters.
            for (std::size_t i = 0; i < word.size();) {
                const std::size_t end = characterEnd(word, i);
                const std::string one = word.substr(i, end - i);
                if (!lines.back().empty() && widthOf(lines.back() + one) > width) lines.emplace_back();
                lines.back() += one;
                i = end;
            }
        }
        word.clear();
    };
    for (const char c : text) {
        if (c == '\n') {
            place();
            lines.emplace_back();
        } else if (c == ' ') {
            place();
        } else {
            word += c;
        }
    }
    place();
    return lines;
}

void PdfPages::newPage() {
    ++page_;
    y_ = kMargin;
}

void PdfPages::endPage() {
    use({.size = 7.5, .soft = true});
    const std::string count = "page " + std::to_string(page_) + (pageCount_ > 0 ? " of " + std::to_string(pageCount_) : "");
    show(footer_, kMargin, kHeight - 28);
    show(count, right() - widthOf(count), kHeight - 28);
    cairo_show_page(cairo_);
}

void PdfPages::need(double height) {
    // Content higher than a page starts at the top of one and overflows.
    if (y_ + height <= kHeight - kBottom || y_ <= kMargin) return;
    endPage();
    newPage();
}

void PdfPages::heading(const std::string& given, int level, const Drawing* first) {
    const std::string text = clean(given);
    const PdfText look{.size = level == 1 ? 17.0 : level == 2 ? 12.5 : 10.0, .bold = true};
    if (level > 1) y_ += 10;
    use(look);
    const auto lines = wrapped(text, right() - kMargin);
    // Not alone at the foot of a page.
    need(look.size * kLine * static_cast<double>(lines.size()) + (first ? 6 + heightOf(*first) : 60));
    use(look);
    if (level < 3 && page_ > 0)
        cairo_pdf_surface_add_outline(surface_, CAIRO_PDF_OUTLINE_ROOT, text.c_str(), ("page=" + std::to_string(page_)).c_str(),
                                      static_cast<cairo_pdf_outline_flags_t>(0));
    for (const auto& line : lines) {
        y_ += look.size * kLine;
        show(line, kMargin, y_);
    }
    y_ += 6;
}

void PdfPages::paragraph(const std::string& text, const PdfText& look) {
    use(look);
    for (const auto& line : wrapped(clean(text, true), right() - kMargin)) {
        need(look.size * kLine);
        use(look);
        y_ += look.size * kLine;
        show(line, kMargin, y_);
    }
    y_ += 3;
}

double PdfPages::rowHeight(const std::vector<PdfCell>& row, const std::vector<double>& widths) {
    double height = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        use(row[i].look);
        const auto lines = wrapped(clean(row[i].text, true), widths[i] - 2 * kCellPadding).size();
        height = std::max(height, row[i].look.size * kLine * static_cast<double>(lines));
    }
    return height + 2 * kCellPadding;
}

void PdfPages::drawRow(const std::vector<PdfCell>& row, const std::vector<double>& widths, double height) {
    double x = kMargin;
    for (std::size_t i = 0; i < row.size(); ++i) {
        double y = y_ + kCellPadding;
        PdfText look = row[i].look;
        const std::string text = clean(row[i].text, true);
        const double width = widths[i] - 2 * kCellPadding;
        use(look);
        std::size_t left = wrapped(text.substr(0, text.find('\n')), width).size();
        for (const auto& line : wrapped(text, width)) {
            look.soft = look.soft || left == 0;  // lines after the first line break are details
            left -= left > 0;
            use(look);
            y += look.size * kLine;
            show(line, x + kCellPadding, y - 0.25 * look.size);
        }
        x += widths[i];
    }
    y_ += height;
    setColour(cairo_, kGrid);
    cairo_set_line_width(cairo_, 0.5);
    cairo_move_to(cairo_, kMargin, y_);
    cairo_line_to(cairo_, right(), y_);
    cairo_stroke(cairo_);
}

void PdfPages::table(const std::vector<std::vector<PdfCell>>& rows, const std::vector<double>& shares) {
    double total = 0;
    for (const double s : shares) total += s;
    std::vector<double> widths;
    for (const double s : shares) widths.push_back(s / total * (right() - kMargin));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const double height = rowHeight(rows[r], widths);
        const int before = page_;
        need(height + (r == 0 && rows.size() > 1 ? rowHeight(rows[1], widths) : 0));
        if (page_ != before && r > 0) drawRow(rows[0], widths, rowHeight(rows[0], widths));
        drawRow(rows[r], widths, height);
    }
    y_ += 6;
}

void PdfPages::draw(const DrawnRect& r) {
    setColour(cairo_, kSeriesColours.at(static_cast<std::size_t>(r.colour)));
    cairo_rectangle(cairo_, r.x, r.y, r.width, r.height);
    cairo_fill(cairo_);
}

void PdfPages::draw(const DrawnLine& l) {
    for (std::size_t i = 0; i < l.points.size(); ++i)
        (i == 0 ? cairo_move_to : cairo_line_to)(cairo_, l.points[i].first, l.points[i].second);
    const bool series = l.ink == DrawnLine::Ink::series;
    setColour(cairo_, series ? kSeriesColours.at(static_cast<std::size_t>(l.colour)) : l.ink == DrawnLine::Ink::grid ? kGrid : kForeground);
    cairo_set_line_width(cairo_, series ? 2 : 1.2);
    constexpr double kDashes[] = {6, 4};
    cairo_set_dash(cairo_, kDashes, l.dashed ? 2 : 0, 0);
    if (l.filled) cairo_fill(cairo_);
    else cairo_stroke(cairo_);
    cairo_set_dash(cairo_, kDashes, 0, 0);
}

void PdfPages::draw(const DrawnText& t) {
    use({.size = 13, .bold = t.bold, .soft = t.soft});
    const std::string text = clean(t.text);
    const double width = t.anchor == DrawnText::Anchor::start ? 0 : widthOf(text);
    show(text, t.x - (t.anchor == DrawnText::Anchor::end ? width : t.anchor == DrawnText::Anchor::middle ? width / 2 : 0), t.y);
}

double PdfPages::heightOf(const Drawing& drawing) const { return (right() - kMargin) / drawing.width * drawing.height + 8; }

void PdfPages::drawing(const Drawing& drawing) {
    const double scale = (right() - kMargin) / drawing.width, height = heightOf(drawing);
    need(height);
    cairo_save(cairo_);
    cairo_translate(cairo_, kMargin, y_ + 4);
    cairo_scale(cairo_, scale, scale);
    for (const auto& shape : drawing.shapes) std::visit([this](const auto& s) { draw(s); }, shape);
    cairo_restore(cairo_);
    y_ += height;
}

double PdfPages::figureHeight(const Figure& figure, double width) {
    use(kCaption);
    const ReportPicture& p = *figure.picture;
    return width * p.height / std::max(1, p.width) + 2 + (figure.largest.empty() ? 0 : kScaleHeight) +
           static_cast<double>(wrapped(clean(figure.below), width).size()) * kCaption.size * kLine;
}

void PdfPages::drawPicture(const ReportPicture& p, double x, double width) {
    cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, p.width, p.height);
    if (unsigned char* data = cairo_image_surface_get_data(image)) {
        const int stride = cairo_image_surface_get_stride(image);
        for (int v = 0; v < p.height; ++v)
            for (int u = 0; u < p.width; ++u) {
                const std::uint8_t* s = p.rgb.data() + 3 * (static_cast<std::ptrdiff_t>(v) * p.width + u);
                reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(v) * stride)[u] =
                    std::uint32_t{s[0]} << 16 | std::uint32_t{s[1]} << 8 | s[2];
            }
        cairo_surface_mark_dirty(image);
    }
    cairo_save(cairo_);
    cairo_translate(cairo_, x, y_);
    cairo_scale(cairo_, width / p.width, width / p.width);
    cairo_set_source_surface(cairo_, image, 0, 0);
    // Pixels stay pixels.
    cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
    cairo_paint(cairo_);
    cairo_restore(cairo_);
    cairo_surface_destroy(image);
}

void PdfPages::drawScale(const Figure& figure, double x, double y, double width) {
    const double step = width / static_cast<double>(figure.colours.size());
    for (std::size_t k = 0; k < figure.colours.size(); ++k) {
        setColour(cairo_, figure.colours[k]);
        cairo_rectangle(cairo_, x + step * static_cast<double>(k), y, step + 0.3, 3);
        cairo_fill(cairo_);
    }
    use({.size = 6.5, .soft = true});
    const std::string high = "+" + figure.largest;
    show("-" + figure.largest, x, y + 9.5);
    show("0", x + width / 2 - widthOf("0") / 2, y + 9.5);
    show(high, x + width - widthOf(high), y + 9.5);
}

void PdfPages::figures(const std::vector<Figure>& figures, int columns) {
    constexpr double kGap = 12;
    const double width = (right() - kMargin - (columns - 1) * kGap) / columns;
    for (std::size_t first = 0; first < figures.size(); first += static_cast<std::size_t>(columns)) {
        const std::size_t end = std::min(first + static_cast<std::size_t>(columns), figures.size());
        double height = 0;
        for (std::size_t i = first; i < end; ++i) height = std::max(height, figureHeight(figures[i], width));
        need(height + 8);
        double x = kMargin;
        for (std::size_t i = first; i < end; ++i, x += width + kGap) {
            const ReportPicture& p = *figures[i].picture;
            drawPicture(p, x, width);
            double y = y_ + width * p.height / p.width + 2;
            if (!figures[i].largest.empty()) {
                drawScale(figures[i], x, y, width);
                y += kScaleHeight;
            }
            use(kCaption);
            for (const auto& line : wrapped(clean(figures[i].below), width)) {
                y += kCaption.size * kLine;
                show(line, x, y);
            }
        }
        y_ += height + 8;
    }
}

int PdfPages::finish() {
    if (!finished_) {
        finished_ = true;
        endPage();
        cairo_surface_finish(surface_);
    }
    cairo_status_t status = cairo_status(cairo_);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface_);
    // The context reports the finished surface, which is no failure.
    if (status != CAIRO_STATUS_SUCCESS && status != CAIRO_STATUS_SURFACE_FINISHED)
        throw Error(status == CAIRO_STATUS_NO_MEMORY ? ErrorCode::memory : ErrorCode::failed, "The PDF report could not be made",
                    cairo_status_to_string(status));
    return page_;
}

namespace {

std::unique_ptr<PdfPages> makePages(std::string* output, int pageCount, const std::string& footer) {
    return std::make_unique<PdfPages>(output, pageCount, footer);
}

const PdfModule kModule{{PARALLAX_BUILD_STAMP}, makePages};

}  // namespace
}  // namespace parallax

PARALLAX_MODULE_ENTRY(parallax::kModule)
