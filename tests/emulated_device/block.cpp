// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_device/block.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "tests/emulated_device/fibre.hpp"

uint3 threadIdx{}, blockIdx{};
dim3 blockDim, gridDim;

namespace emulatedDevice {

unsigned linearThread = 0;

Dice::Dice(std::uint64_t purpose) {
    const char* text = std::getenv("PARALLAX_EMULATED_SEED");
    const std::uint64_t seed = text && *text ? std::strtoull(text, nullptr, 10) : 1;
    // SplitMix64 (Steele, Lea, Flood 2014): neighbouring seeds give unrelated numbers.
    std::uint64_t z = (seed * 64 + purpose) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    state_ = (z ^ (z >> 31)) | 1;
}

void fillWithGarbage(void* p, std::size_t bytes, Dice& dice) {
    static constexpr unsigned char kinds[] = {0xFF, 0x7B, 0x3F, 0xC1};
    std::memset(p, kinds[dice.below(std::size(kinds))], bytes);
}

// ---- a block ------------------------------------------------------------------------------------------------------------------------

enum class State : unsigned char { unstarted, runs, waitsForBlock, waitsForWarp, paused, ended };

struct AsyncCopy {
    void* to;
    const void* from;
    std::size_t bytes, zeros;
};

struct alignas(64) Thread {
    // Data of every switch, in one cache line.
    uint3 index{};
    unsigned linear = 0;
    Fibre* fibre = nullptr;
    Place place{};
    unsigned mask = 0;
    State state = State::unstarted;
    Exchange operation{};
    int source = 0;
    std::uint64_t value = 0, result = 0;
    std::vector<AsyncCopy> copies;     ///< not yet made
    std::vector<std::size_t> batches;  ///< end of each committed batch in `copies`
};

struct Warp {
    unsigned waiting = 0, ended = 0;  ///< lanes; those beyond the block count as ended
};

struct SharedVariable {
    const void* key;
    std::size_t offset, bytes, alignment;
};

class Block {
public:
    /// `main`: the fibre that calls it.
    std::string run(const Configuration& c, const char* name, std::size_t sharedLimit, const std::function<void()>& body, Fibre& main);

    void fibre();
    void pause();
    int waitForBlock(Vote vote, bool value, Place place);
    std::uint64_t exchange(Exchange operation, unsigned mask, std::uint64_t value, int source, Place place);
    unsigned activeLanes() const;
    void* variable(const void* key, std::size_t bytes, std::size_t alignment, Place place);
    void* dynamic(std::size_t alignment, Place place);
    void wrong(const std::string& what);
    [[noreturn]] void abandon();
    void abandonFibres();

    Thread& running() { return *running_; }

private:
    static constexpr std::size_t kRedZone = 64;
    static constexpr unsigned char kGuard = 0xA7;

    void runBlock();
    Thread* takeUnstarted();
    /// Wraps an index, cheaper than a division.
    std::size_t wrapped(std::size_t i) const { return i < count_ ? i : i - count_; }
    void suspend(State state);
    void switchTo(Fibre& to, bool forGood);
    void arrived();
    void end(Thread& thread);
    Fibre* nextFibre();
    void completeWarp(std::size_t warp, unsigned mask, Exchange operation);
    bool warpIsComplete(std::size_t warp, const Thread& thread) const;
    std::string whoWaits() const;
    void resetShared();
    std::string checkShared() const;
    void guard(std::size_t offset, std::size_t bytes);

    Dice dice_{1};
    const std::function<void()>* body_ = nullptr;
    const char* name_ = "";
    std::size_t dynamicBytes_ = 0, sharedLimit_ = 0;

    std::vector<Thread> threads_;
    std::vector<Warp> warps_;
    std::vector<std::unique_ptr<Fibre>> fibres_;
    std::vector<Fibre*> freeFibres_;
    std::vector<Thread*> ready_;
    std::size_t readyHead_ = 0;
    Fibre* main_ = nullptr;
    std::vector<Thread*> paused_;
    Fibre* current_ = nullptr;
    Thread* running_ = nullptr;
    std::size_t count_ = 0, started_ = 0, ended_ = 0, next_ = 0, step_ = 1;
    std::size_t atBarrier_ = 0;
    Vote vote_ = Vote::none;
    int votes_ = 0, voted_ = 0;
    Place barrierPlace_{};
    std::string error_;

