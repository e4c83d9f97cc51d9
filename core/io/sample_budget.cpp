// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/sample_budget.hpp"

#include <atomic>

namespace parallax {
namespace {

std::atomic<std::uint64_t> budget = ~std::uint64_t{0};

class NoMemory final : public Allocator {
public:
    MemorySpace space() const override { return MemorySpace::host; }
    void* allocate(std::size_t) override { return nullptr; }
    void release(void*, std::size_t) noexcept override {}
};

}  // namespace

void setSampleBudget(std::uint64_t bytes) { budget = bytes; }

bool withinSampleBudget(const Shape& shape) { return checkedBytes(shape, SampleType::float32) <= budget; }

Buffer sampleBuffer(const Shape& shape) {
    return withinSampleBudget(shape) ? Buffer(shape) : Buffer(shape, SampleType::float32, std::make_shared<NoMemory>());
}

Shape shapeToRead(const Shape& shape, const std::optional<PartRange>& part) {
    Shape own = shape;
    if (part) (shape.depth > 1 ? own.depth : own.height) = part->count();
    return own;
}

Buffer sampleBuffer(const Shape& shape, const std::optional<PartRange>& part) {
    if (part && part->empty()) return Buffer(shape, SampleType::float32, std::make_shared<NoMemory>());
    return part ? Buffer(shapeToRead(shape, part)) : sampleBuffer(shape);
}

}  // namespace parallax
