// SPDX-License-Identifier: Apache-2.0
// Ends the region that avx2_begin.h begins.
#pragma once

#undef SEEDWAVE_FOR_AVX2
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
