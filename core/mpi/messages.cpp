// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/messages.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr int kSmall = 1 << 20;  // bytes of a message that may be discarded

}  // namespace

void checkMpi(int code, const char* call) {
    if (code == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
    throw Error(ErrorCode::failed, std::string(call) + " failed", std::string(text.data(), static_cast<std::size_t>(length)));
}

template <class F>
void MpiMessages::inPieces(std::size_t bytes, F&& post) const {
    std::size_t at = 0;
    do {
        const std::size_t piece = std::min(bytes - at, channel_.largest);
        post(at, static_cast<int>(piece));
        at += piece;
    } while (at < bytes);
}

void MpiMessages::send(const void* data, std::size_t bytes, int to) {
    inPieces(bytes, [&](std::size_t at, int count) {
        MPI_Request request = MPI_REQUEST_NULL;
        checkMpi(MPI_Isend(static_cast<const std::byte*>(data) + at, count, MPI_BYTE, to, channel_.tag, channel_.communicator, &request),
                 "MPI_Isend");
        requests_.push_back(request);
        expected_.push_back({false, count});
    });
}

void MpiMessages::receive(void* data, std::size_t bytes, int from) {
    inPieces(bytes, [&](std::size_t at, int count) {
        MPI_Request request = MPI_REQUEST_NULL;
        checkMpi(MPI_Irecv(static_cast<std::byte*>(data) + at, count, MPI_BYTE, from, channel_.tag, channel_.communicator, &request),
                 "MPI_Irecv");
        requests_.push_back(request);
        expected_.push_back({true, count});
    });
}

std::size_t MpiMessages::bytes() const {
    std::size_t sum = 0;
    for (const Expected& e : expected_) sum += static_cast<std::size_t>(e.bytes);
    return sum;
}

bool MpiMessages::ended() {
    if (requests_.empty()) return true;
    const auto count = static_cast<int>(requests_.size());
    int ended = 0;
    std::vector<int> which(requests_.size());
    std::vector<MPI_Status> statuses(requests_.size());
    const int code = MPI_Testsome(count, requests_.data(), &ended, which.data(), statuses.data());
    if (code != MPI_ERR_IN_STATUS) checkMpi(code, "MPI_Testsome");
    if (ended == MPI_UNDEFINED || ended == 0) return false;
    bool disagreement = false;
    int failure = MPI_SUCCESS;
    for (int i = 0; i < ended; ++i) {
        const Expected& expected = expected_[static_cast<std::size_t>(which[static_cast<std::size_t>(i)])];
        const MPI_Status& status = statuses[static_cast<std::size_t>(i)];
        if (code == MPI_ERR_IN_STATUS && status.MPI_ERROR != MPI_SUCCESS) {
            int kind = MPI_SUCCESS;
            MPI_Error_class(status.MPI_ERROR, &kind);
            if (kind == MPI_ERR_TRUNCATE) disagreement = true;
            else failure = status.MPI_ERROR;
            continue;
        }
        int bytes = 0;
        if (expected.isReceive && MPI_Get_count(&status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes != expected.bytes) disagreement = true;
    }
    // Requests that have ended are null now.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        if (requests_[i] == MPI_REQUEST_NULL) continue;
        requests_[kept] = requests_[i];
        expected_[kept++] = expected_[i];
    }
    requests_.resize(kept);
    expected_.resize(kept);
    checkMpi(failure, "A message");
    if (disagreement) throw Error(ErrorCode::failed, kDisagreement);
    return requests_.empty();
}

bool MpiMessages::arrived() const {
    return std::all_of(requests_.begin(), requests_.end(), [](MPI_Request request) {
        int ended = 0;
        return MPI_Request_get_status(request, &ended, MPI_STATUS_IGNORE) != MPI_SUCCESS || ended != 0;
    });
}

void MpiMessages::cancelReceives() {
    for (std::size_t i = 0; i < requests_.size(); ++i)
        if (expected_[i].isReceive && requests_[i] != MPI_REQUEST_NULL) (void)MPI_Cancel(&requests_[i]);
}

bool MpiMessages::receivesEnded() {
    bool all = true;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        if (!expected_[i].isReceive || requests_[i] == MPI_REQUEST_NULL) continue;
        // One that was being received already ends as usual.
        int ended = 0;
        if (MPI_Test(&requests_[i], &ended, MPI_STATUS_IGNORE) == MPI_SUCCESS && !ended) all = false;
    }
    return all;
}

bool MpiMessages::smallSendsEnded() {
    bool all = true;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        if (expected_[i].isReceive || expected_[i].bytes > kSmall || requests_[i] == MPI_REQUEST_NULL) continue;
        int ended = 0;
        if (MPI_Test(&requests_[i], &ended, MPI_STATUS_IGNORE) == MPI_SUCCESS && !ended) all = false;
    }
    return all;
}

void MpiMessages::abandonSends() {
    for (MPI_Request& request : requests_)
        if (request != MPI_REQUEST_NULL) (void)MPI_Request_free(&request);
    requests_.clear();
    expected_.clear();
}

bool DiscardedMessages::discardArrived() {
    for (;;) {
        int found = 0, bytes = 0;
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        checkMpi(MPI_Improbe(MPI_ANY_SOURCE, channel_.tag, channel_.communicator, &found, &message, &status), "MPI_Improbe");
        if (!found) break;
        checkMpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
        if (bytes > kSmall) continue;
        Discarded& discarded = messages_.emplace_back(Discarded{.bytes = std::vector<std::byte>(static_cast<std::size_t>(bytes))});
        checkMpi(MPI_Imrecv(discarded.bytes.data(), bytes, MPI_BYTE, &message, &discarded.request), "MPI_Imrecv");
    }
    std::erase_if(messages_, [](Discarded& discarded) {
        int ended = 0;
        return MPI_Test(&discarded.request, &ended, MPI_STATUS_IGNORE) != MPI_SUCCESS || ended != 0;
    });
    return messages_.empty();
}

}  // namespace parallax
