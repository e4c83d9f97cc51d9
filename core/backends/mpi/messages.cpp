// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/messages.hpp"

namespace parallax {

ErrorMessage errorMessage(const Error& error) { return {error.code(), error.summary(), error.why(), error.whatToDo()}; }

Error errorOf(const ErrorMessage& message) {
    // The code comes from another process.
    const bool known = message.code >= ErrorCode::failed && message.code <= ErrorCode::cancelled;
    return {known ? message.code : ErrorCode::failed, message.what, message.why, message.whatToDo};
}

TimesMessage timesMessage(const StageTimes& times) {
    TimesMessage message;
    for (const Stage stage : kAllStages) {
        message.ns[static_cast<std::size_t>(stage)] = times[stage];
        message.spans[static_cast<std::size_t>(stage)] = times.span(stage);
    }
    message.wall = times.overlapped() ? times.endToEnd() : 0;
    message.reading = times.reading();
    message.origin = times.origin();
    message.pieces = times.pieces();
    return message;
}

StageTimes timesOf(const TimesMessage& message) {
    StageTimes times;
    for (const Stage stage : kAllStages) {
        times[stage] = message.ns[static_cast<std::size_t>(stage)];
        const StageTimes::Span& span = message.spans[static_cast<std::size_t>(stage)];
        if (span.known()) times.extendSpan(stage, span.begin, span.end);
    }
    if (message.wall > 0) times.setOverlapped(message.wall, message.reading);
    times.setOrigin(message.origin);
    std::vector<StageTimes::Piece> pieces;
    for (const StageTimes::Piece& piece : message.pieces) {
        if (piece.stage < Stage::load || piece.stage > Stage::display || piece.part < 0 || piece.part >= kMaxParts)
            throw Error(ErrorCode::failed, "The ranks report times that cannot be");
        pieces.push_back(piece);
    }
    times.keepPieces(std::move(pieces));
    return times;
}

}  // namespace parallax
