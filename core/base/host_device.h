// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks code that CPU and CUDA share: one definition, compiled for both.
#if defined(__CUDACC__)
#define SEEDWAVE_HD __host__ __device__
#else
#define SEEDWAVE_HD
#endif
