// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/openmp/affinity.hpp"

#include <omp.h>

#include <algorithm>
#include <vector>

namespace parallax {
namespace {

bool bound() { return omp_get_proc_bind() != omp_proc_bind_false && omp_get_num_places() > 0; }

void addPlace(int place, cpu_set_t& set) {
    std::vector<int> processors(static_cast<std::size_t>(std::max(omp_get_place_num_procs(place), 0)));
    omp_get_place_proc_ids(place, processors.data());
    for (const int p : processors)
        if (p >= 0 && p < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(p), &set);
}

}  // namespace

void releaseCallingThread() {
    if (!bound()) return;
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int place = 0; place < omp_get_num_places(); ++place) addPlace(place, all);
    if (CPU_COUNT(&all) > 0) (void)sched_setaffinity(0, sizeof all, &all);
}

std::string threadBinding() {
    if (!bound()) return "free to move";
    const int places = omp_get_num_places();
    return "bound to " + std::to_string(places) + (places == 1 ? " place" : " places");
}

CallerAffinity::CallerAffinity() {
    CPU_ZERO(&before_);
    active_ = bound() && sched_getaffinity(0, sizeof before_, &before_) == 0;
}

CallerAffinity::~CallerAffinity() {
    if (active_) (void)sched_setaffinity(0, sizeof before_, &before_);
}

void CallerAffinity::bind() const {
    if (!active_) return;
    cpu_set_t place;
    CPU_ZERO(&place);
    addPlace(std::max(omp_get_place_num(), 0), place);
    if (CPU_COUNT(&place) > 0) (void)sched_setaffinity(0, sizeof place, &place);
}

}  // namespace parallax
