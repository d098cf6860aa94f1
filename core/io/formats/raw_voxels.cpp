// SPDX-License-Identifier: Apache-2.0
#include "core/io/formats/raw_voxels.h"

#include "core/base/error.h"
#include "core/base/large_memory.h"
#include "core/base/mapped_input.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace seedwave::io {
namespace {

/// A 16-bit floating-point number of a file (IEEE 754 binary16); read only.
struct Half {
  std::uint16_t bits = 0;

  /// Exact: 32-bit floating point holds every 16-bit number.
  // NOLINTNEXTLINE(google-explicit-constructor): a number among numbers
  operator float() const noexcept {
    const std::uint32_t sign = std::uint32_t{bits} >> 15U << 31U;
    const std::uint32_t exponent = std::uint32_t{bits} >> 10U & 0x1fU;
    const std::uint32_t fraction = bits & 0x3ffU;
    if (exponent == 0) {
      const float small = std::ldexp(static_cast<float>(fraction), -24);
      return sign != 0 ? -small : small;
    }
    const std::uint32_t wide = exponent == 31 ? 255U : exponent + 127U - 15U;
    return std::bit_cast<float>(sign | wide << 23U | fraction << 13U);
  }
};

/// Values converted between two checks of the stop token.
constexpr std::size_t kValuesPerPiece = std::size_t{1} << 20;

template <typename T>
constexpr bool is_voxel_type() {
  return std::is_same_v<T, std::uint8_t> || std::is_same_v<T, std::int16_t> ||
         std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int32_t> ||
         std::is_same_v<T, float>;
}

/// Calls visitor(T{}) with the C++ type of `type`.
template <typename Visitor>
decltype(auto) visit_stored(StoredType type, Visitor&& visitor) {
  switch (type) {
    case StoredType::U8:
      return visitor(std::uint8_t{});
    case StoredType::I8:
      return visitor(std::int8_t{});
    case StoredType::U16:
      return visitor(std::uint16_t{});
    case StoredType::I16:
      return visitor(std::int16_t{});
    case StoredType::U32:
      return visitor(std::uint32_t{});
    case StoredType::I32:
      return visitor(std::int32_t{});
    case StoredType::U64:
      return visitor(std::uint64_t{});
    case StoredType::I64:
      return visitor(std::int64_t{});
    case StoredType::F16:
      return visitor(Half{});
    case StoredType::F32:
      return visitor(float{});
    case StoredType::F64:
      break;
  }
  return visitor(double{});
}

template <typename T>
void swap_bytes(std::span<T> values) {
  for (T& value : values) {
    std::array<std::byte, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(T));
    std::reverse(bytes.begin(), bytes.end());
    std::memcpy(&value, bytes.data(), sizeof(T));
  }
}

/// Runs `body(piece)` over the values, checking the stop token between pieces.
template <typename T, typename Body>
void in_pieces(std::span<const T> values, Context& context, Body&& body) {
  for (std::size_t at = 0; at < values.size(); at += kValuesPerPiece) {
    if (context.stop_requested()) throw Cancelled();
    body(values.subspan(at, std::min(kValuesPerPiece, values.size() - at)));
  }
}

template <typename To, typename From>
Volume convert(const Geometry& geometry, int components, std::span<const From> stored,
               Context& context, double slope, double intercept) {
  std::vector<To> values;
  values.reserve(stored.size());
  const bool as_stored = slope == 1.0 && intercept == 0.0;
  in_pieces(stored, context, [&](std::span<const From> piece) {
    for (const From value : piece) {
      // Without a rescale the value is converted directly: double would round 64-bit integers
      // twice.
      values.push_back(as_stored ? static_cast<To>(value)
                                 : static_cast<To>(slope * static_cast<double>(value) + intercept));
    }
  });
  return Volume(geometry, std::move(values), components);
}

struct Limits {
  double low = 0.0;
  double high = 0.0;
  [[nodiscard]] bool within(double least, double most) const {
    return low >= least && high <= most;
  }
};