    // Shared memory: consecutive variables with guards between them, the dynamic part last. Guards do not count towards the limit.
    std::vector<unsigned char> memory_ = std::vector<unsigned char>(kSharedAtMost + 65536 + 4096);
    std::vector<SharedVariable> variables_;
    std::size_t used_ = 0, counted_ = 0;
};

/// A stack for operations, with a block for the kernel that one of them runs.
struct Task::Parts {
    Block block;
    std::unique_ptr<Fibre> fibre = makeFibre(4 * kStackBytes);
    Fibre host;
    const std::function<void()>* work = nullptr;
    bool ended = true;
};

namespace {

Task::Parts* runningTask = nullptr;

Block& block() { return runningTask->block; }

/// The entry of the stack of a task.
void runTask() {
    enteredFibre();
    Task::Parts& task = *runningTask;
    (*task.work)();
    task.ended = true;
    switchFibre(*task.fibre, task.host, true);
    std::abort();
}

/// Returns to the thread that runs operations, until that resumes the task.
void pauseTask() {
    Task::Parts& task = *runningTask;
    const dim3 grid = gridDim, threads = blockDim;
    const uint3 index = blockIdx;
    const int device = leaveKernel();
    switchFibre(*task.fibre, task.host, false);
    enterKernel(device);
    gridDim = grid, blockDim = threads, blockIdx = index;
}

std::string text(Place place) { return std::string(place.file) + ":" + std::to_string(place.line); }
std::string text(uint3 i) { return "(" + std::to_string(i.x) + ", " + std::to_string(i.y) + ", " + std::to_string(i.z) + ")"; }
bool same(Place a, Place b) { return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0); }

void runThreads();

}  // namespace

void Block::switchTo(Fibre& to, bool forGood) {
    Fibre& from = *current_;
    current_ = &to;
    switchFibre(from, to, forGood);
    arrived();
}

/// The function that a fibre runs.
void Block::arrived() {
    running_ = current_->thread;
    if (!running_) return;
    threadIdx = running_->index;
    linearThread = running_->linear;
}

Thread* Block::takeUnstarted() {
    if (started_ == count_) return nullptr;
    Thread& thread = threads_[next_];
    next_ = wrapped(next_ + step_);
    ++started_;
    return &thread;
}

/// Returns a fibre that can run, or nullptr.
Fibre* Block::nextFibre() {
    if (readyHead_ < ready_.size()) {
        Thread* const thread = ready_[readyHead_++];
        if (readyHead_ == ready_.size()) ready_.clear(), readyHead_ = 0;
        return thread->fibre;
    }
    if (started_ == count_) return nullptr;
    if (freeFibres_.empty()) {
        fibres_.push_back(makeFibre(kStackBytes));
        freeFibres_.push_back(fibres_.back().get());
    }
    Fibre* const fibre = freeFibres_.back();
    freeFibres_.pop_back();
    fibre->thread = nullptr;
    rewind(*fibre, fibres_.size() - freeFibres_.size(), runThreads);
    return fibre;
}

/// The body of a fibre: runs threads one after the other until none is left.
void Block::fibre() {
    Fibre& mine = *current_;
    for (Thread* thread = takeUnstarted(); thread; thread = takeUnstarted()) {
        thread->state = State::runs;
        thread->fibre = &mine;
        mine.thread = thread;
        arrived();
        (*body_)();
        end(*thread);
    }
    mine.thread = nullptr;
    freeFibres_.push_back(&mine);
    Fibre* const next = nextFibre();
    switchTo(next ? *next : *main_, true);
    std::abort();  // a free fibre is restarted instead
}

namespace {

void runThreads() {
    enteredFibre();
    block().fibre();
}

}  // namespace

void Block::suspend(State state) {
    running_->state = state;
    Fibre* const next = nextFibre();
    switchTo(next ? *next : *main_, false);
    running_->state = State::runs;
}

void Block::pause() {
    paused_.push_back(running_);
    suspend(State::paused);
}

