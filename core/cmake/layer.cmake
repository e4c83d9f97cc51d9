# SPDX-License-Identifier: GPL-3.0-or-later
# Includes name the path in the repository: "core/engine/run/engine.hpp". Each layer has an include root of its own, which holds
# nothing but a link to that layer's folder. A target gets only the roots of the layers that it may use, so a forbidden include
# does not compile: "no such file".

# parallax_include_root(<layer> <folder>): defines the INTERFACE target parallax_<layer>_headers for a folder of the repository.
function(parallax_include_root layer folder)
  set(root "${PROJECT_BINARY_DIR}/include_roots/${layer}")
  get_filename_component(parent "${root}/${folder}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${root}/${folder}" SYMBOLIC)
  add_library(parallax_${layer}_headers INTERFACE)
  target_include_directories(parallax_${layer}_headers INTERFACE "${root}")
endfunction()

# parallax_target(<target>): language level, warnings and sanitizers of the project.
function(parallax_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PRIVATE parallax_warnings parallax_sanitizers)
endfunction()

# Programs whose speed does not matter: a third less time to compile.
function(parallax_less_optimised target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