template <typename T>
Limits limits_of(std::span<const T> stored, Context& context) {
  if (stored.empty()) return {};
  T low = stored.front();
  T high = stored.front();
  in_pieces(stored, context, [&](std::span<const T> piece) {
    const auto [least, most] = std::minmax_element(piece.begin(), piece.end());
    low = std::min(low, *least);
    high = std::max(high, *most);
  });
  return {static_cast<double>(low), static_cast<double>(high)};
}

const char* const kBeyond32Bits =
    "holds integers beyond 32 bits: read as 32-bit floating point, rounded";

template <typename T>
bool fits(const Limits& limits) {
  return limits.within(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

/// Rescales integers with integer slope and intercept to the smallest type that holds the values.
template <typename T>
Volume rescale_integers(const RawVoxels& raw, std::span<const T> stored, Context& context,
                        const Geometry& geometry, std::vector<std::string>& warnings) {
  const Limits before = limits_of(stored, context);
  const double a = raw.slope * before.low + raw.intercept;
  const double b = raw.slope * before.high + raw.intercept;
  const Limits after{std::min(a, b), std::max(a, b)};
  const auto to = [&]<typename To>(To) {
    return convert<To>(geometry, raw.components, stored, context, raw.slope, raw.intercept);
  };
  if (fits<std::uint8_t>(after)) return to(std::uint8_t{});
  if (fits<std::int16_t>(after)) return to(std::int16_t{});
  if (fits<std::uint16_t>(after)) return to(std::uint16_t{});
  if (fits<std::int32_t>(after)) return to(std::int32_t{});
  warnings.emplace_back(kBeyond32Bits);
  return to(float{});
}

/// Rescales to 32-bit floating point. Throws InputError if that cannot hold the values: if they
/// become infinite, or all become the same although the stored ones differ.
template <typename T>
Volume rescale_fractions(const RawVoxels& raw, std::span<const T> stored, Context& context,
                         const Geometry& geometry) {
  Volume volume =
      convert<float>(geometry, raw.components, stored, context, raw.slope, raw.intercept);
  const std::span<const float> values = volume.voxels<float>();
  bool stored_differ = false;
  bool values_differ = false;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const auto before = static_cast<float>(stored[i]);
    if (std::isfinite(before) && !std::isfinite(values[i])) {
      throw InputError(raw.file.string() + " cannot be read: its slope " + number_text(raw.slope) +
                       " gives values that are too large for 32-bit floating point");
    }
    stored_differ = stored_differ || before != static_cast<float>(stored[0]);
    values_differ = values_differ || values[i] != values[0];
  }
  if (stored_differ && !values_differ) {
    throw InputError(raw.file.string() + " cannot be read: with its slope " +
                     number_text(raw.slope) + " and intercept " + number_text(raw.intercept) +
                     " all values are the same in 32-bit floating point");
  }
  return volume;
}

/// Converts types that images do not have: to i32 if all values fit, else to f32 (ReadAs).
template <typename T>
Volume narrow(const RawVoxels& raw, std::span<const T> stored, ReadAs as, Context& context,
              const Geometry& geometry, std::vector<std::string>& warnings) {
  const auto to = [&]<typename To>(To) {
    return convert<To>(geometry, raw.components, stored, context, 1.0, 0.0);
  };
  if constexpr (std::is_same_v<T, std::int8_t>) {
    return to(std::int16_t{});
  } else if constexpr (std::is_same_v<T, Half>) {
    return to(float{});
  } else if constexpr (std::is_integral_v<T>) {
    const Limits limits = limits_of(stored, context);
    if (fits<std::int32_t>(limits)) return to(std::int32_t{});
    if (as == ReadAs::Labels && fits<std::uint32_t>(limits)) return to(std::uint32_t{});
    warnings.emplace_back(kBeyond32Bits);
    return to(float{});
  } else {
    std::int64_t rounded = 0;
    in_pieces(stored, context, [&](std::span<const T> piece) {
      rounded += std::count_if(piece.begin(), piece.end(), [](T value) {
        return std::isfinite(value) && static_cast<T>(static_cast<float>(value)) != value;
      });
    });
    if (rounded > 0) {
      warnings.push_back(
          "is stored in 64-bit floating point: read in 32 bits, which rounds its values");
    }
    return to(float{});
  }
}

/// Returns the number of values that are adjacent in the file.
std::int64_t values_per_voxel(const RawVoxels& raw) {
  return raw.values_per_voxel > 0 ? raw.values_per_voxel : raw.components;
}

/// Keeps the selected values of each voxel.
template <typename T>
void keep_wanted(std::vector<T>& stored, const RawVoxels& raw) {
  const auto step = static_cast<std::size_t>(values_per_voxel(raw));
  const auto wanted = static_cast<std::size_t>(raw.components);
  if (step == wanted) return;
  std::size_t to = 0;
  for (std::size_t from = static_cast<std::size_t>(raw.first_value); from < stored.size();
       from += step) {
    for (std::size_t i = 0; i < wanted; ++i)
      stored[to++] = stored[from + i];
  }
  stored.resize(to);
}

/// Returns the values from byte `offset` of the voxels on where they lie in the file, if they are
/// there as in memory, and inputs of that size are to be mapped; else null.
template <typename T>
std::shared_ptr<const T[]> mapped_values(const RawVoxels& raw, std::int64_t offset,
                                         std::size_t count) {
  if (raw.packing != Packing::None || values_per_voxel(raw) != raw.components) return nullptr;
  if (sizeof(T) > 1 && raw.order != std::endian::native) return nullptr;
  const std::int64_t begin = raw.file_offset + raw.stream_offset + offset;
  if (begin % static_cast<std::int64_t>(alignof(T)) != 0) return nullptr;
  const auto bytes =
      mapped::map_input(raw.file, begin, static_cast<std::int64_t>(count * sizeof(T)));
  return {bytes, reinterpret_cast<const T*>(bytes.get())};
}

[[noreturn]] void fail_as_too_large(const RawVoxels& raw) {
  throw InputError(raw.file.string() +
                   " is truncated or its header is wrong: the header describes " +
                   describe(raw.geometry) + " (" + std::string(describe(raw.stored)) +
                   "), more than the file contains");
}

void warn_of_values(const Volume& volume, std::vector<std::string>& warnings) {
  if (volume.type() != VoxelType::F32) return;
  std::int64_t nan = 0;
  std::int64_t infinite = 0;
  for (const float value : volume.voxels<float>()) {
    nan += std::isnan(value) ? 1 : 0;
    infinite += std::isinf(value) ? 1 : 0;
  }
  if (nan > 0) warnings.push_back("contains " + std::to_string(nan) + " NaN values");
  if (infinite > 0) warnings.push_back("contains " + std::to_string(infinite) + " infinite values");
}

}  // namespace

