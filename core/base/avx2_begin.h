// SPDX-License-Identifier: Apache-2.0
// From here to avx2_end.h functions are built for AVX2. Everything that a translation unit shares
// with others must be included before, or the linker might keep the AVX2 form for all; what stands
// between has internal linkage.
#pragma once

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
// Not __AVX2__: where the preprocessor runs apart, the pragma does not define it.
#define SEEDWAVE_FOR_AVX2
