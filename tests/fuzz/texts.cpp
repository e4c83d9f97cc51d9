// SPDX-License-Identifier: GPL-3.0-or-later
// Reads thousands of damaged texts: records, which then go through every report and a comparison, recipes, steps, kernels, filter banks,
// and names of raw, generated and numbered inputs. Each must give a result or an Error. Meant for the address sanitizer.
//   parallax_fuzz_texts [ROUNDS [SEED [READER|each]]]
#include <cstdlib>
#include <map>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/formats/raw/raw.hpp"
#include "core/io/loader.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "core/operations/render/transfer_curve.hpp"
#include "core/operations/wavelet/filters.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/compare.hpp"
#include "core/report/record/recipe_json.hpp"
#include "core/report/record/record_json.hpp"
#include "tests/fuzz/damage.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax::test {
namespace {

std::string_view text(const Bytes& b) { return {reinterpret_cast<const char*>(b.data()), b.size()}; }

void takeRecord(std::string_view json) {
    const std::vector<RunRecord> records = recordsFromJson(json, "damaged.json");
    (void)toJson(records);
    (void)toCsv(records);
    (void)toMarkdown(records);
    (void)toLatex(records);
    (void)toHtml(records);
    if (canMakePdf()) (void)toPdf(records);
    for (const RunRecord& r : records) {
        (void)toTerminalTable(r, true);
        (void)toText(compareRecords(sampleRecord(), r, 5));
        (void)toText(compareRecords(r, sampleRecord(), 5));
    }
}

/// What reads each kind of text; the sample's name up to the first blank says which.
const std::map<std::string, void (*)(std::string_view)> kReaders{
    {"record", takeRecord},
    {"recipe", [](std::string_view t) { (void)recipeToJson(recipeFromJson(processCatalog(), t, "damaged.json")); }},
    {"step", [](std::string_view t) { (void)toText(parseStep(processCatalog(), t)); }},
    {"target", [](std::string_view t) { processCatalog().checkModes(parseTarget(t)); }},
    {"kernel", [](std::string_view t) { (void)parseKernelText(t); }},
    {"slices", [](std::string_view t) { (void)parseKernelSlices(t); }},
    {"curve",
     [](std::string_view t) {
         for (const float entry : render::makeTable(render::parseCurve(t), 0.5).entries)
             if (!(entry >= 0 && entry <= 1)) std::abort();
     }},
    {"bank", [](std::string_view t) { (void)parseFilterBank(t); }},
    {"raw", [](std::string_view t) { (void)parseRaw(t); }},
    {"synthetic", [](std::string_view t) { (void)parseSynthetic(t); }},
};

std::vector<Sample> samples() {
    const auto step = [](const char* t) { return parseStep(processCatalog(), t); };
    RunRecord swept = sampleRecord();
    swept.sweep = {"size", "1280"};
    const std::pair<std::string, std::string> texts[] = {
        {"record", toJson({sampleRecord()})},
        {"record sweep", toJson({sampleRecord(), swept})},
        {"recipe", recipeToJson({{step("convolve:kernel=gaussian,size=9,sigma=1.5"), step("tonemap:operator=local,key=0.3")}})},
        {"recipe wavelets", recipeToJson({{step("dwt:wavelet=db4,levels=3"), step("idwt:wavelet=db4,levels=3")}})},
        {"step", "convolve:kernel=custom,weights='1,2,1;2,4,2;1,2,1',border=reflect,channels='R,G'"},
        {"step preset", "tonemap:preset=pfstools,operator=local,scales=8,key=0.18"},
        {"step wavelets", "wavelet-denoise:wavelet=sym8,levels=4,rule=bayes,mode=periodization"},
        {"target", "cuda.direct+overlapped+pinned"},
        {"kernel", "[[1, 2.5e-3, 1],\n [2, 4, -2],\n [1, 2, 1]]"},
        {"kernel lines", "0.1 0.2 0.3\n0.4 0.5 0.6\n"},
        {"slices", "0 0 0; 0 1 0; 0 0 0 | 0 1 0; 1 -6 1; 0 1 0 | 0 0 0; 0 1 0; 0 0 0"},
        {"slices of NumPy", "[[[1, 2],\n  [2, 4]],\n\n [[2, 4],\n  [4, 8]]] / 27"},
        {"curve", "-300:0:#804020 150:0.02:#ffe0c0 400:0.2:#ffffff"},
        {"bank", "0.70710678 0.70710678; -0.70710678 0.70710678; 0.70710678 0.70710678; 0.70710678 -0.70710678"},
        {"raw", "raw:512x512x78,type=int16,endian=big,offset=352,spacing=0.7x0.7x5:ct.bin"},
        {"synthetic", "synthetic:noise:2048x1024,channels=3,seed=7"},
    };
    std::vector<Sample> all;
    for (const auto& [name, t] : texts) all.push_back({name, Bytes(t.begin(), t.end())});
    return all;
}

int fuzzTexts(const FuzzArguments& arguments) {
    return fuzz(samples(), arguments, damagedText, [](const Sample& s) { kReaders.at(s.name.substr(0, s.name.find(' ')))(text(s.bytes)); });
}

}  // namespace
}  // namespace parallax::test

int main(int argc, char** argv) { return parallax::test::fuzzingProgram(argc, argv, parallax::test::fuzzTexts); }
