// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram adjustment (Ward Larson, Rushmeier and Piatko 1997) in five kernels: the range of luminance by a tree in shared memory, the
// histogram of brightness by atomics, its cumulative distribution by a Blelloch scan, and the map. Try it with operator=histogram.
#include <parallax/tonemap.h>

#define THREADS 256
#define MOST_BLOCKS 1024
#define MOST_BINS 4096
#define LARGEST 3.402823466e38

// Smallest and largest luminance.
struct Range {
    double smallest, largest;
};

struct Workspace {
    Range ofBlocks[MOST_BLOCKS], range;
    // Bin k begins at brightness first + k / perUnit. linear: without a curve, the output is this times the luminance; 0 with one.
    double first, perUnit, linear;
    double cumulative[MOST_BINS + 1];  // at the edges of the bins, from 0 to 1
    unsigned int counts[MOST_BINS];
};

// requires: operator_ == TONEMAP_OPERATOR_HISTOGRAM "it has only the operator histogram"
// requires: encoding == TONEMAP_ENCODING_LINEAR "its result is linear"
// workspace: 1024 * 16 + 16 + 3 * 8 + 4097 * 8 + 4096 * 4

// Weighted sum of the channels; infinite samples count as `limit`.
static __device__ double luminance(const parallax_input& in, const parallax_tonemap& p, int64_t x, int64_t y, double limit) {
    double sum = 0;
    for (int64_t c = 0; c < in.channels; ++c) {
        if (p.mapped.data[c] == 0) continue;
        const double sample = in.data[x + y * in.row + c * in.channel];
        sum += p.weights.data[c] * (sample > LARGEST ? limit : sample < -LARGEST ? -limit : sample);
    }
    return sum;
}

// Magnitude of the luminance of pixel i, in the order of rows. Compare it with LARGEST: it may be infinite or NaN.
static __device__ double magnitude(const parallax_input& in, const parallax_tonemap& p, int64_t i) {
    return fabs(luminance(in, p, i % in.width, i / in.width, __longlong_as_double(0x7ff0000000000000)));
}

static __device__ Range combined(Range a, Range b) {
    return {a.smallest < b.smallest ? a.smallest : b.smallest, a.largest > b.largest ? a.largest : b.largest};
}

// The range of a block, in thread 0: in each turn half of the threads take in what the other half has.
static __device__ Range rangeOfBlock(Range own) {
    __shared__ Range all[THREADS];
    const int i = threadIdx.x;
    all[i] = own;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half) all[i] = combined(all[i], all[i + half]);
    }
    return all[i];
}

// launch: block(256) grid(min(1024, ceil(width * height, 256)))
__global__ void rangesOfBlocks(parallax_input in, parallax_output out, parallax_tonemap p, parallax_context context) {
    Range own = {LARGEST, -1};  // of no pixel
    for (int64_t i = blockIdx.x * THREADS + threadIdx.x; i < in.width * in.height; i += (int64_t)gridDim.x * THREADS) {
        const double l = magnitude(in, p, i);
        if (l < LARGEST) own = combined(own, {l, l});
    }
    own = rangeOfBlock(own);
    if (threadIdx.x == 0) ((Workspace*)context.workspace)->ofBlocks[blockIdx.x] = own;
}

// launch: block(256) grid(1)
__global__ void binsOfRange(parallax_input in, parallax_output out, parallax_tonemap p, parallax_context context) {
    Workspace* const w = (Workspace*)context.workspace;
    const int64_t blocks = (in.width * in.height + THREADS - 1) / THREADS;
    Range own = {LARGEST, -1};
    for (int i = threadIdx.x; i < MOST_BLOCKS && i < blocks; i += THREADS) own = combined(own, w->ofBlocks[i]);
    own = rangeOfBlock(own);
    for (int bin = threadIdx.x; bin < p.bins; bin += THREADS) w->counts[bin] = 0;
    if (threadIdx.x > 0) return;
    const bool none = own.largest < 0;
    w->range = own;
    w->first = none ? 0 : log(p.delta + own.smallest);
    const double extent = none ? 0 : log(p.delta + own.largest) - w->first;
    w->perUnit = extent > 0 ? (double)p.bins / extent : 0;
    // With the ceiling, contrast must not grow: a range that fits the display stays.
    const bool keeps = extent <= 0 || (p.ceiling && extent <= log(p.display_range));
    w->linear = !keeps ? 0 : own.largest > 0 ? fmin(1 / own.largest, LARGEST) : 1;
}

// Distance from the first bin, in bins.
static __device__ double positionOf(const Workspace& w, const parallax_tonemap& p, double l) {
    const double t = (log(p.delta + l) - w.first) * w.perUnit;
    return t > 0 ? (t < (double)p.bins ? t : (double)p.bins) : 0;
}
static __device__ int binAt(double position, const parallax_tonemap& p) {
    return position < (double)p.bins ? (int)position : (int)p.bins - 1;
}

