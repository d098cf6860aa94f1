// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/case_flags.h"
#include "app/cli/commands.h"
#include "app/cli/progress_bar.h"
#include "core/base/error.h"
#include "core/engine/stain_source.h"
#include "core/image/channel.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace seedwave::cli {
namespace {

using nlohmann::ordered_json;

std::vector<FlagGroup> stains_flags() {
  std::vector<Flag> part = part_flags();
  std::erase_if(part, [](const Flag& flag) { return flag.name == "channel"; });
  return {
      {"flags",
       {{"first", "FILE", "GeoJSON file, or FILE#CLASS: regions with the first stain alone"},
        {"second", "FILE", "the same for the second stain"},
        {"json", "", R"(one line: {"stains": [[R, G, B], [R, G, B]], "channels": [NAME, NAME]})"},
        {"quiet", "", "no progress"},
        {"help", "", "this page"}}},
      {"part of the image", part}};
}

/// Returns the stain of the regions that a flag names.
std::optional<Vec3> stain_inside(const Arguments& arguments, const std::string& flag,
                                 const LoadedCase& of, Context& context) {
  const auto named = arguments.text(flag);
  if (!named) return std::nullopt;
  try {
    return stain_from(of.image, regions_named(*named, of, context), context);
  } catch (const InputError& error) {
    throw InputError("--" + flag + " " + *named + ": " + error.what());
  }
}

std::array<Vec3, 2> stains_in(const LoadedCase& of, const Arguments& arguments, Context& context) {
  const std::optional<Vec3> first = stain_inside(arguments, "first", of, context);
  const std::optional<Vec3> second = stain_inside(arguments, "second", of, context);
  if (first && second) return {*first, *second};
  return stains_of_picture(of.image, context);
}

}  // namespace

int stains_command(const Call& call) {
  const std::vector<FlagGroup> groups = stains_flags();
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(help_page(
        "stains IMAGE [--first FILE#CLASS --second FILE#CLASS]",
        "Finds the optical densities of two stains, each from regions that have it alone, or both\n"
        "from the colours of the image (Macenko et al. 2009). Prints a channel for each, as\n"
        "--channel of other commands takes it.",
        groups));
    return 0;
  }
  if (arguments.positionals().size() != 1) throw UsageError("stains needs one image: stains IMAGE");
  if (arguments.has("first") != arguments.has("second"))
    throw UsageError("--first and --second belong together: give both or none");
  const std::string& path = arguments.positionals().front();
  std::array<std::string, 2> found;
  std::array<Vec3, 2> stains{};
  {
    ProgressBar bar(arguments.has("quiet"));
    Context context(Context::Settings{.stop = call.stop, .progress = bar.callback()});
    const ReadCase read = read_case(find_case(path, arguments, context), arguments, context);
    if (read.of.image.components() != 3 || read.of.image.type() != VoxelType::U8)
      throw InputError(path + " is not a colour image (RGB, 8 bit): it has no stains");
    stains = stains_in(read.of, arguments, context);
    found = {stain_channel(stains[0], stains[1]), stain_channel(stains[1], stains[0])};
  }
  if (arguments.has("json")) {
    print_json(ordered_json{{"stains", stains}, {"channels", found}});
  } else {
    print(found[0] + "\n" + found[1] + "\n");
  }
  return 0;
}

}  // namespace seedwave::cli
