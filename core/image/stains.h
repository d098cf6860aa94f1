// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/image/geometry.h"
#include "core/image/label_color.h"

#include <array>
#include <cstdint>

/// Colour deconvolution (A. C. Ruifrok, D. A. Johnston, Anal. Quant. Cytol. Histol. 23:291-299,
/// 2001). The optical densities of red, green and blue add up over the stains that light has passed
/// (Beer and Lambert). Each stain has its own proportions, so the amounts can be solved for.
namespace seedwave {

/// Optical densities of stains in red, green and blue, not normalized: QuPath's default vectors,
/// which pathologists know.
inline constexpr Vec3 kHematoxylin{0.65, 0.70, 0.29};
inline constexpr Vec3 kEosin{0.2159, 0.8012, 0.5581};
inline constexpr Vec3 kDab{0.27, 0.57, 0.78};

/// The background of a picture, the colour of glass without tissue, whose optical density is 0. No
/// component is 0.
inline constexpr Rgb kWhiteBackground{255, 255, 255};

/// Returns -log10(max(v, 1) / background) for each byte v, 0 for those above the background.
/// `background`: 1 or more.
[[nodiscard]] std::array<double, 256> optical_densities(std::uint8_t background = 255);
/// Returns the same for red, green and blue.
[[nodiscard]] std::array<std::array<double, 256>, 3> optical_densities(const Rgb& background);

/// Returns the densities of one unit of a stain: the vector with the length 1.
[[nodiscard]] Vec3 unit_of(const Vec3& densities);

/// Returns the vector whose dot product with optical densities is the amount of `wanted`, given
/// that only `other` and a third stain orthogonal to both are present beside it.
[[nodiscard]] Vec3 unmixing_row(const Vec3& wanted, const Vec3& other);

}  // namespace seedwave
