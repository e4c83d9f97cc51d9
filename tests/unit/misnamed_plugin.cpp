// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in of this build whose backend has the id of another one.
#include "core/engine/backend/plugin.hpp"

namespace {

class Misnamed final : public parallax::Backend {
public:
    std::string id() const override { return "reference"; }
    std::string title() const override { return "Not the reference"; }
    std::vector<parallax::DeviceInfo> devices() const override { return {parallax::hostDevice()}; }
    std::vector<const parallax::Implementation*> implementations() const override { return {}; }
    std::unique_ptr<parallax::BackendSession> open(const parallax::RunContext&) const override { return parallax::makeHostSession(); }
};

parallax::Backend* create() { return new Misnamed; }

}  // namespace

PARALLAX_PLUGIN_ENTRY(create)
