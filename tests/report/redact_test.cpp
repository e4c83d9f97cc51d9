// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/redact.hpp"

#include <gtest/gtest.h>

#include "core/report/formats/formats.hpp"
#include "core/report/record/record_json.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {
namespace {

TEST(Redact, RemovesNamesFromEveryFormat) {
    RunRecord r = sampleRecord();
    r.input.name = "/home/somebody/patient.png";
    r.command =
        "parallax-cli bench -i /home/somebody/patient.png --recipe 'my secret.json' --report=secret.html --backend cuda -osecret.exr";
    r.flags = "-O3 -I/home/somebody/include -DX=1";
    r.backends = {{"cuda", {{"flags", "--options-file=/home/somebody/flags -O3"}}}};
    r.warnings.push_back("The file /home/somebody/patient.png on secret-host is odd");
    r.entries[3].reason = "cannot read /home/somebody/patient.png";
    const std::vector<RunRecord> list{redacted(r)};
    for (const std::string& text :
         {toJson(list), toCsv(list), toHtml(list), toMarkdown(list), toLatex(list), toTerminalTable(list[0], false)})
        for (const char* secret : {"somebody", "patient", "secret"})
            EXPECT_EQ(text.find(secret), std::string::npos) << secret << "\n" << text;
    EXPECT_EQ(list[0].input.name, "redacted.png");
    EXPECT_EQ(list[0].command,
              "parallax-cli bench -i redacted.png --recipe redacted.json --report=redacted.html --backend cuda -oredacted.exr");
    EXPECT_EQ(list[0].flags, "-O3 -I.../redacted -DX=1");
    EXPECT_EQ(list[0].backends[0].details[0].second, "--options-file=.../redacted -O3");
    EXPECT_EQ(list[0].input.hash, r.input.hash);
    EXPECT_EQ(list[0].machine.cpu, r.machine.cpu);
    EXPECT_EQ(list[0].entries[0].samples.size(), r.entries[0].samples.size());
}

TEST(Redact, RemovesTheMachinesOfRanks) {
    RunRecord r = sampleRecord();
    r.machine.host = "alpha1 (2 ranks), alpha12 (1 rank)";
    r.entries[1].hosts = {{"alpha1", "CPU of One", 2, 4}, {"alpha12", "CPU of Two", 1, 2}};
    r.entries[3].reason = "it has failed; rank 2 on alpha12";
    r.warnings.push_back("alpha1 is busy");
    EXPECT_NE(toMarkdown({r}).find("2 ranks on alpha1 (4 threads, CPU of One), 1 rank on alpha12 (2 threads, CPU of Two)"),
              std::string::npos);
    const std::vector<RunRecord> list{redacted(r)};
    for (const std::string& text : {toJson(list), toCsv(list), toHtml(list), toMarkdown(list), toTerminalTable(list[0], false)})
        EXPECT_EQ(text.find("alpha"), std::string::npos) << text;
    EXPECT_EQ(list[0].entries[3].reason, "it has failed; rank 2 on redacted");
    for (const std::string& text : {toHtml(list), toMarkdown(list), toTerminalTable(list[0], false)})
        EXPECT_NE(text.find("2 ranks on a machine (4 threads, CPU of One), 1 rank on a machine (2 threads, CPU of Two)"), std::string::npos)
            << text;
}

TEST(Redact, RemovesEveryValueOfAnOptionAndNamesOfFolders) {
    RunRecord r = sampleRecord();
    r.input.name = "DOE.JOHN";
    r.command = "parallax-cli bench -i DOE.JOHN --report doe.html John.csv --op convolve:size=7 -o 'Doe^John.nii.gz'";
    const RunRecord clean = redacted(r);
    EXPECT_EQ(clean.input.name, "redacted");
    EXPECT_EQ(clean.command, "parallax-cli bench -i redacted --report redacted.html redacted.csv --op convolve:size=7 -o redacted.nii.gz");
}

TEST(Redact, KeepsNamesOfGeneratedImages) {
    RunRecord r = sampleRecord();
    r.input.name = "synthetic:noise:64x64";
    r.command = "parallax-cli bench -i synthetic:noise:64x64 --op convolve:size=7 --backend openmp";
    const RunRecord clean = redacted(r);
    EXPECT_EQ(clean.input.name, r.input.name);
    EXPECT_EQ(clean.command, r.command);
    EXPECT_EQ(clean.machine.host, "");
}

TEST(Redact, KeepsStepsOfRecipesAndNamesOfRows) {
    RunRecord r = sampleRecord();
    r.version = 2;
    r.recipe = {"soft=convolve:size=9 | tonemap", "B=convolve:size=3"};
    const std::string steps = "--recipe 'soft=convolve:size=9 | tonemap' '--recipe=convolve:size=3 | tonemap' --baseline soft/openmp";
    r.command = "parallax-cli bench -i x.exr " + steps + " --recipe 'B=home/secret.json' --recipe=C=secret.json --recipe secret";
    EXPECT_EQ(redacted(r).command,
              "parallax-cli bench -i redacted.exr " + steps + " --recipe B=redacted.json --recipe=C=redacted.json --recipe redacted");
}

}  // namespace
}  // namespace parallax
