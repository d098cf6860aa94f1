// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_identity.h"

#include "core/base/digest.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace seedwave::cli {
namespace {

/// The digest of what decides a result.
class Identity {
 public:
  void add(std::string_view text) {
    const auto size = std::ssize(text);
    digest_.add(std::as_bytes(std::span(&size, 1)));
    digest_.add(std::as_bytes(std::span(text.data(), text.size())));
  }
  void add(const Volume& volume) {
    add(volume.geometry());
    if (volume.empty()) return;
    add(name_of(volume.type()));
    add(std::to_string(volume.components()));
    digest_.add(volume.bytes());
  }
  void add(const LabelMap& map) {
    add(map.geometry());
    if (!map.empty()) add(seedwave::digest_of(map.labels()));
  }
  void add(const SeedVoxels& voxels) {
    for (const Seed& seed : voxels.seeds)
      add(std::to_string(seed.offset) + ' ' + std::to_string(seed.label));
  }
  [[nodiscard]] std::string text() const { return digest_.text(); }

 private:
  void add(const Geometry& geometry) {
    digest_.add(std::as_bytes(std::span(geometry.size)));
    for (const Vec3& place : {geometry.spacing, geometry.origin})
      digest_.add(std::as_bytes(std::span(place)));
    digest_.add(std::as_bytes(std::span(geometry.direction)));
    add(std::to_string(static_cast<int>(geometry.unit)) + (geometry.planar ? " planar" : ""));
  }

  Digest digest_;
};

}  // namespace

std::string identity_of(const RunRequest& request) {
  Identity identity;
  identity.add(SEEDWAVE_VERSION);
  identity.add(request.operation);
  identity.add(request.how.algorithm);
  for (const auto& [id, value] : request.values)
    identity.add(id + '=' + text_of(value));
  const Inputs& inputs = request.inputs;
  for (const Volume* volume : {&inputs.image, &inputs.marker})
    identity.add(*volume);
  for (const LabelMap* map : {&inputs.labels, &inputs.mask, &inputs.start})
    identity.add(*map);
  identity.add(inputs.seeds);
  return identity.text();
}

}  // namespace seedwave::cli
