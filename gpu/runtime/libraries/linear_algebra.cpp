// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/libraries/linear_algebra.hpp"

#if __has_include(<cusparse.h>) && __has_include(<cublas_v2.h>) && !defined(PARALLAX_EMULATED_DEVICE)
#include <cublas_v2.h>
#include <cusparse.h>
#define PARALLAX_HAS_LINEAR_ALGEBRA_HEADERS 1
#endif

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/libraries/shared_library.hpp"

namespace parallax::gpu {
namespace {

// The functions in use, by their C types; enumerations are passed as ints. Checked against the headers if there are any.
constexpr int kSuccess = 0, kDevicePointers = 1, kNotTransposed = 0, kDouble = 1, kIndex32 = 2, kFromZero = 0, kDefaultAlgorithm = 0;
#if defined(PARALLAX_HAS_LINEAR_ALGEBRA_HEADERS)
static_assert(CUSPARSE_STATUS_SUCCESS == kSuccess && CUBLAS_STATUS_SUCCESS == kSuccess && CUSPARSE_POINTER_MODE_DEVICE == kDevicePointers &&
              CUBLAS_POINTER_MODE_DEVICE == kDevicePointers);
static_assert(CUSPARSE_OPERATION_NON_TRANSPOSE == kNotTransposed && CUDA_R_64F == kDouble && CUSPARSE_INDEX_32I == kIndex32 &&
              CUSPARSE_INDEX_BASE_ZERO == kFromZero && CUSPARSE_SPMV_ALG_DEFAULT == kDefaultAlgorithm);
static_assert(sizeof(cusparseStatus_t) == sizeof(int) && sizeof(cublasStatus_t) == sizeof(int) && sizeof(cudaDataType) == sizeof(int));
#endif

struct Library {
    LinearAlgebraState state;
    void* sparse = openToolkitLibrary({"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so"}, state.reason);
    void* dense = sparse ? openToolkitLibrary({"libcublas.so.13", "libcublas.so.12", "libcublas.so"}, state.reason) : nullptr;

    int (*createSparse)(void**) = load(sparse, "cusparseCreate");
    int (*destroySparse)(void*) = load(sparse, "cusparseDestroy");
    int (*setSparseStream)(void*, cudaStream_t) = load(sparse, "cusparseSetStream");
    int (*setSparsePointers)(void*, int) = load(sparse, "cusparseSetPointerMode");
    int (*createRows)(void**, std::int64_t rows, std::int64_t columns, std::int64_t entries, void* begin, void* column, void* value,
                      int beginType, int columnType, int base, int valueType) = load(sparse, "cusparseCreateCsr");
    int (*destroyRows)(const void*) = load(sparse, "cusparseDestroySpMat");
    int (*createVector)(void**, std::int64_t size, void* values, int type) = load(sparse, "cusparseCreateDnVec");
    int (*destroyVector)(const void*) = load(sparse, "cusparseDestroyDnVec");
    int (*multiplyBytes)(void*, int operation, const void* one, const void* a, const void* p, const void* zero, void* q, int type,
                         int algorithm, std::size_t* bytes) = load(sparse, "cusparseSpMV_bufferSize");
    int (*multiply)(void*, int operation, const void* one, const void* a, const void* p, const void* zero, void* q, int type, int algorithm,
                    void* work) = load(sparse, "cusparseSpMV");

    int (*createDense)(void**) = load(dense, "cublasCreate_v2");
    int (*destroyDense)(void*) = load(dense, "cublasDestroy_v2");
    int (*setDenseStream)(void*, cudaStream_t) = load(dense, "cublasSetStream_v2");
    int (*setDensePointers)(void*, int) = load(dense, "cublasSetPointerMode_v2");
    int (*setDenseWork)(void*, void*, std::size_t) = load(dense, "cublasSetWorkspace_v2");
    int (*dot)(void*, std::int64_t n, const double* u, std::int64_t, const double* v, std::int64_t,
               double* result) = load(dense, "cublasDdot_v2_64");
    int (*add)(void*, std::int64_t n, const double* factor, const double* u, std::int64_t, double* v,
               std::int64_t) = load(dense, "cublasDaxpy_v2_64");
    int (*scale)(void*, std::int64_t n, const double* factor, double* v, std::int64_t) = load(dense, "cublasDscal_v2_64");