// Each block counts in shared memory, where atomics are fast, and adds its counts to those of all at the end.
// launch: block(256) grid(min(1024, ceil(width * height, 256))) shared(bins * 4)
__global__ void count(parallax_input in, parallax_output out, parallax_tonemap p, parallax_context context) {
    extern __shared__ unsigned int own[];
    Workspace* const w = (Workspace*)context.workspace;
    for (int bin = threadIdx.x; bin < p.bins; bin += THREADS) own[bin] = 0;
    __syncthreads();
    for (int64_t i = blockIdx.x * THREADS + threadIdx.x; i < in.width * in.height; i += (int64_t)gridDim.x * THREADS) {
        const double l = magnitude(in, p, i);
        if (l < LARGEST) atomicAdd(&own[binAt(positionOf(*w, p, l), p)], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < p.bins; bin += THREADS)
        if (own[bin] > 0) atomicAdd(&w->counts[bin], own[bin]);
}

// The sum over the threads of a block, in all of them.
static __device__ double sumOfBlock(double own) {
    __shared__ double all[THREADS];
    const int i = threadIdx.x;
    __syncthreads();  // all have read the sum before
    all[i] = own;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half) all[i] += all[i + half];
    }
    __syncthreads();
    return all[0];
}

// The ceiling: no bin holds more than `share` of the total. What is above is removed, which lowers the ceiling, until little is.
static __device__ double trim(double* counts, int bins, double total, double share) {
    const double tolerance = 0.025 * total;
    for (double removed = total; removed > tolerance;) {
        const double ceiling = total * share;
        double own = 0;
        for (int bin = threadIdx.x; bin < bins; bin += THREADS)
            if (counts[bin] > ceiling) {
                own += counts[bin] - ceiling;
                counts[bin] = ceiling;
            }
        removed = sumOfBlock(own);
        total -= removed;
    }
    return total;
}

// Exclusive prefix sums of n values, n a power of two (Blelloch 1990). The up-sweep makes a tree of partial sums in place. The down-sweep
// begins with 0 at the root; each node hands its value to its left child, and its value plus the sum of the left child to its right one.
static __device__ void scan(double* v, int n) {
    for (int step = 1; step < n; step *= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < n / (2 * step); i += THREADS) v[2 * step * (i + 1) - 1] += v[2 * step * i + step - 1];
    }
    __syncthreads();
    if (threadIdx.x == 0) v[n - 1] = 0;
    for (int step = n / 2; step > 0; step /= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < n / (2 * step); i += THREADS) {
            const int left = 2 * step * i + step - 1, right = left + step;
            const double sum = v[left];
            v[left] = v[right];
            v[right] += sum;
        }
    }
    __syncthreads();
}

// launch: block(256) grid(1)
__global__ void curve(parallax_input in, parallax_output out, parallax_tonemap p, parallax_context context) {
    __shared__ double counts[MOST_BINS];
    Workspace* const w = (Workspace*)context.workspace;
    if (w->linear > 0) return;  // the same for all threads
    const int bins = (int)p.bins;
    int n = 1;
    while (n < bins) n *= 2;
    double own = 0;
    for (int bin = threadIdx.x; bin < n; bin += THREADS) {
        counts[bin] = bin < bins ? w->counts[bin] : 0;
        own += counts[bin];
    }
    double total = sumOfBlock(own);
    // A bin as wide as 1 / perUnit may hold its share of the range that the display has.
    if (p.ceiling) total = trim(counts, bins, total, 1 / w->perUnit / log(p.display_range));
    scan(counts, n);
    for (int bin = threadIdx.x; bin < bins; bin += THREADS) w->cumulative[bin] = counts[bin] / total;
    if (threadIdx.x == 0) w->cumulative[bins] = 1;
}

// Luminance that the display shows, between its black (0) and white (1): its logarithm follows the cumulative distribution.
static __device__ double displayed(const Workspace& w, const parallax_tonemap& p, double l) {
    if (w.linear > 0) return l * w.linear;
    const double position = positionOf(w, p, l);
    const int bin = binAt(position, p);
    const double below = w.cumulative[bin], above = w.cumulative[bin + 1];
    return (exp((below + (above - below) * (position - bin)) * log(p.display_range)) - 1) / (p.display_range - 1);
}

// launch: block(32, 8) grid(ceil(width, 32), ceil(height, 8))
__global__ void map(parallax_input in, parallax_output out, parallax_tonemap p, parallax_context context) {
    const int64_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const Workspace& w = *(const Workspace*)context.workspace;
    const double limit = w.range.largest > 0 ? w.range.largest : 1;
    const double l = luminance(in, p, x, y, limit), sign = l < 0 ? -1 : 1, display = displayed(w, p, sign * l);
    // The largest ratio (sample - luminance) / luminance of a colour without negative parts is that of the smallest weight.
    double smallest = 1, colours = 0;
    for (int64_t c = 0; c < in.channels; ++c)
        if (p.mapped.data[c] != 0) {
            smallest = fmin(smallest, (double)p.weights.data[c]);
            ++colours;
        }
    for (int64_t c = 0; c < in.channels; ++c) {
        const float sample = in.data[x + y * in.row + c * in.channel];
        float* to = out.data + x + y * out.row + c * out.channel;
        if (p.mapped.data[c] == 0) {
            *to = sample;
        } else if (l != l) {  // NaN
            *to = (float)l;
        } else if (colours == 1) {
            *to = (float)(sign * display);
        } else {
            const double bounded = sample > LARGEST ? limit : sample < -LARGEST ? -limit : sample;
            double ratio = sign * (bounded - l) / fmax(sign * l, p.delta);
            ratio = fmin(fmax(ratio, -1.0), 1 / smallest - 1);
            *to = (float)(sign * (display + p.saturation * ratio * display));
        }
    }
}