void Block::end(Thread& thread) {
    if (!thread.copies.empty()) {
        pipelineCommit();
        pipelineWait(0);
    }
    thread.batches.clear();
    thread.state = State::ended;
    ++ended_;
    const std::size_t w = thread.linear / kWarpSize;
    Warp& warp = warps_[w];
    warp.ended |= 1U << (thread.linear % kWarpSize);
    // Lanes that waited for this one may continue.
    for (unsigned waiting = warp.waiting; waiting != 0; waiting &= waiting - 1) {
        const Thread& other = threads_[w * kWarpSize + static_cast<std::size_t>(std::countr_zero(waiting))];
        if (warpIsComplete(w, other)) {
            completeWarp(w, other.mask, other.operation);
            waiting &= warp.waiting | (waiting & -waiting);  // the loop removes the lowest one
        }
    }
}

/// Builds the text before abandon(), since nothing on the stack of this fibre is destroyed after it.
void Block::wrong(const std::string& what) {
    error_ = "kernel " + std::string(name_) + ", block " + text(blockIdx) + ", thread " + text(running_->index) + ": " + what;
}
void Block::abandon() {
    switchTo(*main_, true);
    std::abort();
}

int Block::waitForBlock(Vote vote, bool value, Place place) {
    Thread& me = *running_;
    me.place = place;
    if (atBarrier_ == 0) {
        barrierPlace_ = place, vote_ = vote, votes_ = 0;
    } else if (!same(place, barrierPlace_)) {
        wrong("waits for the block at " + text(place) + " while others wait for it at " + text(barrierPlace_));
        abandon();
    }
    votes_ += value ? 1 : 0;
    if (++atBarrier_ < count_) {
        suspend(State::waitsForBlock);
    } else {
        atBarrier_ = 0;
        const auto total = static_cast<int>(count_);
        voted_ = vote == Vote::count ? votes_ : vote == Vote::all ? votes_ == total : votes_ > 0;
        // All others continue, in random order.
        std::size_t at = dice_.below(count_);
        const std::size_t step = dice_.one(2) ? 1 : count_ - 1;
        for (std::size_t i = 0; i < count_; ++i, at = wrapped(at + step))
            if (&threads_[at] != &me) ready_.push_back(&threads_[at]);
    }
    return voted_;  // result of this barrier: the next one cannot complete without this thread
}

bool Block::warpIsComplete(std::size_t w, const Thread& thread) const {
    const Warp& warp = warps_[w];
    if ((thread.mask & ~(warp.waiting | warp.ended)) != 0) return false;
    for (unsigned lanes = thread.mask & warp.waiting; lanes != 0; lanes &= lanes - 1) {
        const Thread& other = threads_[w * kWarpSize + static_cast<std::size_t>(std::countr_zero(lanes))];
        if (other.mask != thread.mask || other.operation != thread.operation) return false;
    }
    return true;
}

/// All lanes of the mask that have not ended have arrived: computes their results and resumes them.
void Block::completeWarp(std::size_t w, unsigned mask, Exchange operation) {
    Warp& warp = warps_[w];
    const unsigned lanes = mask & warp.waiting;
    const auto lane = [&](int i) -> Thread& { return threads_[w * kWarpSize + static_cast<std::size_t>(i)]; };
    const auto forAll = [&](auto&& f) {
        for (unsigned rest = lanes; rest != 0; rest &= rest - 1) f(std::countr_zero(rest));
    };
    const auto reduce = [&](auto&& combine) {
        bool any = false;
        std::uint32_t total = 0;
        forAll([&](int i) {
            const auto value = static_cast<std::uint32_t>(lane(i).value);
            total = any ? combine(total, value) : value;
            any = true;
        });
        forAll([&](int i) { lane(i).result = total; });
    };
    switch (operation) {
        case Exchange::none: break;
        case Exchange::take:
            forAll([&](int i) {
                const int from = lane(i).source;
                lane(i).result = (lanes >> from) & 1U ? lane(from).value : dice_.next() | 0x7FF8'0000'7FC0'0000ULL;
            });
            break;
        case Exchange::ballot: {
            unsigned votes = 0;
            forAll([&](int i) { votes |= lane(i).value != 0 ? 1U << i : 0U; });
            forAll([&](int i) { lane(i).result = votes; });
            break;
        }
        case Exchange::matchAny:
            forAll([&](int i) {
                unsigned equal = 0;
                forAll([&](int j) { equal |= lane(i).value == lane(j).value ? 1U << j : 0U; });
                lane(i).result = equal;
            });
            break;
        case Exchange::matchAll: {
            bool all = true;
            forAll([&](int i) { all = all && lane(i).value == lane(std::countr_zero(lanes)).value; });
            forAll([&](int i) { lane(i).result = all ? lanes : 0; });
            break;
        }
        case Exchange::sum: reduce([](std::uint32_t a, std::uint32_t b) { return a + b; }); break;
        case Exchange::minimum: reduce([](std::uint32_t a, std::uint32_t b) { return std::min(a, b); }); break;
        case Exchange::maximum: reduce([](std::uint32_t a, std::uint32_t b) { return std::max(a, b); }); break;
        case Exchange::signedMinimum:
            reduce([](std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(b) < static_cast<std::int32_t>(a) ? b : a; });
            break;
        case Exchange::signedMaximum:
            reduce([](std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? b : a; });
            break;
        case Exchange::bitAnd: reduce([](std::uint32_t a, std::uint32_t b) { return a & b; }); break;
        case Exchange::bitOr: reduce([](std::uint32_t a, std::uint32_t b) { return a | b; }); break;
        case Exchange::bitXor: reduce([](std::uint32_t a, std::uint32_t b) { return a ^ b; }); break;
    }
    warp.waiting &= ~lanes;
    forAll([&](int i) {
        if (lane(i).state == State::waitsForWarp) ready_.push_back(&lane(i));
    });
}

