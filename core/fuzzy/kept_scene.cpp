// SPDX-License-Identifier: Apache-2.0
#include "core/fuzzy/kept_scene.h"

#include "core/base/digest.h"
#include "core/base/number_text.h"

#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>

namespace seedwave::fuzzy {
namespace {

std::string address(const void* pointer) {
  char text[40];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

}  // namespace

std::string size_text(const Geometry& geometry) {
  const Index3& size = geometry.size;
  return std::to_string(size[0]) + ' ' + std::to_string(size[1]) + ' ' + std::to_string(size[2]);
}

std::size_t CachedScene::bytes() const {
  std::size_t bytes = image.bytes().size();
  const Volume& greys = scaled.scene.grey.empty() ? read.greys : scaled.scene.grey;
  if (!greys.empty() && greys.owner() != image.owner()) bytes += greys.bytes().size();
  if (!read.wide.empty() && read.wide.owner() != image.owner()) bytes += read.wide.bytes().size();
  if (read.mask) bytes += read.mask->size() + mask.labels().size_bytes();
  return bytes;
}

KeptScene::KeptScene(const Volume& image, const LabelMap& mask, const Vec3& smooth,
                     Context& context)
    : context_(context),
      key_("fuzzy scene " + address(image.owner().get()) + ' ' +
           address(mask.empty() ? nullptr : mask.owner().get()) + ' ' +
           size_text(image.geometry()) + ' ' + number_text(smooth[0]) + ' ' +
           number_text(smooth[1]) + ' ' + number_text(smooth[2])),
      kept_(context.cache().find<const CachedScene>(key_)) {
  if (kept_) return;
  auto made = std::make_shared<CachedScene>();
  made->image = image;
  made->mask = mask;
  made->read = read_affinity_image(image, mask, smooth, context);
  context_.cache().put(key_, made, made->bytes());
  kept_ = std::move(made);
}

const CachedScene& KeptScene::on(const GreyScale& scale) {
  if (!kept_->scaled.scene.grey.empty() && kept_->scaled.scale == scale) return *kept_;
  auto made =
      std::make_shared<CachedScene>(CachedScene{kept_->image, kept_->mask, kept_->read, {}, {}});
  made->scaled = make_scene(made->read, scale, context_);
  const Scene& scene = made->scaled.scene;
  made->digest = xxh64_digest_of(scene.grey.voxels<std::uint16_t>());
  if (scene.mask) made->digest += xxh64_digest_of(std::span<const std::uint8_t>(*scene.mask));
  context_.cache().put(key_, made, made->bytes());
  kept_ = std::move(made);
  return *kept_;
}

}  // namespace seedwave::fuzzy
