// SPDX-License-Identifier: Apache-2.0
// Functions from here to avx2_end.h are compiled for AVX2. Code that a translation unit shares with
// others must be included before, or the linker might keep the AVX2 form for all. Code in between
// has internal linkage.
#pragma once

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
// Not __AVX2__: if the preprocessor runs separately, the pragma does not define it.
#define SEEDWAVE_FOR_AVX2