std::uint64_t Block::exchange(Exchange operation, unsigned mask, std::uint64_t value, int source, Place place) {
    Thread& me = *running_;
    const std::size_t w = me.linear / kWarpSize;
    const unsigned bit = 1U << (me.linear % kWarpSize);
    if ((mask & bit) == 0) {
        wrong("calls a function of its warp at " + text(place) + " with a mask that leaves it out");
        abandon();
    }
    me.place = place, me.operation = operation, me.mask = mask, me.value = value, me.source = source & (kWarpSize - 1);
    warps_[w].waiting |= bit;
    if (warpIsComplete(w, me)) completeWarp(w, mask, operation);
    else suspend(State::waitsForWarp);
    return me.result;
}

unsigned Block::activeLanes() const {
    const std::size_t w = running_->linear / kWarpSize;
    unsigned lanes = 0;
    for (std::size_t i = 0; i < kWarpSize && w * kWarpSize + i < count_; ++i)
        if (threads_[w * kWarpSize + i].state == State::runs) lanes |= 1U << i;
    return lanes;
}

// ---- shared memory ------------------------------------------------------------------------------------------------------------------

void Block::guard(std::size_t offset, std::size_t bytes) {
    std::memset(memory_.data() + offset, kGuard, bytes);
#if defined(PARALLAX_EMULATED_ASAN)
    __asan_poison_memory_region(memory_.data() + offset, bytes);
#endif
}

void Block::resetShared() {
#if defined(PARALLAX_EMULATED_ASAN)
    __asan_unpoison_memory_region(memory_.data(), used_);
#endif
    variables_.clear();
    used_ = counted_ = 0;
}

void* Block::variable(const void* key, std::size_t bytes, std::size_t alignment, Place place) {
    for (const SharedVariable& v : variables_)
        if (v.key == key) return memory_.data() + v.offset;
    counted_ = (counted_ + alignment - 1) / alignment * alignment + bytes;
    if (counted_ > sharedLimit_) {
        wrong("asks at " + text(place) + " for more shared memory than it may have: " + std::to_string(counted_) + " bytes of " +
              std::to_string(sharedLimit_));
        abandon();
    }
    // Exact to a byte, so that the guard begins directly behind.
    const auto base = reinterpret_cast<std::uintptr_t>(memory_.data());
    const std::size_t offset = (base + used_ + kRedZone + alignment - 1) / alignment * alignment - base;
    if (offset + bytes + kRedZone > memory_.size()) {
        wrong("has too many variables in shared memory for the emulation");
        abandon();
    }
#if defined(PARALLAX_EMULATED_ASAN)
    __asan_unpoison_memory_region(memory_.data() + used_, offset + bytes + kRedZone - used_);
#endif
    guard(used_, offset - used_);
    fillWithGarbage(memory_.data() + offset, bytes, dice_);
    guard(offset + bytes, kRedZone);
    used_ = offset + bytes + kRedZone;
    variables_.push_back({key, offset, bytes, alignment});
    return memory_.data() + offset;
}

void* Block::dynamic(std::size_t alignment, Place place) {
    static const char key = 0;
    // A block that requested none gets none, so that the first access is detected.
    return variable(&key, dynamicBytes_, std::max<std::size_t>(alignment, 16), place);
}