std::size_t bytes_of(StoredType type) noexcept {
  return visit_stored(type, [](auto value) { return sizeof(value); });
}

std::string_view describe(StoredType type) noexcept {
  constexpr std::array<std::string_view, 11> kTexts{
      "8-bit unsigned integers",  "8-bit signed integers",    "16-bit unsigned integers",
      "16-bit signed integers",   "32-bit unsigned integers", "32-bit signed integers",
      "64-bit unsigned integers", "64-bit signed integers",   "16-bit floating point",
      "32-bit floating point",    "64-bit floating point"};
  return kTexts[static_cast<std::size_t>(type)];
}

bool keeps_integers(double value) noexcept {
  return value == std::floor(value) && std::abs(value) <= 0x1p46;
}

Geometry cut_slices(const Geometry& geometry, const SliceRange& slices) {
  Geometry cut = geometry;
  const std::int64_t first = std::clamp<std::int64_t>(slices.first, 0, geometry.size[2] - 1);
  cut.size[2] = std::clamp<std::int64_t>(slices.count, 1, geometry.size[2] - first);
  if (first > 0) cut.origin = geometry.to_world(Index3{0, 0, first});
  return cut;
}

VoxelType type_of(const RawVoxels& raw) noexcept {
  const bool rescaled = raw.slope != 1.0 || raw.intercept != 0.0;
  return visit_stored(raw.stored, [&](auto value) {
    using T = decltype(value);
    if (!std::is_integral_v<T>) return VoxelType::F32;
    if (rescaled && (!keeps_integers(raw.slope) || !keeps_integers(raw.intercept)))
      return VoxelType::F32;
    if constexpr (is_voxel_type<T>()) {
      if (!rescaled) return voxel_type_of<T>();
    }
    return sizeof(T) == 1 ? VoxelType::I16 : VoxelType::I32;
  });
}

