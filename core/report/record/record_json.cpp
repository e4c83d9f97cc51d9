// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/record_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/engine/backend/catalog.hpp"
#include "core/image/error.hpp"
#include "core/io/json_text.hpp"
#include "core/measure/sampling/timeline.hpp"
#include "core/report/record/text_file.hpp"

namespace parallax {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "parallax.run-record";
constexpr const char* kListSchema = "parallax.run-records";

/// JSON has no NaN and no infinity: they are written as text.
Json number(double v) { return std::isfinite(v) ? Json(v) : Json(std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf"); }
double number(const Json& j) {
    if (j.is_number()) return j.get<double>();
    const auto text = j.get<std::string>();
    return text == "inf"    ? std::numeric_limits<double>::infinity()
           : text == "-inf" ? -std::numeric_limits<double>::infinity()
                            : std::nan("");
}

template <class T>
void read(const Json& j, const char* key, T& value) {
    if (const auto it = j.find(key); it != j.end() && !it->is_null()) value = it->get<T>();
}
void readNumber(const Json& j, const char* key, double& value) {
    if (const auto it = j.find(key); it != j.end() && !it->is_null()) value = number(*it);
}

Json toJson(const StageTimes& times) {
    Json j = Json::object();
    for (const Stage s : kAllStages)
        if (times[s] != 0) j[std::string(stageName(s))] = times[s];
    if (times.overlapped()) j["end_to_end"] = times.endToEnd();  // differs from the sum of the stages
    return j;
}
/// Limits a time to nine years, so that sums cannot overflow.
std::int64_t plausible(std::int64_t ns) {
    if (ns < 0 || ns > std::int64_t{1} << 58) throw Error(ErrorCode::input, "it contains an impossible time");
    return ns;
}

StageTimes stagesFrom(const Json& j) {
    StageTimes times;
    for (const Stage s : kAllStages) {
        std::int64_t ns = 0;
        read(j, std::string(stageName(s)).c_str(), ns);
        times[s] = plausible(ns);
    }
    std::int64_t wall = 0;
    read(j, "end_to_end", wall);
    (void)plausible(wall);
    if (wall > 0) times.setOverlapped(wall);
    return times;
}

/// Spans of the typical sample only: those of all would make up most of the file.
Json timelineOf(const RunEntry& e) {
    const std::size_t i = typicalSample(e);
    if (i >= e.samples.size()) return nullptr;
    Json spans = Json::object();
    for (const Stage s : kAllStages)
        if (const StageTimes::Span& span = e.samples[i].span(s); span.known())
            spans[std::string(stageName(s))] = Json::array({span.begin, span.end});
    Json timeline{{"sample", i}, {"spans_ns", std::move(spans)}};
    for (const StageTimes::Piece& p : e.samples[i].pieces())
        timeline["pieces_ns"].push_back(
            {{"stage", stageName(p.stage)}, {"strip", p.strip}, {"span", Json::array({p.span.begin, p.span.end})}});
    return timeline;
}
void readTimeline(const Json& j, RunEntry& e) {
    std::size_t i = 0;
    read(j, "sample", i);
    if (i >= e.samples.size() || !j.contains("spans_ns")) return;
    for (const Stage s : kAllStages)
        if (const auto span = j["spans_ns"].find(std::string(stageName(s))); span != j["spans_ns"].end())
            e.samples[i].extendSpan(s, span->at(0).get<std::int64_t>(), span->at(1).get<std::int64_t>());
    if (!j.contains("pieces_ns")) return;
    std::vector<StageTimes::Piece> pieces;
    for (const Json& p : j["pieces_ns"]) {
        std::string name;
        StageTimes::Piece piece;
        read(p, "stage", name);
        read(p, "strip", piece.strip);
        const auto stage = std::find_if(kAllStages.begin(), kAllStages.end(), [&](Stage s) { return stageName(s) == name; });
        if (stage == kAllStages.end() || !p.contains("span")) continue;
        piece.stage = *stage;
        piece.span = {p["span"].at(0).get<std::int64_t>(), p["span"].at(1).get<std::int64_t>()};
        pieces.push_back(piece);
    }
    e.samples[i].keepPieces(std::move(pieces));
}

Json pairs(const std::vector<std::pair<std::string, std::string>>& list) {
    Json j = Json::object();
    for (const auto& [k, v] : list) j[k] = v;
    return j;
}

std::vector<std::pair<std::string, std::string>> pairsFrom(const Json& j) {
    std::vector<std::pair<std::string, std::string>> list;
    for (const auto& [k, v] : j.items()) list.emplace_back(k, v.get<std::string>());
    return list;
}

Json toJson(const DifferenceMetrics& d) {
    Json worst = Json::array();
    for (const WorstPixel& w : d.worst)
        worst.push_back({{"x", w.x}, {"y", w.y}, {"z", w.z}, {"channel", w.channel}, {"reference", number(w.a)}, {"value", number(w.b)}});
    return {{"max_abs", number(d.maxAbs)},
            {"mean_abs", number(d.meanAbs)},
            {"rmse", number(d.rmse)},
            {"relative_l2", number(d.relativeL2)},
            {"psnr_db", number(d.psnr)},
            {"peak", number(d.peak)},
            {"compared", d.compared},
            {"nan_mismatches", d.nanMismatches},
            {"infinity_mismatches", d.infinityMismatches},
            {"border_band", d.borderWidth},
            {"max_abs_border", number(d.maxAbsBorder)},
            {"max_abs_interior", number(d.maxAbsInterior)},
            {"rmse_border", number(d.rmseBorder)},
            {"rmse_interior", number(d.rmseInterior)},
            {"worst", std::move(worst)}};
}
DifferenceMetrics differenceFrom(const Json& j) {
    DifferenceMetrics d;
    readNumber(j, "max_abs", d.maxAbs);
    readNumber(j, "mean_abs", d.meanAbs);
    readNumber(j, "rmse", d.rmse);
    readNumber(j, "relative_l2", d.relativeL2);
    readNumber(j, "psnr_db", d.psnr);
    readNumber(j, "peak", d.peak);
    read(j, "compared", d.compared);
    read(j, "nan_mismatches", d.nanMismatches);
    read(j, "infinity_mismatches", d.infinityMismatches);
    if (const auto it = j.find("beyond_tolerance"); it != j.end() && !it->is_null()) d.beyond = it->get<std::uint64_t>();
    read(j, "border_band", d.borderWidth);
    readNumber(j, "max_abs_border", d.maxAbsBorder);
    readNumber(j, "max_abs_interior", d.maxAbsInterior);
    readNumber(j, "rmse_border", d.rmseBorder);
    readNumber(j, "rmse_interior", d.rmseInterior);
    if (j.contains("worst"))
        for (const Json& w : j["worst"]) {
            WorstPixel p;
            read(w, "x", p.x);
            read(w, "y", p.y);
            read(w, "z", p.z);
            read(w, "channel", p.channel);
            readNumber(w, "reference", p.a);
            readNumber(w, "value", p.b);
            d.worst.push_back(p);
        }
    return d;
}

constexpr const char* kStatus[] = {"done", "cancelled", "failed", "skipped"};
constexpr const char* kVerification[] = {"not done", "agrees", "disagrees", "not judged"};

template <class E, std::size_t N>
E enumFrom(const Json& j, const char* key, const char* const (&names)[N]) {
    std::string text;
    read(j, key, text);
    for (std::size_t i = 0; i < N; ++i)
        if (text == names[i]) return static_cast<E>(i);
    throw Error(ErrorCode::input, "unknown '" + std::string(key) + "': '" + text + "'");
}

Json toJson(const RunEntry& e) {
    Json samples = Json::array();
    for (const StageTimes& s : e.samples) samples.push_back(toJson(s));
    Json statistics = Json::array();
    for (const StatisticRecord& f : e.statistics)
        statistics.push_back({{"step", f.step},
                              {"operation", f.operation},
                              {"key", f.key},
                              {"title", f.title},
                              {"unit", f.unit},
                              {"value", number(f.value)}});
    Json j{{"label", e.label},
           {"backend", e.backend},
           {"variant", e.variant},
           {"device", e.device},
           {"threads", e.threads},
           {"modes", e.modes},
           {"status", kStatus[static_cast<int>(e.status)]},
           {"reason", e.reason},
           {"implementations", e.implementations},
           {"choices", e.choices},
           {"prepare_ns", toJson(e.prepare)},
           {"cold_ns", toJson(e.cold)},
           {"samples_ns", std::move(samples)},
           {"blocks", e.blocks},
           {"verification", kVerification[static_cast<int>(e.verification)]},
           {"tolerance", number(e.tolerance)},
           {"tolerance_reason", e.toleranceReason},
           {"undecided", e.ambiguous},
           {"judged_step", e.judgedStep},
           {"findings", std::move(statistics)},
           {"flops", e.flops},
           {"bytes", e.bytes},
           {"estimated_host_bytes", e.peakHostBytes},
           {"estimated_device_bytes", e.peakDeviceBytes},
           {"warnings", e.warnings}};
    if (Json timeline = timelineOf(e); !timeline.is_null()) j["timeline"] = std::move(timeline);
    if (e.verification != Verification::notDone) j["difference"] = toJson(e.difference);
    if (e.verification != Verification::notDone && e.difference.beyond) j["difference"]["beyond_tolerance"] = *e.difference.beyond;
    return j;
}
/// Records of older versions have the modes in the label only: "cuda.direct+overlapped+pinned@4#1".
std::vector<std::string> modesOfLabel(const std::string& label) {
    try {
        return parseTarget(label.substr(0, label.find_first_of("@#"))).modes;
    } catch (const Error&) {
        return {};  // not a label of Parallax
    }
}
RunEntry entryFrom(const Json& j) {
    RunEntry e;
    read(j, "label", e.label);
    read(j, "backend", e.backend);
    read(j, "variant", e.variant);
    read(j, "device", e.device);
    read(j, "threads", e.threads);
    if (j.contains("modes")) read(j, "modes", e.modes);
    else e.modes = modesOfLabel(e.label);
    e.status = enumFrom<RunStatus>(j, "status", kStatus);
    read(j, "reason", e.reason);
    read(j, "implementations", e.implementations);
    read(j, "choices", e.choices);
    if (j.contains("prepare_ns")) e.prepare = stagesFrom(j["prepare_ns"]);
    if (j.contains("cold_ns")) e.cold = stagesFrom(j["cold_ns"]);
    if (j.contains("samples_ns"))
        for (const Json& s : j["samples_ns"]) e.samples.push_back(stagesFrom(s));
    if (j.contains("blocks")) read(j, "blocks", e.blocks);
    e.verification = enumFrom<Verification>(j, "verification", kVerification);
    readNumber(j, "tolerance", e.tolerance);
    read(j, "tolerance_reason", e.toleranceReason);
    readNumber(j, "undecided", e.ambiguous);
    if (j.contains("judged_step")) read(j, "judged_step", e.judgedStep);
    if (j.contains("findings"))
        for (const Json& f : j["findings"]) {
            StatisticRecord found;
            read(f, "step", found.step);
            read(f, "operation", found.operation);
            read(f, "key", found.key);
            read(f, "title", found.title);
            read(f, "unit", found.unit);
            readNumber(f, "value", found.value);
            e.statistics.push_back(std::move(found));
        }
    read(j, "flops", e.flops);
    read(j, "bytes", e.bytes);
    read(j, "estimated_host_bytes", e.peakHostBytes);
    read(j, "estimated_device_bytes", e.peakDeviceBytes);
    read(j, "warnings", e.warnings);
    if (j.contains("timeline")) readTimeline(j["timeline"], e);
    if (j.contains("difference")) e.difference = differenceFrom(j["difference"]);
    return e;
}

Json toJson(const MachineRecord& m) {
    Json gpus = Json::array();
    for (const GpuRecord& g : m.gpus) gpus.push_back({{"name", g.name}, {"memory_bytes", g.memory}, {"details", pairs(g.details)}});
    Json ceilings = Json::array();
    for (const CeilingRecord& c : m.ceilings) {
        Json ceiling{{"name", c.name},   {"level", c.level}, {"threads", c.threads},
                     {"value", c.value}, {"unit", c.unit},   {"bytes", c.bytes}};
        if (!c.device.empty()) {
            ceiling["backend"] = c.backend;
            ceiling["device"] = c.device;
            ceiling["device_index"] = c.deviceIndex;
        }
        ceilings.push_back(std::move(ceiling));
    }
    return {{"cpu", m.cpu},
            {"sockets", m.sockets},
            {"cores", m.cores},
            {"hardware_threads", m.hardwareThreads},
            {"usable_threads", m.usableThreads},
            {"threads_per_core", m.threadsPerCore},
            {"min_mhz", m.minMHz},
            {"max_mhz", m.maxMHz},
            {"virtual_machine", m.virtualMachine},
            {"timer_resolution_ns", m.timerResolutionNs},
            {"numa", m.numa},
            {"memory_bytes", m.memory},
            {"caches", m.caches},
            {"simd", m.simd},
            {"governor", m.governor},
            {"os", m.os},
            {"kernel", m.kernel},
            {"host", m.host},
            {"gpus", std::move(gpus)},
            {"ceilings", std::move(ceilings)}};
}
MachineRecord machineFrom(const Json& j) {
    MachineRecord m;
    read(j, "cpu", m.cpu);
    read(j, "sockets", m.sockets);
    read(j, "cores", m.cores);
    read(j, "hardware_threads", m.hardwareThreads);
    read(j, "usable_threads", m.usableThreads);
    read(j, "threads_per_core", m.threadsPerCore);
    readNumber(j, "min_mhz", m.minMHz);
    readNumber(j, "max_mhz", m.maxMHz);
    read(j, "virtual_machine", m.virtualMachine);
    readNumber(j, "timer_resolution_ns", m.timerResolutionNs);
    read(j, "numa", m.numa);
    read(j, "memory_bytes", m.memory);
    read(j, "caches", m.caches);
    read(j, "simd", m.simd);
    read(j, "governor", m.governor);
    read(j, "os", m.os);
    read(j, "kernel", m.kernel);
    read(j, "host", m.host);
    if (j.contains("gpus"))
        for (const Json& g : j["gpus"]) {
            GpuRecord gpu;
            read(g, "name", gpu.name);
            read(g, "memory_bytes", gpu.memory);
            if (g.contains("details")) gpu.details = pairsFrom(g["details"]);
            m.gpus.push_back(std::move(gpu));
        }
    if (j.contains("ceilings"))
        for (const Json& c : j["ceilings"]) {
            CeilingRecord ceiling;
            read(c, "name", ceiling.name);
            read(c, "level", ceiling.level);
            read(c, "threads", ceiling.threads);
            readNumber(c, "value", ceiling.value);
            read(c, "unit", ceiling.unit);
            read(c, "bytes", ceiling.bytes);
            read(c, "backend", ceiling.backend);
            read(c, "device", ceiling.device);
            read(c, "device_index", ceiling.deviceIndex);
            m.ceilings.push_back(std::move(ceiling));
        }
    return m;
}

Json recordToJson(const RunRecord& r) {
    Json entries = Json::array();
    for (const RunEntry& e : r.entries) entries.push_back(toJson(e));
    Json backends = Json::array();
    for (const BackendBuild& b : r.backends) backends.push_back({{"id", b.id}, {"details", pairs(b.details)}});
    const Shape& s = r.input.shape;
    Json j{{"schema", kSchema},
           {"schema_version", r.version},
           {"tool",
            {{"name", "parallax"},
             {"version", r.toolVersion},
             {"git", r.git},
             {"build_type", r.buildType},
             {"compiler", r.compiler},
             {"flags", r.flags},
             {"backends", std::move(backends)}}},
           {"when", r.when},
           {"command", r.command},
           {"machine", toJson(r.machine)},
           {"input",
            {{"name", r.input.name},
             {"width", s.width},
             {"height", s.height},
             {"depth", s.depth},
             {"channels", r.input.channels},
             {"hash", r.input.hash},
             {"non_finite", r.input.nonFinite}}},
           {"recipe", r.recipe},
           {"protocol",
            {{"effort", r.protocol.effort},
             {"warm_up", r.protocol.warmUp},
             {"minimum_samples", r.protocol.minimumSamples},
             {"minimum_seconds", r.protocol.minimumSeconds},
             {"maximum_seconds", r.protocol.maximumSeconds},
             {"target_noise", r.protocol.targetNoise},
             {"seed", r.protocol.seed}}},
           {"baseline", r.baseline},
           {"entries", std::move(entries)},
           {"warnings", r.warnings}};
    if (!r.sweep.axis.empty()) j["sweep"] = {{"axis", r.sweep.axis}, {"value", r.sweep.value}};
    return j;
}

void readTool(const Json& j, RunRecord& r) {
    read(j, "version", r.toolVersion);
    read(j, "git", r.git);
    read(j, "build_type", r.buildType);
    read(j, "compiler", r.compiler);
    read(j, "flags", r.flags);
    if (!j.contains("backends")) return;
    for (const Json& b : j["backends"]) {
        BackendBuild build;
        read(b, "id", build.id);
        if (b.contains("details")) build.details = pairsFrom(b["details"]);
        r.backends.push_back(std::move(build));
    }
}

InputRecord inputFrom(const Json& j) {
    InputRecord input;
    Shape& s = input.shape;
    read(j, "name", input.name);
    read(j, "width", s.width);
    read(j, "height", s.height);
    read(j, "depth", s.depth);
    read(j, "channels", input.channels);
    s.channels = static_cast<std::int64_t>(input.channels.size());
    // The number of samples must not overflow.
    constexpr std::int64_t kMaxSamples = std::int64_t{1} << 60;
    std::int64_t samples = 1;
    for (const std::int64_t extent : {s.width, s.height, s.depth, s.channels}) {
        if (extent < 0 || extent > kMaxSamples / samples) throw Error(ErrorCode::input, "it contains an impossible input size");
        samples *= std::max<std::int64_t>(extent, 1);
    }
    read(j, "hash", input.hash);
    read(j, "non_finite", input.nonFinite);
    return input;
}

ProtocolRecord protocolFrom(const Json& j) {
    ProtocolRecord p;
    read(j, "effort", p.effort);
    read(j, "warm_up", p.warmUp);
    read(j, "minimum_samples", p.minimumSamples);
    read(j, "minimum_seconds", p.minimumSeconds);
    read(j, "maximum_seconds", p.maximumSeconds);
    read(j, "target_noise", p.targetNoise);
    read(j, "seed", p.seed);
    return p;
}

RunRecord recordFrom(const Json& j) {
    if (!j.is_object() || j.value("schema", "") != kSchema) throw Error(ErrorCode::input, "it is not a run record");
    RunRecord r;
    read(j, "schema_version", r.version);
    if (r.version > kRunRecordVersion)
        throw Error(ErrorCode::input, "its version " + std::to_string(r.version) + " is newer than the supported version " +
                                          std::to_string(kRunRecordVersion));
    if (const auto t = j.find("tool"); t != j.end()) readTool(*t, r);
    read(j, "when", r.when);
    read(j, "command", r.command);
    if (j.contains("machine")) r.machine = machineFrom(j["machine"]);
    if (const auto i = j.find("input"); i != j.end()) r.input = inputFrom(*i);
    read(j, "recipe", r.recipe);
    if (const auto p = j.find("protocol"); p != j.end()) r.protocol = protocolFrom(*p);
    if (const auto s = j.find("sweep"); s != j.end()) {
        read(*s, "axis", r.sweep.axis);
        read(*s, "value", r.sweep.value);
    }
    read(j, "baseline", r.baseline);
    read(j, "warnings", r.warnings);
    if (const auto e = j.find("entries"); e != j.end())
        for (const Json& entry : *e) r.entries.push_back(entryFrom(entry));
    return r;
}

}  // namespace

std::string toJson(const std::vector<RunRecord>& records) {
    // File names need not be UTF-8: invalid bytes are replaced.
    const auto dump = [](const Json& j) { return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; };
    if (records.size() == 1) return dump(recordToJson(records.front()));
    Json list = Json::array();
    for (const RunRecord& r : records) list.push_back(recordToJson(r));
    return dump({{"schema", kListSchema}, {"schema_version", kRunRecordVersion}, {"records", std::move(list)}});
}

std::vector<RunRecord> recordsFromJson(std::string_view text, const std::string& name) {
    try {
        const Json j = parseJson<Json>(text);
        std::vector<RunRecord> records;
        if (j.is_object() && j.value("schema", "") == kListSchema) {
            for (const Json& r : j.at("records")) records.push_back(recordFrom(r));
        } else {
            records.push_back(recordFrom(j));
        }
        if (records.empty()) throw Error(ErrorCode::input, "it contains no record");
        return records;
    } catch (const Json::parse_error&) {
        throw Error(ErrorCode::input, "Cannot read report '" + name + "'", "it is not valid JSON",
                    "Use a JSON report written by 'parallax-cli bench --report'");
    } catch (const std::exception& e) {
        throw Error(ErrorCode::input, "Cannot read report '" + name + "'", e.what(),
                    "Use a JSON report written by 'parallax-cli bench --report'");
    }
}

std::vector<RunRecord> loadRecords(const std::string& path) { return recordsFromJson(readTextFile(path), path); }

}  // namespace parallax
