// SPDX-License-Identifier: GPL-3.0-or-later
// PDF pages filled from top to bottom. The functions are virtual: they are in a module, which alone links to cairo.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/io/library_module.hpp"
#include "core/report/charts/drawing.hpp"
#include "core/report/charts/pictures.hpp"

struct _cairo;
struct _cairo_surface;

namespace parallax {

/// Style of a text.
struct PdfText {
    double size = 8.5;  ///< points
    bool bold = false, soft = false, bad = false, fixedWidth = false;
};

struct PdfCell {
    std::string text;
    PdfText look;
};

/// A4 portrait, lengths in points, y down. Invalid UTF-8 is shown as '?'.
class PdfPages {
public:
    /// `pageCount` is shown as "page 1 of 3"; 0: unknown, in the pass that counts pages. Appends to `output`.
    PdfPages(std::string* output, int pageCount, const std::string& footer);
    virtual ~PdfPages();
    PdfPages(const PdfPages&) = delete;
    PdfPages& operator=(const PdfPages&) = delete;

    virtual void metadata(const std::string& title, const std::string& creator, const std::string& when);
    /// `level`: 1 to 3; 1 and 2 appear in the outline. `first`: the drawing below it, which stays on the same page; null: there is none.
    virtual void heading(const std::string& text, int level, const Drawing* first = nullptr);
    virtual void paragraph(const std::string& text, const PdfText& look);
    /// `shares`: relative widths of the columns. Rows are not broken; the first row is a heading, repeated on each page.
    virtual void table(const std::vector<std::vector<PdfCell>>& rows, const std::vector<double>& shares);
    virtual void drawing(const Drawing& drawing);
    struct Figure {
        const ReportPicture* picture;
        std::string below;
        std::string largest;                 ///< of a difference: label at both ends of its colour bar; empty: no bar
        std::vector<std::uint32_t> colours;  ///< of the bar, 0xRRGGBB, from the smallest to the largest
    };
    virtual void figures(const std::vector<Figure>& figures, int columns);

    /// Ends the document and returns the number of pages. Throws Error(failed) if cairo failed.
    virtual int finish();

private:
    void need(double height);
    double heightOf(const Drawing& drawing) const;
    void newPage();
    void endPage();
    void use(const PdfText& look);
    double widthOf(const std::string& text);
    std::vector<std::string> wrapped(const std::string& text, double width);
    double rowHeight(const std::vector<PdfCell>& row, const std::vector<double>& widths);
    void drawRow(const std::vector<PdfCell>& row, const std::vector<double>& widths, double height);
    void show(const std::string& text, double x, double y);
    void draw(const DrawnRect& r);
    void draw(const DrawnLine& l);
    void draw(const DrawnText& t);
    double figureHeight(const Figure& figure, double width);
    void drawPicture(const ReportPicture& picture, double x, double width);
    void drawScale(const Figure& figure, double x, double y, double width);
    double right() const;

    _cairo_surface* surface_ = nullptr;
    _cairo* cairo_ = nullptr;
    int pageCount_, page_ = 0;
    std::string footer_;
    double y_ = 0;
    bool finished_ = false;
};

struct PdfModule : ModuleHead {
    /// Arguments as of the constructor.
    std::unique_ptr<PdfPages> (*makePages)(std::string* output, int pageCount, const std::string& footer);
};

}  // namespace parallax
