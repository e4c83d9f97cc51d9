# SPDX-License-Identifier: GPL-3.0-or-later
# A layer is seen through an include root of its own: <build>/include_roots/<layer>/parallax/<layer> is a link to the
# layer's folder. A target gets only the roots of the layers that it may use, so that a forbidden include is
# "no such file" and not a matter of discipline.

# parallax_include_root(<layer> <folder>): defines the INTERFACE target parallax_<layer>_headers.
function(parallax_include_root layer folder)
  set(root "${PROJECT_BINARY_DIR}/include_roots/${layer}")
  file(MAKE_DIRECTORY "${root}/parallax")
  file(CREATE_LINK "${folder}" "${root}/parallax/${layer}" SYMBOLIC)
  add_library(parallax_${layer}_headers INTERFACE)
  target_include_directories(parallax_${layer}_headers INTERFACE "${root}")
endfunction()

# parallax_target(<target>): language level, warnings and sanitizers of the project.
function(parallax_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PRIVATE parallax_warnings parallax_sanitizers)
endfunction()
