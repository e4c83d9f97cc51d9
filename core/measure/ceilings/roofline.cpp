// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ceilings/roofline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/image/texts.hpp"
#include "core/measure/sampling/entry_times.hpp"

namespace parallax {
namespace {

constexpr double kAllowed = 1.05;  // measurement error of ceilings

/// Capacity of the level of a working set, see README.md.
double capacity(const CeilingRecord& c) {
    const auto bytes = static_cast<double>(c.bytes);
    if (c.level == "L1" || c.level == "L3") return 2 * bytes;
    if (c.level == "L2") return bytes / 0.75;
    return std::numeric_limits<double>::infinity();
}

/// Transfers and links between parts do not.
bool limitsKernels(const CeilingRecord& c) {
    constexpr std::array<std::string_view, 5> kLinks{"upload", "download", kThreadLink, kPeerLink, kRankLink};
    return std::find(kLinks.begin(), kLinks.end(), c.name) == kLinks.end();
}

struct Attainable {
    double value = 0;
    std::string name;
};

Attainable attainable(const std::vector<Ceiling>& ceilings, const std::string& device, double intensity, double bytes) {
    Attainable result;
    double rate = 0;
    std::string rateName;
    for (const Ceiling& r : ceilings)
        if (r.device == device && r.isRate && r.value > rate) rate = r.value, rateName = r.name;
    const Ceiling* level = nullptr;
    for (const Ceiling& r : ceilings)
        if (r.device == device && !r.isRate && r.holdsBytes >= bytes && (!level || r.holdsBytes < level->holdsBytes)) level = &r;
    if (rate <= 0 || !level) return result;
    const double moved = level->value * intensity;
    return moved < rate ? Attainable{moved, level->name} : Attainable{rate, rateName};
}

}  // namespace

const char* unitOf(RooflineQuantity quantity) {
    switch (quantity) {
        case RooflineQuantity::operations: return "GFLOP/s";
        case RooflineQuantity::bytes: return "GB/s";
        case RooflineQuantity::samples: return "Gsample/s";
    }
    return "";
}

double valueAt(const Ceiling& ceiling, double intensity, RooflineQuantity quantity) {
    if (quantity == RooflineQuantity::bytes) return ceiling.isRate ? ceiling.value / intensity : ceiling.value;
    return ceiling.isRate ? ceiling.value : ceiling.value * intensity;
}

double RooflinePoint::scale(RooflineQuantity quantity) const {
    switch (quantity) {
        case RooflineQuantity::operations: break;
        case RooflineQuantity::bytes: return gigabytes / gigaflops;
        case RooflineQuantity::samples: return gigasamples / gigaflops;
    }
    return 1;
}

std::vector<Ceiling> bestCeilings(const std::vector<CeilingRecord>& ceilings) {
    std::vector<Ceiling> best;
    for (const CeilingRecord& c : ceilings) {
        int most = 0;
        for (const CeilingRecord& other : ceilings)
            if (other.device == c.device && limitsKernels(other)) most = std::max(most, other.threads);
        if (c.threads != most || !(c.value > 0) || !limitsKernels(c)) continue;
        const bool isRate = c.bytes == 0;
        const auto same = std::find_if(best.begin(), best.end(),
                                       [&](const Ceiling& r) { return r.device == c.device && r.isRate == isRate && r.name == c.level; });
        if (same == best.end()) best.push_back({c.device, c.level, isRate, c.value, c.threads, isRate ? 0 : capacity(c)});
        else same->value = std::max(same->value, c.value);
    }
    std::stable_sort(best.begin(), best.end(), [](const Ceiling& a, const Ceiling& b) {
        if (a.device != b.device) return a.device < b.device;
        if (a.isRate != b.isRate) return !a.isRate;
        return a.isRate ? a.value > b.value : a.holdsBytes < b.holdsBytes;
    });
    return best;
}

void addSumsOfDevices(std::vector<Ceiling>& ceilings, const std::vector<RunEntry>& entries) {
    for (const RunEntry& e : entries) {
        const auto times = e.device.find(" x ");
        int devices = 0;
        if (times == std::string::npos || !parseNumber(std::string_view(e.device).substr(0, times), devices) || devices < 2) continue;
        if (std::any_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& c) { return c.device == e.device; })) continue;
        const std::string one = e.device.substr(times + 3);
        for (std::size_t i = 0, measured = ceilings.size(); i < measured; ++i) {
            if (ceilings[i].device != one) continue;
            Ceiling sum = ceilings[i];
            sum.device = e.device;
            sum.value *= devices;
            sum.holdsBytes *= devices;
            ceilings.push_back(std::move(sum));
        }
    }
}

std::vector<RooflinePoint> rooflinePoints(const std::vector<RunRecord>& records, const std::vector<CeilingRecord>& fresh) {
    std::vector<RooflinePoint> points;
    for (std::size_t r = 0; r < records.size(); ++r) {
        std::vector<Ceiling> ceilings = bestCeilings(records[r].machine.ceilings.empty() ? fresh : records[r].machine.ceilings);
        addSumsOfDevices(ceilings, records[r].entries);
        for (std::size_t i = 0; i < records[r].entries.size(); ++i) {
            const RunEntry& e = records[r].entries[i];
            if (e.samples.empty() || !(e.flops > 0) || !(e.bytes > 0)) continue;
            const SampleSummary time = summarise(timesOf(e, Time::compute));
            if (!(time.median > 0)) continue;
            RooflinePoint p;
            p.record = r;
            p.entry = i;
            p.label = e.label;
            p.device = e.device;
            p.onProcessor = e.threads > 0;
            p.wrong = e.verification == Verification::disagrees;
            p.intensity = e.flops / e.bytes;
            p.gigaflops = e.flops / time.median;
            p.gigabytes = e.bytes / time.median;
            p.gigasamples = static_cast<double>(records[r].input.shape.samples()) / time.median;
            p.low = time.medianInterval.high > 0 ? e.flops / time.medianInterval.high : p.gigaflops;
            p.high = time.medianInterval.low > 0 ? e.flops / time.medianInterval.low : p.gigaflops;
            const std::string device = p.onProcessor ? std::string() : e.device;
            const Attainable limit = attainable(ceilings, device, p.intensity, e.bytes);
            p.attainable = limit.value;
            p.boundBy = limit.name;
            p.aboveCeiling = limit.value > 0 && p.low > kAllowed * limit.value;
            const Attainable highest = attainable(ceilings, device, p.intensity, 0);
            p.impossible = highest.value > 0 && p.low > kAllowed * highest.value;
            points.push_back(std::move(p));
        }
    }
    return points;
}

}  // namespace parallax
