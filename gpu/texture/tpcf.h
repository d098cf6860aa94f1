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

/// Box is the default. Update and Fft are the paper's algorithms, the baselines for Box; Fft is
/// available if the build has cuFFT. All give the same bits as tpcf().
enum class TpcfOnDevice { Box, Update, Fft };
[[nodiscard]] std::string name_of(TpcfOnDevice algorithm);
/// Returns the algorithms of this build.
[[nodiscard]] std::vector<TpcfOnDevice> tpcf_algorithms();

/// Returns a solver that processes rows of windows in strips, as many rows as memory and
/// `strip_rows` allow. Each strip is downloaded and passed to the sink by the calling thread, from
/// top to bottom. Stages: upload, features, download. The solver throws as check() does,
/// UnavailableError (no device, out of memory) and Cancelled.
[[nodiscard]] TpcfSolver tpcf_solver(TpcfOnDevice algorithm);

/// Does the same `runs` times without downloads, for measurements.
void repeat_tpcf(TpcfOnDevice algorithm, const TpcfProblem& problem, int runs, Context& context);

/// Returns the device memory of a run in strips of one row of windows.
[[nodiscard]] std::int64_t least_tpcf_bytes(TpcfOnDevice algorithm, const Geometry& picture,
                                            std::int64_t window, std::int64_t phases);

}  // namespace seedwave::gpu
