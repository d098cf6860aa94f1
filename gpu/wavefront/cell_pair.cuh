// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

/// Two neighbouring cells in a thread's registers, with the operations of a tile's sweeps. Cells of
/// 8 and 16 bits share one register, so one instruction processes both.
namespace seedwave::gpu {

/// Two u16.
struct NarrowPair {
  std::uint32_t cells;  // first | second << 16

  friend __device__ NarrowPair lower(NarrowPair a, NarrowPair b) {
    return {__vminu2(a.cells, b.cells)};
  }
  friend __device__ NarrowPair higher(NarrowPair a, NarrowPair b) {
    return {__vmaxu2(a.cells, b.cells)};
  }
  friend __device__ NarrowPair highest(NarrowPair a, NarrowPair b, NarrowPair c) {
    return {__vimax3_u16x2(a.cells, b.cells, c.cells)};
  }
  friend __device__ bool differ(NarrowPair a, NarrowPair b) { return a.cells != b.cells; }
  [[nodiscard]] static __device__ NarrowPair lowest() { return {0}; }
  /// Selects the cells of two pairs that form a new pair. Held in a register where it differs by
  /// lane.
  using Pick = std::uint32_t;
  static constexpr Pick kFirsts = 0x5410;         // (a.first, b.first)
  static constexpr Pick kSeconds = 0x7632;        // (a.second, b.second)
  static constexpr Pick kFirstsTurned = 0x1054;   // (b.first, a.first)
  static constexpr Pick kSecondsTurned = 0x3276;  // (b.second, a.second)
  [[nodiscard]] static __device__ NarrowPair picked(NarrowPair a, NarrowPair b, Pick pick) {
    return {__byte_perm(a.cells, b.cells, pick)};
  }
  /// Returns (a.second, b.first), the pair shifted by half a pair.
  [[nodiscard]] static __device__ NarrowPair between(NarrowPair a, NarrowPair b) {
    return {__byte_perm(a.cells, b.cells, 0x5432)};
  }
  [[nodiscard]] static __device__ NarrowPair of(std::uint32_t first, std::uint32_t second) {
    return {first | second << 16};
  }
  [[nodiscard]] __device__ std::uint32_t first() const { return cells & 0xFFFFU; }
  [[nodiscard]] __device__ std::uint32_t second() const { return cells >> 16; }
  [[nodiscard]] __device__ NarrowPair shuffled(int lane, int width) const {
    return {__shfl_sync(0xFFFFFFFFU, cells, lane, width)};
  }

  [[nodiscard]] static __device__ NarrowPair load(const std::uint8_t* at) {
    return {__byte_perm(__ldcg(reinterpret_cast<const unsigned short*>(at)), 0, 0x4140)};
  }
  [[nodiscard]] static __device__ NarrowPair load(const std::uint16_t* at) {
    return {__ldcg(reinterpret_cast<const std::uint32_t*>(at))};
  }
  __device__ void store(std::uint8_t* at) const {
    *reinterpret_cast<unsigned short*>(at) =
        static_cast<unsigned short>(__byte_perm(cells, 0, 0x4420));
  }
  __device__ void store(std::uint16_t* at) const { *reinterpret_cast<std::uint32_t*>(at) = cells; }

  /// Loads 16 bytes of pairs.
  static __device__ void load_some(const std::uint8_t* at, NarrowPair (&pairs)[8]) {
    const uint4 words = __ldcg(reinterpret_cast<const uint4*>(at));
    const std::uint32_t word[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      pairs[2 * i] = {__byte_perm(word[i], 0, 0x4140)};
      pairs[2 * i + 1] = {__byte_perm(word[i], 0, 0x4342)};
    }
  }
  static __device__ void load_some(const std::uint16_t* at, NarrowPair (&pairs)[4]) {
    const uint4 words = __ldcg(reinterpret_cast<const uint4*>(at));
    pairs[0] = {words.x};
    pairs[1] = {words.y};
    pairs[2] = {words.z};
    pairs[3] = {words.w};
  }
  static __device__ void store_some(std::uint8_t* at, const NarrowPair (&pairs)[8]) {
    std::uint32_t word[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      word[i] = __byte_perm(pairs[2 * i].cells, pairs[2 * i + 1].cells, 0x6420);
    *reinterpret_cast<uint4*>(at) = make_uint4(word[0], word[1], word[2], word[3]);
  }
  static __device__ void store_some(std::uint16_t* at, const NarrowPair (&pairs)[4]) {
    *reinterpret_cast<uint4*>(at) =
        make_uint4(pairs[0].cells, pairs[1].cells, pairs[2].cells, pairs[3].cells);
  }
};

/// Detects that the pairs held by a warp have risen, regardless of their order. Compares their sum
/// over the warp, because cells only rise. At most 2^16 cells.
class NarrowWatch {
 public:
  template <int count>
  __device__ void start(const NarrowPair (&pairs)[count]) {
    total_ = total(pairs);
  }
  __device__ void see(NarrowPair, NarrowPair) {}
  /// Returns whether a cell has risen since the last call, or since start().
  template <int count>
  [[nodiscard]] __device__ bool risen(const NarrowPair (&pairs)[count]) {
    const std::uint32_t now = total(pairs);
    const bool risen = now != total_;
    total_ = now;
    return risen;
  }

