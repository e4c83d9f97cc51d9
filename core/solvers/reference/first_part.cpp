// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/reference/first_part.hpp"

#include <algorithm>
#include <array>

#include "core/solvers/array.hpp"

namespace parallax::solvers {
namespace {

template <class T>
void broadcastList(std::vector<T>& list, Communicator& communicator) {
    std::int64_t size[] = {static_cast<std::int64_t>(list.size())};
    communicator.broadcast(std::as_writable_bytes(std::span(size)), 0);
    list.resize(static_cast<std::size_t>(size[0]));
    communicator.broadcast(std::as_writable_bytes(std::span(list)), 0);
}

}  // namespace

void broadcastHistory(SolveHistory& history, Communicator& communicator) {
    broadcastList(history.points, communicator);
    broadcastList(history.removedMeans, communicator);
    broadcastList(history.removedShares, communicator);
    std::array<double, 3> numbers{static_cast<double>(history.end), history.tolerance, history.trueResidual};
    communicator.broadcast(std::as_writable_bytes(std::span(numbers)), 0);
    history.end = static_cast<SolveEnd>(numbers[0]);
    history.tolerance = numbers[1];
    history.trueResidual = numbers[2];
}

SolveHistory solveOnFirstPart(const Stencil& stencil, const GridPart& part, std::int64_t channels, const double* f, double* u,
                              SolveProgress& progress,
                              const std::function<SolveHistory(const Stencil& stencil, const double* f, double* u)>& solve) {
    Communicator* const communicator = part.communicator();
    if (!communicator) return solve(stencil, f, u);
    const bool isFirst = communicator->rank() == 0;
    const std::int64_t pixels = stencil.shape.pixels();
    const auto ofChannel = [&](auto* kept, std::int64_t c) { return kept + c * part.keptSamples() + part.samplesBefore(); };
    const auto whole = [&](std::int64_t arrays) { return makeArray(isFirst ? arrays * pixels : 0); };
    const Array<double> allF = whole(channels), allU = whole(channels);
    for (std::int64_t c = 0; c < channels; ++c) {
        part.gather(ofChannel(f, c), allF.get() + (isFirst ? c * pixels : 0), 0);
        part.gather(static_cast<const double*>(ofChannel(u, c)), allU.get() + (isFirst ? c * pixels : 0), 0);
    }
    Stencil all = stencil;
    std::array<Array<double>, 3> edges;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!stencil.edges[axis]) continue;
        edges[axis] = whole(1);
        part.gather(stencil.edges[axis] + part.first() * part.width(), edges[axis].get(), 0);
        all.edges[axis] = edges[axis].get();
    }
    SolveHistory history;
    if (isFirst) history = solve(all, allF.get(), allU.get());
    else progress.finishSolve();
    for (std::int64_t c = 0; c < channels; ++c) part.scatter(allU.get() + (isFirst ? c * pixels : 0), ofChannel(u, c), 0);
    broadcastHistory(history, *communicator);
    return history;
}

}  // namespace parallax::solvers
