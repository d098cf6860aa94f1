// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shared_run.h"

#include "app/cli/run_identity.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/base/mapped_input.h"
#include "core/image/large_labels.h"
#include "core/image/visit_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace seedwave::cli {
namespace {

/// The grid and type of an array of voxels.
struct Form {
  Geometry geometry;
  VoxelType type = VoxelType::U8;
  int components = 0;  // 0: there is no such input
};

bool is_first(const Ranks& ranks) {
  return ranks.rank() == 0;
}

template <typename T>
void share_value(Ranks& ranks, T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  ranks.share(std::as_writable_bytes(std::span(&value, 1)), 0);
}

/// The first process's bytes are only read.
void give(Ranks& ranks, std::span<const std::byte> bytes) {
  ranks.share({const_cast<std::byte*>(bytes.data()), bytes.size()}, 0);
}

template <typename T>
LargeArray<T> received(Ranks& ranks, std::int64_t count) {
  auto values = large_array<T>(static_cast<std::size_t>(count));
  ranks.share(std::as_writable_bytes(std::span(values.get(), static_cast<std::size_t>(count))), 0);
  return values;
}

/// Gives values of any number, of a text or a vector.
template <typename Values>
void share_values(Ranks& ranks, Values& values) {
  std::int64_t count = std::ssize(values);
  share_value(ranks, count);
  values.resize(static_cast<std::size_t>(count));
  ranks.share(std::as_writable_bytes(std::span(values)), 0);
}

/// Lets all processes use the first one's bytes where they lie in a file, if that is how it has
/// them, and if all see the same file. Returns null in all otherwise.
std::shared_ptr<const std::byte> in_a_file_of_all(Ranks& ranks, std::span<const std::byte> bytes) {
  mapped::Place place;
  if (is_first(ranks)) place = mapped::place_of(bytes).value_or(mapped::Place());
  share_value(ranks, place.bytes);
  if (place.bytes == 0) return nullptr;
  share_values(ranks, place.file);
  share_value(ranks, place.offset);
  share_value(ranks, place.version);
  const std::shared_ptr<const std::byte> here =
      is_first(ranks) ? std::shared_ptr<const std::byte>(std::shared_ptr<void>(), bytes.data())
                      : mapped::map_same(place);
  return ranks.all_sum(here == nullptr ? 1 : 0) == 0 ? here : nullptr;
}

void share(Ranks& ranks, Volume& volume) {
  Form form;
  if (!volume.empty()) form = {volume.geometry(), volume.type(), volume.components()};
  share_value(ranks, form);
  if (form.components == 0) return;
  const std::span<const std::byte> given =
      is_first(ranks) ? volume.bytes() : std::span<const std::byte>();
  const std::shared_ptr<const std::byte> mapped = in_a_file_of_all(ranks, given);
  if (is_first(ranks)) {
    if (!mapped) give(ranks, given);
    return;
  }
  visit_type(form.type, [&]<typename T>(T) {
    const std::shared_ptr<const T[]> voxels =
        mapped ? std::shared_ptr<const T[]>(mapped, reinterpret_cast<const T*>(mapped.get()))
               : received<T>(ranks, form.geometry.voxel_count() * form.components);
    volume = Volume(form.geometry, voxels, form.components);
  });
}

void share(Ranks& ranks, LabelMap& map) {
  Form form;
  if (!map.empty()) {
    form = {.geometry = map.geometry(),
            .type = visit_labels(
                map.labels(), []<LabelType T>(std::span<const T>) { return voxel_type_of<T>(); }),
            .components = 1};
  }
  share_value(ranks, form);
  if (form.components == 0) return;
  if (is_first(ranks)) {
    return visit_labels(map.labels(), [&](auto labels) { give(ranks, std::as_bytes(labels)); });
  }
  const auto receive = [&]<LabelType T>(T) {
    map = label_map_of(form.geometry, received<T>(ranks, form.geometry.voxel_count()));
  };
  if (form.type == VoxelType::U8) return receive(std::uint8_t{});
  if (form.type == VoxelType::U16) return receive(std::uint16_t{});
  receive(std::uint32_t{});
}

}  // namespace

void share_with(const ProcessGroup& group, const Arguments& arguments, const OperationTable& table,
                Context::Settings& settings) {
  if (!group.ranks) return;
  settings.ranks = group.ranks;
  if (!arguments.has("threads")) settings.threads = group.threads;
  const std::vector<DeviceInfo>& devices = table.devices();
  if (arguments.has("device") || devices.empty()) return;
  settings.device = devices[static_cast<std::size_t>(group.number_here) % devices.size()].number;
}

void refuse_another_run(Ranks& ranks, const RunRequest& request, const Arguments& arguments,
                        const std::vector<Flag>& inputs) {
  std::string text = identity_of(request);
  for (const std::string& output : request.inputs.requested)
    text += '\n' + output;  // some take messages of their own
  for (const Flag& flag : inputs)
    text += '\n' + flag.name + '=' + arguments.text(flag.name).value_or("");
  const std::string own = xxh64_digest(std::as_bytes(std::span(text)));
  std::string first = own;
  ranks.share(std::as_writable_bytes(std::span(first)), 0);
  if (first == own) return;
  throw InputError("process " + std::to_string(ranks.rank()) +
                   " has another version, value, input or output than process 0: all processes "
                   "of a run need the same");
}

void share_size(Ranks& ranks, ImageSize& image) {
  share_value(ranks, image);
}

void share_inputs(Ranks& ranks, Inputs& inputs) {
  for (Volume* volume : {&inputs.image, &inputs.marker})
    share(ranks, *volume);
  for (LabelMap* map : {&inputs.labels, &inputs.mask, &inputs.start})
    share(ranks, *map);
  share_values(ranks, inputs.seeds.seeds);
}

}  // namespace seedwave::cli