 private:
  template <int count>
  [[nodiscard]] static __device__ std::uint32_t total(const NarrowPair (&pairs)[count]) {
    // Uses a separate pipe, concurrently with the sweeps' minima and maxima.
    std::uint32_t sum = 0;
#pragma unroll
    for (int i = 0; i < count; ++i)
      sum = __dp2a_lo(pairs[i].cells, 0x0101U, sum);
    return __reduce_add_sync(0xFFFFFFFFU, sum);
  }
  std::uint32_t total_ = 0;
};

/// Two i32.
struct WidePair {
  int a;
  int b;

  friend __device__ WidePair lower(WidePair p, WidePair q) {
    return {min(p.a, q.a), min(p.b, q.b)};
  }
  friend __device__ WidePair higher(WidePair p, WidePair q) {
    return {max(p.a, q.a), max(p.b, q.b)};
  }
  friend __device__ WidePair highest(WidePair p, WidePair q, WidePair r) {
    return {__vimax3_s32(p.a, q.a, r.a), __vimax3_s32(p.b, q.b, r.b)};
  }
  friend __device__ bool differ(WidePair p, WidePair q) { return p.a != q.a || p.b != q.b; }
  [[nodiscard]] static __device__ WidePair lowest() {
    return {std::numeric_limits<int>::lowest(), std::numeric_limits<int>::lowest()};
  }
  enum Pick : int { kFirsts, kSeconds, kFirstsTurned, kSecondsTurned };
  [[nodiscard]] static __device__ WidePair picked(WidePair p, WidePair q, Pick pick) {
    const bool firsts = pick == kFirsts || pick == kFirstsTurned;
    const bool turned = pick == kFirstsTurned || pick == kSecondsTurned;
    const int of_p = firsts ? p.a : p.b;
    const int of_q = firsts ? q.a : q.b;
    return turned ? WidePair{of_q, of_p} : WidePair{of_p, of_q};
  }
  [[nodiscard]] static __device__ WidePair between(WidePair p, WidePair q) { return {p.b, q.a}; }
  [[nodiscard]] static __device__ WidePair of(int first, int second) { return {first, second}; }
  [[nodiscard]] __device__ int first() const { return a; }
  [[nodiscard]] __device__ int second() const { return b; }
  [[nodiscard]] __device__ WidePair shuffled(int lane, int width) const {
    return {__shfl_sync(0xFFFFFFFFU, a, lane, width), __shfl_sync(0xFFFFFFFFU, b, lane, width)};
  }

  [[nodiscard]] static __device__ WidePair load(const std::int32_t* at) {
    const int2 cells = __ldcg(reinterpret_cast<const int2*>(at));
    return {cells.x, cells.y};
  }
  __device__ void store(std::int32_t* at) const { *reinterpret_cast<int2*>(at) = make_int2(a, b); }
  static __device__ void load_some(const std::int32_t* at, WidePair (&pairs)[2]) {
    const int4 words = __ldcg(reinterpret_cast<const int4*>(at));
    pairs[0] = {words.x, words.y};
    pairs[1] = {words.z, words.w};
  }
  static __device__ void store_some(std::int32_t* at, const WidePair (&pairs)[2]) {
    *reinterpret_cast<int4*>(at) = make_int4(pairs[0].a, pairs[0].b, pairs[1].a, pairs[1].b);
  }
};

class WideWatch {
 public:
  template <int count>
  __device__ void start(const WidePair (&)[count]) {}
  __device__ void see(WidePair before, WidePair after) {
    differences_ |= (before.a ^ after.a) | (before.b ^ after.b);
  }
  template <int count>
  [[nodiscard]] __device__ bool risen(const WidePair (&)[count]) {
    const bool risen = __any_sync(0xFFFFFFFFU, differences_ != 0);
    differences_ = 0;
    return risen;
  }

 private:
  int differences_ = 0;
};

template <typename Cell>
struct PairFor {
  using Type = NarrowPair;
  using Watch = NarrowWatch;
};
template <>
struct PairFor<std::int32_t> {
  using Type = WidePair;
  using Watch = WideWatch;
};
/// u8, u16 -> NarrowPair; i32 -> WidePair.
template <typename Cell>
using PairOf = typename PairFor<Cell>::Type;
template <typename Cell>
using WatchOf = typename PairFor<Cell>::Watch;

}  // namespace seedwave::gpu
