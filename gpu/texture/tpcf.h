// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/parallel/context.h"
#include "core/texture/tpcf.h"

#include <cstdint>
#include <string>
#include <vector>

/// Two-point correlation features of all windows on the context's device.
namespace seedwave::gpu {

/// Box: the default. Update and Fft: the paper's own, the baselines that it is measured against;
/// Fft is there where the build has cuFFT. All give tpcf()'s bits.
enum class TpcfOnDevice { Box, Update, Fft };
[[nodiscard]] std::string name_of(TpcfOnDevice algorithm);
/// Those of this build.
[[nodiscard]] std::vector<TpcfOnDevice> tpcf_algorithms();

/// Rows of windows go in strips: as many as memory allows, and as `strip_rows` says, each brought
/// back for the sink and handed over by the calling thread, from the top down. Stages: upload,
/// features, download. It throws what check() throws, UnavailableError (no device, out of memory)
/// and Cancelled.
[[nodiscard]] TpcfSolver tpcf_solver(TpcfOnDevice algorithm);

/// The same again and again without a way back: for measuring.
void repeat_tpcf(TpcfOnDevice algorithm, const TpcfProblem& problem, int runs, Context& context);

/// Device memory of a run in strips of one row of windows.
[[nodiscard]] std::int64_t least_tpcf_bytes(TpcfOnDevice algorithm, const Geometry& picture,
                                            std::int64_t window, std::int64_t phases);

}  // namespace seedwave::gpu
