# SPDX-License-Identifier: GPL-3.0-or-later
set(PARALLAX_SANITIZE "" CACHE STRING "Sanitizers, as in 'address,undefined' or 'thread'; empty for none")
add_library(parallax_sanitizers INTERFACE)
if(PARALLAX_SANITIZE)
  # Applied to all targets, since mixed builds give false reports.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${PARALLAX_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer> $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  # Instrumented code makes GCC warn of uninitialised members that are initialised.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  if(PARALLAX_SANITIZE MATCHES "undefined")
    # It needs type information that modules loaded at run time (OpenCV's codecs, PDF) keep to themselves.
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=vptr>)
  endif()
  add_link_options(-fsanitize=${PARALLAX_SANITIZE})
endif()
