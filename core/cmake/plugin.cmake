# SPDX-License-Identifier: GPL-3.0-or-later
# A backend is a plug-in: libparallax_backend_<id>.so with one C entry (core/engine/backend/plugin.hpp).

# parallax_backend_plugin(<id> <source>...): defines the target parallax_<id>.
function(parallax_backend_plugin id)
  add_library(parallax_${id} MODULE ${ARGN})
  parallax_target(parallax_${id})
  target_link_libraries(parallax_${id} PRIVATE parallax_core)
  target_compile_definitions(parallax_${id} PRIVATE PARALLAX_BUILD_STAMP="${PARALLAX_BUILD_STAMP}")
  set_target_properties(parallax_${id} PROPERTIES
    OUTPUT_NAME parallax_backend_${id}
    LIBRARY_OUTPUT_DIRECTORY "${PARALLAX_PLUGIN_DIRECTORY}"
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # One component for each backend, so that it can be packaged separately.
  install(TARGETS parallax_${id} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/parallax COMPONENT backend_${id})
  set_property(GLOBAL APPEND PROPERTY PARALLAX_BACKEND_TARGETS parallax_${id})
  set_property(GLOBAL APPEND PROPERTY PARALLAX_SUMMARY "backend ${id}: will be built")
endfunction()

# parallax_backend_absent(<id> <reason>): reports in the configure summary why a backend is not built.
function(parallax_backend_absent id reason)
  set_property(GLOBAL APPEND PROPERTY PARALLAX_SUMMARY "backend ${id}: NOT built (${reason})")
endfunction()

# parallax_library_module(<name> <source>...): the target parallax_module_<name>, loaded at its first use (core/io/library_module.hpp), so that
# programs start without the libraries behind it.
function(parallax_library_module name)
  add_library(parallax_module_${name} MODULE ${ARGN})
  parallax_target(parallax_module_${name})
  target_compile_definitions(parallax_module_${name} PRIVATE PARALLAX_BUILD_STAMP="${PARALLAX_BUILD_STAMP}")
  set_target_properties(parallax_module_${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${PARALLAX_PLUGIN_DIRECTORY}"
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  install(TARGETS parallax_module_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/parallax)
endfunction()
