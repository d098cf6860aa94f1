// SPDX-License-Identifier: Apache-2.0
#include "gpu/fuzzy/kept_affinity.h"

#include "gpu/device/kept.h"
#include "gpu/device/kept_names.h"

#include <cstddef>
#include <string>

namespace seedwave::gpu {
namespace {

constexpr std::size_t kGreys = 65536;

}  // namespace

std::shared_ptr<const DeviceScene> scene_on_device(const fuzzy::Scene& scene, Context& context,
                                                   const Stream& stream, StageClock& clock) {
  const std::string name = device_cache_name(kept::kScene, context);
  if (auto kept = context.cache().find<DeviceScene>(name); kept && kept->is(scene)) return kept;
  // Freed before the new one is allocated: two do not always fit.
  context.cache().put(name, nullptr, 0);
  clock.begin("upload");
  auto fresh = std::make_shared<DeviceScene>();
  fresh->host = scene;
  fresh->grid = Grid::of(scene.geometry);
  fresh->grey = DeviceBuffer<std::uint16_t>(fresh->grid.cells(), stream);
  fresh->grey.copy_rows_from(scene.grey.voxels<std::uint16_t>(), fresh->grid.nx, fresh->grid.pitch,
                             stream);
  if (scene.mask) {
    fresh->mask = DeviceBuffer<std::uint8_t>(fresh->grid.cells(), stream);
    fresh->mask.copy_rows_from(*scene.mask, fresh->grid.nx, fresh->grid.pitch, stream);
  }
  context.cache().put(name, fresh, kOnDevice);
  return fresh;
}

DeviceTables::DeviceTables(const fuzzy::AffinityTables& tables, const Stream& stream)
    : host_values_(tables.homogeneity),
      values_(static_cast<std::int64_t>(kGreys * (1 + tables.objects.size())), stream),
      objects_(static_cast<std::int64_t>(tables.objects.size()), stream) {
  for (std::size_t k = 0; k < tables.objects.size(); ++k) {
    host_objects_.push_back(values_.data() + kGreys * (1 + k));
    host_values_.insert(host_values_.end(), tables.objects[k].begin(), tables.objects[k].end());
  }
  values_.copy_from(host_values_, stream);
  objects_.copy_from(host_objects_, stream);
}

}  // namespace seedwave::gpu
