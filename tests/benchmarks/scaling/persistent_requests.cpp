// SPDX-License-Identifier: GPL-3.0-or-later
// Exchanges of halos between two ranks by MPI_Isend and MPI_Irecv, as in core/mpi, and by persistent requests, in turn. Prints the time of
// an exchange: the fastest and the median of many rounds, since other programs only add to it. Usage: mpirun -n 2 bench_mpi_requests
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

#include "core/mpi/mpi_ranks.hpp"

namespace {

constexpr std::array kSizes{512, 4096, 16384, 65536};  // bytes
constexpr int kRounds = 400, kExchanges = 50;

using Pair = std::array<MPI_Request, 2>;

void finish(Pair& pair) {
    for (int ended = 0; !ended;) (void)MPI_Testall(2, pair.data(), &ended, MPI_STATUSES_IGNORE);
}

/// Microseconds of each of several exchanges.
template <class F>
double timeOf(F&& exchange) {
    (void)MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < kExchanges; ++i) exchange();
    return (MPI_Wtime() - begin) / kExchanges * 1e6;
}

void measure(int rank, int bytes) {
    const int other = 1 - rank;
    std::vector<std::byte> sent(static_cast<std::size_t>(bytes)), received(sent.size());
    Pair persistent{};
    (void)MPI_Recv_init(received.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, persistent.data());
    (void)MPI_Send_init(sent.data(), bytes, MPI_BYTE, other, 1, MPI_COMM_WORLD, &persistent[1]);
    std::vector<double> single, again;
    for (int round = 0; round < kRounds; ++round) {
        single.push_back(timeOf([&] {
            Pair pair{};
            (void)MPI_Irecv(received.data(), bytes, MPI_BYTE, other, 2, MPI_COMM_WORLD, pair.data());
            (void)MPI_Isend(sent.data(), bytes, MPI_BYTE, other, 2, MPI_COMM_WORLD, &pair[1]);
            finish(pair);
        }));
        again.push_back(timeOf([&] {
            (void)MPI_Startall(2, persistent.data());
            finish(persistent);
        }));
    }
    for (MPI_Request& request : persistent) (void)MPI_Request_free(&request);
    if (rank > 0) return;
    std::sort(single.begin(), single.end());
    std::sort(again.begin(), again.end());
    const std::size_t middle = single.size() / 2;
    std::printf("%6d bytes: MPI_Isend, MPI_Irecv %.3f us (median %.3f); persistent %.3f us (median %.3f), %.1f %% less\n", bytes,
                single.front(), single[middle], again.front(), again[middle], 100 * (1 - again.front() / single.front()));
}

/// Exchanges a halo of one row in runs of their own.
void measureCommunicator(parallax::Communicator& communicator) {
    using namespace parallax;
    using Clock = std::chrono::steady_clock;
    const int other = 1 - communicator.rank();
    for (const int bytes : kSizes) {
        std::vector<float> sent(static_cast<std::size_t>(bytes) / sizeof(float)), received(sent.size());
        const Shape shape{static_cast<std::int64_t>(sent.size()), 1, 1, 1};
        std::vector<double> times;
        for (int round = 0; round < kRounds; ++round) {
            communicator.barrier();
            const auto begin = Clock::now();
            for (int i = 0; i < kExchanges; ++i)
                communicator.startExchange({{other, denseView(sent.data(), shape)}}, {{other, denseView(received.data(), shape)}})
                    ->finish();
            times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / kExchanges);
        }
        std::sort(times.begin(), times.end());
        if (communicator.rank() == 0)
            std::printf("%6d bytes: communicator %.3f us (median %.3f)\n", bytes, times.front(), times[times.size() / 2]);
    }
}

int runCommunicator() {
    const auto ranks = parallax::startMpi();
    if (ranks->rank() == 0) ranks->lead({}, 2, measureCommunicator, {});
    else (void)ranks->follow([](std::span<const std::byte>, parallax::Communicator& c) { measureCommunicator(c); });
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "communicator") return runCommunicator();
    int threads = 0, rank = 0, size = 0;
    (void)MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 2)
        for (const int bytes : kSizes) measure(rank, bytes);
    else if (rank == 0) std::fprintf(stderr, "bench_mpi_requests: start it by mpirun -n 2\n");
    (void)MPI_Finalize();
    return size == 2 ? 0 : 2;
}
