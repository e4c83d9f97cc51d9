// SPDX-License-Identifier: GPL-3.0-or-later
// The only list of backends. Those that need a library are plug-ins, so that the program works without them and reports why one is missing.
#include "core/backends/mpi/backend.hpp"
#include "core/backends/reference/backend.hpp"
#include "core/engine/backend/backend_names.hpp"
#include "core/engine/backend/catalog.hpp"
#include "core/kernels/backend.hpp"
#include "core/operations/catalog.hpp"

namespace parallax {

const Catalog& processCatalog() {
    static const Catalog catalog = [] {
        const std::vector<std::string> folders = defaultPluginFolders();
        const std::shared_ptr<Backend> reference = makeReferenceBackend(), openmp = loadBackendPlugin("openmp", kOpenmpTitle, folders);
        std::vector<std::shared_ptr<Backend>> backends{reference, openmp};
        backends.push_back(loadBackendPlugin("opencv", kOpencvTitle, folders));
        const std::shared_ptr<Backend> cuda = loadBackendPlugin("cuda", kCudaTitle, folders);
        backends.push_back(cuda);
        backends.push_back(makeMpiBackend(std::vector{openmp, reference, cuda}));
        backends.push_back(makeUserBackend());
        backends.push_back(makeUserCudaBackend());
        return Catalog(makeOperations(), std::move(backends));
    }();
    return catalog;
}

}  // namespace parallax
