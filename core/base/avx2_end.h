// SPDX-License-Identifier: Apache-2.0
// The end of what avx2_begin.h began.
#pragma once

#undef SEEDWAVE_FOR_AVX2
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
