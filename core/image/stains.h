// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"

#include <array>

/// Colour deconvolution (A. C. Ruifrok, D. A. Johnston, Anal. Quant. Cytol. Histol. 23:291-299,
/// 2001): optical densities of red, green and blue add up over the stains that light has passed
/// (Beer and Lambert), each in a proportion of its own, so that amounts can be solved for.
namespace seedwave {

/// Densities of stains in red, green and blue, of any length: QuPath's default vectors, which
/// pathologists know.
inline constexpr Vec3 kHematoxylin{0.65, 0.70, 0.29};
inline constexpr Vec3 kEosin{0.2159, 0.8012, 0.5581};
inline constexpr Vec3 kDab{0.27, 0.57, 0.78};

/// -log10(max(v, 1) / 255) of a byte v.
[[nodiscard]] std::array<double, 256> optical_densities();

/// What gives the amount of `wanted` as its dot product with optical densities, where there is only
/// `other` beside it, and a third that both of these are orthogonal to.
[[nodiscard]] Vec3 unmixing_row(const Vec3& wanted, const Vec3& other);

}  // namespace seedwave
