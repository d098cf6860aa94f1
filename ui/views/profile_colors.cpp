// SPDX-License-Identifier: Apache-2.0
#include "ui/views/profile_colors.h"

#include "core/parallel/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <lcms2.h>
#include <utility>
#include <vector>

namespace seedwave::ui {
namespace {

/// Rows of the screen that a thread changes at a time, at least.
constexpr int kRowsToChange = 64;
/// The largest change of a colour, of 255, that is not seen.
constexpr int kVisible = 2;
/// Values of red, green and blue that are compared.
constexpr int kSteps = 9;

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, CloseProfile>;

}  // namespace

struct ProfileColors::Transform {
  explicit Transform(cmsHTRANSFORM made) : handle(made) {}
  ~Transform() { cmsDeleteTransform(handle); }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;
  cmsHTRANSFORM handle;
};

std::shared_ptr<const ProfileColors> ProfileColors::from(std::span<const std::uint8_t> profile) {
  if (profile.empty()) return nullptr;
  // Its messages say nothing to a user.
  cmsSetLogErrorHandler(nullptr);
  const Profile scanner(
      cmsOpenProfileFromMem(profile.data(), static_cast<cmsUInt32Number>(profile.size())));
  if (scanner == nullptr || cmsGetColorSpace(scanner.get()) != cmsSigRgbData) return nullptr;
  const Profile screen(cmsCreate_sRGBProfile());
  // QRgb is blue, green, red in memory. Without a cache, threads may share it.
  cmsHTRANSFORM transform =
      cmsCreateTransform(scanner.get(), TYPE_BGRA_8, screen.get(), TYPE_BGRA_8, INTENT_PERCEPTUAL,
                         cmsFLAGS_NOCACHE | cmsFLAGS_COPY_ALPHA);
  if (transform == nullptr) return nullptr;
  std::shared_ptr<const ProfileColors> colors(
      new ProfileColors(std::make_unique<Transform>(transform)));
  return colors->is_visible() ? colors : nullptr;
}

ProfileColors::ProfileColors(std::unique_ptr<Transform> transform)
    : transform_(std::move(transform)) {}

ProfileColors::~ProfileColors() = default;

bool ProfileColors::is_visible() const {
  std::vector<QRgb> before;
  const auto value = [](int step) { return 255 * step / (kSteps - 1); };
  for (int red = 0; red < kSteps; ++red) {
    for (int green = 0; green < kSteps; ++green) {
      for (int blue = 0; blue < kSteps; ++blue)
        before.push_back(qRgb(value(red), value(green), value(blue)));
    }
  }
  std::vector<QRgb> after(before.size());
  cmsDoTransform(transform_->handle, before.data(), after.data(),
                 static_cast<cmsUInt32Number>(before.size()));
  return !std::ranges::equal(before, after, [](QRgb a, QRgb b) {
    return std::abs(qRed(a) - qRed(b)) <= kVisible && std::abs(qGreen(a) - qGreen(b)) <= kVisible &&
           std::abs(qBlue(a) - qBlue(b)) <= kVisible;
  });
}

void ProfileColors::show(const QRect& rect, QImage& frame) const {
  if (rect.isEmpty()) return;
  std::uint8_t* const first = frame.scanLine(rect.top()) + rect.left() * sizeof(QRgb);
  const qsizetype stride = frame.bytesPerLine();
  Context context;
  parallel_for(context, rect.height(), kRowsToChange, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      std::uint8_t* const row = first + y * stride;
      cmsDoTransform(transform_->handle, row, row, static_cast<cmsUInt32Number>(rect.width()));
    }
  });
}

}  // namespace seedwave::ui
