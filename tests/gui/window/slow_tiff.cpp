// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into the program: libtiff takes minutes for a strip. Writes the file named by PARALLAX_DECODER_RUNS when it begins.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

extern "C" long TIFFReadEncodedStrip(void*, unsigned, void*, long) {
    if (const char* path = std::getenv("PARALLAX_DECODER_RUNS"))
        if (std::FILE* file = std::fopen(path, "w")) std::fclose(file);
    sleep(600);
    return -1;
}