std::string Block::checkShared() const {
#if defined(PARALLAX_EMULATED_ASAN)
    __asan_unpoison_memory_region(memory_.data(), used_);
#endif
    std::size_t end = 0;
    for (const SharedVariable& v : variables_) {
        for (std::size_t i = end; i < v.offset; ++i)
            if (memory_[i] != kGuard) return "wrote before an array in shared memory of " + std::to_string(v.bytes) + " bytes";
        end = v.offset + v.bytes;
        for (std::size_t i = 0; i < kRedZone; ++i)
            if (memory_[end + i] != kGuard)
                return "wrote " + std::to_string(i) + " bytes behind an array in shared memory of " + std::to_string(v.bytes) + " bytes";
        end += kRedZone;
    }
    return {};
}

// ---- all blocks ---------------------------------------------------------------------------------------------------------------------

std::string Block::whoWaits() const {
    std::vector<std::pair<std::string, int>> places;
    for (std::size_t i = 0; i < count_; ++i) {
        const Thread& t = threads_[i];
        std::string what = t.state == State::ended           ? "have ended"
                           : t.state == State::waitsForBlock ? "wait for the block at " + text(t.place)
                                                             : "wait for lanes of their warp at " + text(t.place);
        const auto found = std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.first == what; });
        if (found == places.end()) places.emplace_back(std::move(what), 1);
        else ++found->second;
    }
    std::string all;
    for (const auto& [what, threads] : places) all += (all.empty() ? "" : ", ") + std::to_string(threads) + " " + what;
    return "of " + std::to_string(count_) + " threads " + all;
}

void Block::runBlock() {
    resetShared();
    started_ = ended_ = atBarrier_ = 0;
    next_ = dice_.below(count_);
    // A step that is coprime to the count visits each thread once; mostly neighbours, for the cache.
    step_ = dice_.one(2) ? 1 : count_ - 1;
    if (dice_.one(4)) {
        do step_ = dice_.below(count_) + 1;
        while (std::gcd(step_, count_) != 1);
    }
    if (count_ == 1) step_ = 1;
    for (Thread& t : threads_) t.state = State::unstarted;
    for (std::size_t w = 0; w < warps_.size(); ++w) {
        const std::size_t lanes = std::min<std::size_t>(count_ - w * kWarpSize, kWarpSize);
        warps_[w] = {0, lanes == kWarpSize ? 0U : ~0U << lanes};
    }
    ready_.clear();
    readyHead_ = 0;
    paused_.clear();
    current_ = main_;
    for (;;) {
        while (Fibre* next = nextFibre()) {
            switchTo(*next, false);
            if (!error_.empty()) return;
        }
        if (paused_.empty()) break;
        pauseTask();
        ready_.swap(paused_);
    }
    running_ = nullptr;
    if (ended_ < count_) error_ = "kernel " + std::string(name_) + ", block " + text(blockIdx) + " hangs: " + whoWaits();
    else if (const std::string damage = checkShared(); !damage.empty())
        error_ = "kernel " + std::string(name_) + ", block " + text(blockIdx) + " " + damage;
}

std::string Block::run(const Configuration& c, const char* name, std::size_t sharedLimit, const std::function<void()>& body, Fibre& main) {
    main_ = &main;
    body_ = &body;
    name_ = name;
    dynamicBytes_ = c.sharedBytes;
    sharedLimit_ = sharedLimit;
    blockDim = c.block;
    gridDim = c.grid;
    count_ = static_cast<std::size_t>(c.block.x) * c.block.y * c.block.z;
    threads_.resize(count_);
    warps_.resize((count_ + kWarpSize - 1) / kWarpSize);
    std::size_t i = 0;
    for (unsigned z = 0; z < c.block.z; ++z)
        for (unsigned y = 0; y < c.block.y; ++y)
            for (unsigned x = 0; x < c.block.x; ++x, ++i) {
                threads_[i].index = {x, y, z};
                threads_[i].linear = static_cast<unsigned>(i);
            }
    error_.clear();
    const std::uint64_t blocks = std::uint64_t{c.grid.x} * c.grid.y * c.grid.z;
    const std::uint64_t first = dice_.next() % blocks;
    const bool backwards = dice_.one(2);
    for (std::uint64_t n = 0; n < blocks && error_.empty(); ++n) {
        const std::uint64_t b = (first + (backwards ? blocks - n : n)) % blocks;
        blockIdx = {static_cast<unsigned>(b % c.grid.x), static_cast<unsigned>(b / c.grid.x % c.grid.y),
                    static_cast<unsigned>(b / c.grid.x / c.grid.y)};
        runBlock();
    }
    resetShared();
    if (!error_.empty()) abandonFibres();
    running_ = nullptr;
    return error_;
}

