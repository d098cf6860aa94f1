// SPDX-License-Identifier: Apache-2.0
// Included before everything else in a tree made by tools/mutate. Replaces the operators that it
// changes. Mutant k is active if SEEDWAVE_MUTANT=k; otherwise the code is unchanged.
#pragma once

// CMake tries the compiler with its own default standard.
#if __cplusplus >= 202002L

#include <algorithm>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace seedwave::mutation {

inline const int kAtWork = [] {
  const char* number = std::getenv("SEEDWAVE_MUTANT");
  return number == nullptr ? 0 : std::atoi(number);
}();

constexpr bool at_work(int k) {
  return !std::is_constant_evaluated() && kAtWork == k;
}

/// Turns `a + 1` into `a + one(k)`, which may be smaller.
constexpr int one(int k) {
  return at_work(k) ? -1 : 1;
}
/// Returns an integer, or the next one.
template <typename Number>
constexpr Number next(int k, Number number) {
  return at_work(k) ? static_cast<Number>(number + 1) : number;
}

struct Smaller {
  constexpr auto operator()(auto&&... all) const {
    return std::min(std::forward<decltype(all)>(all)...);
  }
};
struct Greater {
  constexpr auto operator()(auto&&... all) const {
    return std::max(std::forward<decltype(all)>(all)...);
  }
};
/// Calls std::min or std::max, or the opposite one.
template <typename Usual, typename Other>
struct Either {
  int k;
  constexpr auto operator()(auto&&... all) const {
    return at_work(k) ? Other{}(all...) : Usual{}(all...);
  }
};
constexpr auto min(int k) {
  return Either<Smaller, Greater>{k};
}
constexpr auto max(int k) {
  return Either<Greater, Smaller>{k};
}

/// Turns `a < b` into `a < compare<k> < b`: the left half keeps a, the right half compares. So
/// neither the start of an operand nor its precedence need be known.
template <int k>
struct Compare {};
template <int k>
inline constexpr Compare<k> compare{};

#define SEEDWAVE_MUTATED(name, usual, other)                                              \
  template <int k, typename A>                                                            \
  struct name {                                                                           \
    const A& a;                                                                           \
  };                                                                                      \
  template <typename A, int k>                                                            \
  constexpr name<k, A> operator usual(const A& a, Compare<k>) {                           \
    return {a};                                                                           \
  }                                                                                       \
  template <int k, typename A, typename B>                                                \
  constexpr auto operator usual(const name<k, A>& left, const B& b)                       \
      ->std::remove_cvref_t<decltype(left.a usual b)> {                                   \
    if (at_work(k)) return left.a other b;                                                \
    return left.a usual b;                                                                \
  }
SEEDWAVE_MUTATED(Less, <, <=)
SEEDWAVE_MUTATED(LessOrEqual, <=, <)
SEEDWAVE_MUTATED(More, >, >=)
SEEDWAVE_MUTATED(MoreOrEqual, >=, >)
SEEDWAVE_MUTATED(Equal, ==, !=)
SEEDWAVE_MUTATED(Unequal, !=, ==)
#undef SEEDWAVE_MUTATED

}  // namespace seedwave::mutation

#endif
