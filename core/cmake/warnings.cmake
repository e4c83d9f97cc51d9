# SPDX-License-Identifier: GPL-3.0-or-later
add_library(parallax_warnings INTERFACE)
target_compile_options(parallax_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
    -Wno-missing-field-initializers>)  # designated initialisers leave members to their defaults on purpose
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False positive in std::string (GCC bug 105651).
  target_compile_options(parallax_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
option(PARALLAX_WARNINGS_AS_ERRORS "Treat warnings as errors" ON)
if(PARALLAX_WARNINGS_AS_ERRORS)
  target_compile_options(parallax_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
