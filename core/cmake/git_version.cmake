# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the header OUTPUT with PARALLAX_GIT_VERSION if it changed. The version is VERSION if given, else that of git, else the line that
# git filled in when it made an archive, else "unknown".
# Run with -P: SOURCE_DIR, GIT (may be empty), VERSION (may be empty), OUTPUT.
set(version "${VERSION}")
if(version STREQUAL "" AND GIT)
  # Sources inside another repository must not get its version.
  execute_process(COMMAND "${GIT}" rev-parse --show-toplevel WORKING_DIRECTORY "${SOURCE_DIR}"
    OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
  file(REAL_PATH "${SOURCE_DIR}" source)
  if(result EQUAL 0 AND top STREQUAL source)
    # Without optional locks, so that builds do not block git commands of the user.
    execute_process(COMMAND "${GIT}" --no-optional-locks describe --always --dirty --tags WORKING_DIRECTORY "${SOURCE_DIR}"
      OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
    if(result EQUAL 0)
      set(version "${described}")
    endif()
  endif()
endif()
if(version STREQUAL "" AND EXISTS "${SOURCE_DIR}/core/cmake/git_archive.txt")
  file(READ "${SOURCE_DIR}/core/cmake/git_archive.txt" archived)
  string(STRIP "${archived}" archived)
  if(NOT archived MATCHES "Format:")
    set(version "${archived}")
  endif()
endif()
if(version STREQUAL "")
  set(version "unknown")
endif()
# Escaped as a C++ string.
string(REGEX REPLACE "[^A-Za-z0-9._+/-]" "_" version "${version}")
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#pragma once\n#define PARALLAX_GIT_VERSION \"${version}\"\n")
