// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "parallax/engine/catalog.hpp"
#include "parallax/image/error.hpp"

namespace parallax {
namespace {

TEST(Catalog, ListsTheReferenceAndExplainsWhatIsMissing) {
    const Catalog& catalog = processCatalog();
    EXPECT_TRUE(catalog.backend("reference").availability().yes);
    std::set<std::string> ids;
    for (const auto& b : catalog.backends()) {
        EXPECT_TRUE(ids.insert(b->id()).second) << b->id() << " is listed twice";
        const Availability a = b->availability();
        if (a.yes) EXPECT_FALSE(b->devices().empty()) << b->id();
        else EXPECT_FALSE(a.reason.empty()) << b->id() << " must say why it is not available";
    }
}

TEST(Catalog, EveryOperationHasAReferenceAndVariantsAreUnique) {
    const Catalog& catalog = processCatalog();
    for (const auto& op : catalog.operations()) {
        EXPECT_FALSE(catalog.implementations(op->id(), "reference").empty()) << op->id();
        for (const auto& b : catalog.backends()) {
            std::set<std::string> variants;
            for (const Implementation* i : catalog.implementations(op->id(), b->id())) {
                EXPECT_TRUE(variants.insert(i->variant()).second) << b->id() << "." << i->variant();
                EXPECT_FALSE(i->summary().empty());
            }
        }
    }
}

TEST(Catalog, NamesWhatItKnows) {
    const Catalog& catalog = processCatalog();
    for (const auto& f : {std::function<void()>([&] { (void)catalog.operation("nothing"); }),
                          std::function<void()>([&] { (void)catalog.backend("nothing"); })}) {
        try {
            f();
            ADD_FAILURE();
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage);
            EXPECT_NE(e.why().find("known are"), std::string::npos);
        }
    }
    EXPECT_EQ(parseTarget("cuda.tiled").variant, "tiled");
    for (const char* bad : {"", ".", "cuda.", ".tiled"}) EXPECT_THROW(parseTarget(bad), Error) << bad;
}

TEST(Plugins, AreRefusedWithTheReason) {
    const auto missing = loadBackendPlugin("none", "None", {"/nowhere", PARALLAX_FOREIGN_PLUGIN_FOLDER});
    EXPECT_FALSE(missing->availability().yes);
    EXPECT_NE(missing->availability().reason.find("/nowhere"), std::string::npos);
    const auto foreign = loadBackendPlugin("foreign", "Foreign", {"/nowhere", PARALLAX_FOREIGN_PLUGIN_FOLDER});
    EXPECT_FALSE(foreign->availability().yes);
    EXPECT_NE(foreign->availability().reason.find("another build"), std::string::npos) << foreign->availability().reason;
    EXPECT_THROW((void)foreign->open({}), Error);
}

}  // namespace
}  // namespace parallax
