// SPDX-License-Identifier: Apache-2.0
#include "app/cli/letters.h"

#include <array>
#include <string_view>

namespace seedwave::cli {
namespace {

constexpr int kEnlarged = 2;

/// 5 x 7 dots, rows from the top.
struct Shape {
  char letter;
  std::string_view dots;
};

constexpr std::array kShapes{
    Shape{'R',
          "####."
          "#...#"
          "#...#"
          "####."
          "#.#.."
          "#..#."
          "#...#"},
    Shape{'L',
          "#...."
          "#...."
          "#...."
          "#...."
          "#...."
          "#...."
          "#####"},
    Shape{'A',
          ".###."
          "#...#"
          "#...#"
          "#####"
          "#...#"
          "#...#"
          "#...#"},
    Shape{'P',
          "####."
          "#...#"
          "#...#"
          "####."
          "#...."
          "#...."
          "#...."},
    Shape{'S',
          ".####"
          "#...."
          "#...."
          ".###."
          "....#"
          "....#"
          "####."},
    Shape{'I',
          ".###."
          "..#.."
          "..#.."
          "..#.."
          "..#.."
          "..#.."
          ".###."},
};

}  // namespace

bool letter_pixel(char letter, int x, int y) noexcept {
  for (const Shape& shape : kShapes) {
    if (shape.letter == letter) return shape.dots[x / kEnlarged + y / kEnlarged * 5] == '#';
  }
  return false;
}

}  // namespace seedwave::cli