CheckedSize bytes_of_parts(const RawVoxels& raw, std::int64_t parts) noexcept {
  return CheckedSize(raw.geometry.voxel_count()) * values_per_voxel(raw) *
         static_cast<std::int64_t>(bytes_of(raw.stored)) * parts;
}

RawVoxels part_of(const RawVoxels& raw, std::int64_t part) {
  if (raw.values_per_voxel > 0) {
    RawVoxels one = raw;
    one.first_value = part;
    return one;
  }
  const auto offset = (bytes_of_parts(raw, part) + raw.stream_offset).value();
  if (!offset) fail_as_too_large(raw);
  RawVoxels one = raw;
  one.stream_offset = *offset;
  return one;
}

void place_at_end(RawVoxels& raw, std::int64_t parts) {
  std::error_code error;
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(raw.file, error));
  const CheckedSize bytes = bytes_of_parts(raw, raw.values_per_voxel > 0 ? 1 : parts);
  if (error || !bytes.fits(size)) fail_as_too_large(raw);
  raw.file_offset = size - *bytes.value();
}

void check_raw_size(const RawVoxels& raw) {
  const ByteSource source(raw.file, raw.packing, raw.file_offset);
  if ((bytes_of_parts(raw, 1) + raw.stream_offset).fits(source.at_most())) return;
  fail_as_too_large(raw);
}

Volume load_raw(const RawVoxels& raw, const SliceRange& slices, ReadAs as, Context& context,
                std::vector<std::string>& warnings) {
  check_raw_size(raw);
  const Geometry geometry = cut_slices(raw.geometry, slices);
  const std::int64_t values = values_per_voxel(raw);
  const std::int64_t voxel = static_cast<std::int64_t>(bytes_of(raw.stored)) * values;
  const std::int64_t slice = raw.geometry.size[0] * raw.geometry.size[1] * voxel;
  const std::int64_t first = std::clamp<std::int64_t>(slices.first, 0, raw.geometry.size[2] - 1);
  const bool rescaled = raw.slope != 1.0 || raw.intercept != 0.0;
  const auto count = static_cast<std::size_t>(geometry.voxel_count() * values);

  return visit_stored(raw.stored, [&](auto type) {
    using T = decltype(type);
    const bool as_stored = is_voxel_type<T>() && !rescaled;
    if constexpr (is_voxel_type<T>()) {
      if (const auto lie = as_stored ? mapped_values<T>(raw, first * slice, count) : nullptr) {
        Volume volume(geometry, lie, raw.components);
        warn_of_values(volume, warnings);
        return volume;
      }
    }
    const auto per_value = static_cast<std::int64_t>(sizeof(T) + (as_stored ? 0 : sizeof(float)));
    require_memory(CheckedSize(geometry.voxel_count()) * values * per_value, raw.file.string());
    ByteSource source(raw.file, raw.packing, raw.file_offset);
    source.skip(raw.stream_offset + first * slice, context);
    auto stored = large_vector<T>(count);
    source.read(std::as_writable_bytes(std::span(stored)), context);
    if (raw.order != std::endian::native) swap_bytes(std::span(stored));
    keep_wanted(stored, raw);

    Volume volume;
    if constexpr (is_voxel_type<T>()) {
      if (!rescaled) volume = Volume(geometry, std::move(stored), raw.components);
    }
    if (volume.empty()) {
      // NOLINTNEXTLINE(bugprone-use-after-move): moved only into a volume that is then not empty
      const std::span<const T> numbers(stored);
      if (!rescaled) {
        volume = narrow(raw, numbers, as, context, geometry, warnings);
      } else if (std::is_integral_v<T> && keeps_integers(raw.slope) &&
                 keeps_integers(raw.intercept)) {
        volume = rescale_integers(raw, numbers, context, geometry, warnings);
      } else {
        volume = rescale_fractions(raw, numbers, context, geometry);
      }
    }
    warn_of_values(volume, warnings);
    return volume;
  });
}

}  // namespace seedwave::io
