// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/progress_bar.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/slides/pyramid_writer.h"
#include "research/bench/tissue.h"

#include <array>
#include <string>

namespace seedwave::cli {
namespace {

constexpr const char* kSlideDescription =
    "Writes a slide of stained tissue whose pixels follow from a formula, as an OME-TIFF pyramid\n"
    "(lossless, 0.25 micrometres per pixel), in memory for a few rows of tiles.";
constexpr double kMicrometresPerPixel = 0.25;

std::vector<FlagGroup> slide_flags() {
  return {{"flags",
           {{"size", "X,Y", "pixels of level 0 (default: 16384,16384)"},
            {"share", "S",
             "share of the slide that is tissue, 0 to 1; the rest is glass (default: 0.5)"},
            {"gray", "", "one channel in place of colours"},
            {"tile", "N", "side of the tiles, a multiple of 16 (default: 512)"},
            {"quiet", "", "no progress"},
            {"help", "", "this page"}}}};
}

}  // namespace

int bench_slide_command(const Call& call) {
  const Arguments arguments(call.words, slide_flags());
  if (arguments.has("help")) {
    print(help_page("bench slide OUT.ome.tif", kSlideDescription, slide_flags()));
    return 0;
  }
  if (arguments.positionals().size() != 1)
    throw UsageError("bench slide needs one output: OUT.ome.tif");
  const std::string& path = arguments.positionals().front();
  const std::vector<std::int64_t> size =
      integers_of("size", arguments.text("size").value_or("16384,16384"), 2);
  constexpr std::int64_t kLongest = 1'000'000;
  if (size[0] < 1 || size[1] < 1 || size[0] > kLongest || size[1] > kLongest)
    throw UsageError("--size must be two numbers from 1 to 1000000");
  const auto share = parse_number(arguments.text("share").value_or("0.5"));
  if (!share || *share < 0.0 || *share > 1.0)
    throw UsageError("--share must be a number from 0 to 1");
  constexpr std::int64_t kLargestTile = 4096;
  const std::int64_t tile = arguments.integer("tile", 16, kLargestTile).value_or(512);
  if (tile % 16 != 0) throw UsageError("--tile must be a multiple of 16");
  const bool in_colour = !arguments.has("gray");

  io::OutputSet outputs;
  io::PyramidWriter writer(outputs, path,
                           {.width = size[0],
                            .height = size[1],
                            .components = in_colour ? 3 : 1,
                            .mpp = std::array{kMicrometresPerPixel, kMicrometresPerPixel},
                            .tile = tile});
  ProgressBar bar(arguments.has("quiet"));
  const auto progress = bar.callback();
  const bench::TissueRows tissue(size[0], size[1], *share);
  std::int64_t row = 0;
  Context context(Context::Settings{.stop = call.stop});
  while (const std::int64_t rows = writer.next_rows()) {
    writer.write(tissue.read(row, row + rows, in_colour, context), context);
    row += rows;
    if (progress) progress("writing", static_cast<double>(row) / static_cast<double>(size[1]));
  }
  writer.finish(context);
  outputs.commit();
  return 0;
}

}  // namespace seedwave::cli