/// Makes fibres free that hang or were left in the middle.
void Block::abandonFibres() {
    freeFibres_.clear();
    for (const auto& f : fibres_) {
        freeFibres_.push_back(f.get());
#if defined(PARALLAX_EMULATED_ASAN)
        f->broken = true;
#endif
    }
    for (Thread& t : threads_) t.copies.clear(), t.batches.clear();
}

// ---- tasks --------------------------------------------------------------------------------------------------------------------------

Task::Task() : parts_(std::make_unique<Parts>()) {}
Task::~Task() = default;

void Task::begin(const std::function<void()>& work) {
    parts_->work = &work;
    parts_->ended = false;
    rewind(*parts_->fibre, 0, runTask);
}

bool Task::resume() {
    runningTask = parts_.get();
    adoptStack(parts_->host);
    switchFibre(parts_->host, *parts_->fibre, false);
    runningTask = nullptr;
    return parts_->ended;
}

void Task::abandon() {
    parts_->ended = true;
    parts_->block.abandonFibres();
#if defined(PARALLAX_EMULATED_ASAN)
    parts_->fibre->broken = true;
#endif
}

std::string runLaunch(const Configuration& configuration, const char* name, std::size_t sharedLimit, const std::function<void()>& thread) {
    return block().run(configuration, name, sharedLimit, thread, *runningTask->fibre);
}
void pauseKernel() { block().pause(); }

void noteFailure(const std::string& what) { block().wrong(what); }
void abandonKernel() { block().abandon(); }
void failKernel(const char* what, Place place) {
    noteFailure(std::string(what) + " at " + text(place));
    abandonKernel();
}
int waitForBlock(Vote vote, bool value, Place place) { return block().waitForBlock(vote, value, place); }
std::uint64_t exchange(Exchange operation, unsigned mask, std::uint64_t value, int source, Place place) {
    return block().exchange(operation, mask, value, source, place);
}
unsigned activeLanes() { return block().activeLanes(); }
void* sharedVariable(const void* key, std::size_t bytes, std::size_t alignment, Place place) {
    return block().variable(key, bytes, alignment, place);
}
void* dynamicSharedMemory(std::size_t alignment, Place place) { return block().dynamic(alignment, place); }

void checkLaunchBounds(int threads, Place place) {
    const std::size_t count = static_cast<std::size_t>(blockDim.x) * blockDim.y * blockDim.z;
    if (count > static_cast<std::size_t>(threads)) failKernel("has more threads a block than its __launch_bounds__", place);
}

void pipelineCopy(void* to, const void* from, std::size_t bytes, std::size_t zeros, Place place) {
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes) failKernel("copies other than 4, 8 or 16 bytes", place);
    if (reinterpret_cast<std::uintptr_t>(to) % bytes != 0 || reinterpret_cast<std::uintptr_t>(from) % bytes != 0)
        failKernel("copies from or to an address that is not a multiple of the size", place);
    block().running().copies.push_back({to, from, bytes, zeros});
}
void pipelineCommit() {
    Thread& t = block().running();
    t.batches.push_back(t.copies.size());
}
void pipelineWait(unsigned batchesLeft) {
    Thread& t = block().running();
    if (t.batches.size() <= batchesLeft) return;
    const std::size_t complete = t.batches.size() - batchesLeft, end = t.batches[complete - 1];
    for (std::size_t i = 0; i < end; ++i) {
        const AsyncCopy& c = t.copies[i];
        std::memcpy(c.to, c.from, c.bytes - c.zeros);
        std::memset(static_cast<char*>(c.to) + c.bytes - c.zeros, 0, c.zeros);
    }
    t.copies.erase(t.copies.begin(), t.copies.begin() + static_cast<std::ptrdiff_t>(end));
    t.batches.erase(t.batches.begin(), t.batches.begin() + static_cast<std::ptrdiff_t>(complete));
    for (std::size_t& b : t.batches) b -= end;
}

}  // namespace emulatedDevice