    Library() { state.loaded = sparse && dense && state.reason.empty(); }

private:
    struct Address {
        void* value;
        template <class F>
        operator F*() const {
            return reinterpret_cast<F*>(value);
        }
    };
    Address load(void* from, const char* name) { return {from ? toolkitFunction(from, name, state.reason) : nullptr}; }
};

const Library& library() {
    static const Library loaded;
    return loaded;
}

void checkLibrary(int result, const char* name) {
    if (result != kSuccess)
        throw Error(ErrorCode::failed, "A product or a vector operation failed",
                    std::string(name) + " returned error " + std::to_string(result));
}
void checkSparse(int result) { checkLibrary(result, "cuSPARSE"); }
void checkDense(int result) { checkLibrary(result, "cuBLAS"); }

/// Descriptions of a matrix and two vectors.
struct Described {
    void *a = nullptr, *p = nullptr, *q = nullptr;

    Described(const CompressedRows& rows, double* from, double* to) {
        const Library& f = library();
        try {
            checkSparse(f.createRows(&a, rows.rows, rows.rows, rows.entries, rows.begin, rows.columns, rows.values, kIndex32, kIndex32,
                                     kFromZero, kDouble));
            checkSparse(f.createVector(&p, rows.rows, from, kDouble));
            checkSparse(f.createVector(&q, rows.rows, to, kDouble));
        } catch (...) {
            release();
            throw;
        }
    }
    ~Described() { release(); }
    Described(const Described&) = delete;
    Described& operator=(const Described&) = delete;

private:
    void release() noexcept {
        const Library& f = library();
        if (a) (void)f.destroyRows(a);
        if (p) (void)f.destroyVector(p);
        if (q) (void)f.destroyVector(q);
    }
};

}  // namespace

const LinearAlgebraState& linearAlgebraState() { return library().state; }

LinearAlgebra::LinearAlgebra(cudaStream_t stream) {
    const Library& f = library();
    if (!f.state.loaded) throw Error(ErrorCode::unavailable, "cuSPARSE or cuBLAS is not available", f.state.reason);
    try {
        checkSparse(f.createSparse(&sparse_));
        checkSparse(f.setSparseStream(sparse_, stream));
        checkSparse(f.setSparsePointers(sparse_, kDevicePointers));
        checkDense(f.createDense(&dense_));
        checkDense(f.setDenseStream(dense_, stream));
        checkDense(f.setDensePointers(dense_, kDevicePointers));
    } catch (...) {
        if (sparse_) (void)f.destroySparse(sparse_);
        if (dense_) (void)f.destroyDense(dense_);
        throw;
    }
}

LinearAlgebra::~LinearAlgebra() {
    (void)library().destroySparse(sparse_);
    (void)library().destroyDense(dense_);
}

void LinearAlgebra::setWorkspace(void* work, std::size_t bytes) const { checkDense(library().setDenseWork(dense_, work, bytes)); }

std::size_t LinearAlgebra::workBytes(const CompressedRows& a, double* p, double* q, const double* one, const double* zero) const {
    const Described d(a, p, q);
    std::size_t bytes = 0;
    checkSparse(library().multiplyBytes(sparse_, kNotTransposed, one, d.a, d.p, zero, d.q, kDouble, kDefaultAlgorithm, &bytes));
    return bytes;
}

void LinearAlgebra::multiply(const CompressedRows& a, double* p, double* q, const double* one, const double* zero, void* work) const {
    const Described d(a, p, q);
    checkSparse(library().multiply(sparse_, kNotTransposed, one, d.a, d.p, zero, d.q, kDouble, kDefaultAlgorithm, work));
}

void LinearAlgebra::dot(std::int64_t n, const double* u, const double* v, double* result) const {
    checkDense(library().dot(dense_, n, u, 1, v, 1, result));
}

void LinearAlgebra::add(std::int64_t n, const double* factor, const double* u, double* v) const {
    checkDense(library().add(dense_, n, factor, u, 1, v, 1));
}

void LinearAlgebra::scale(std::int64_t n, const double* factor, double* v) const { checkDense(library().scale(dense_, n, factor, v, 1)); }

}  // namespace parallax::gpu
