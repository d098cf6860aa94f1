// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/case_flags.h"
#include "app/cli/commands.h"
#include "app/cli/progress_bar.h"
#include "core/base/error.h"
#include "core/engine/stain_source.h"
#include "core/image/channel.h"
#include "core/ops/values.h"

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
  return {{"flags",
           {{"first", "FILE", "GeoJSON file, or FILE#CLASS: regions with the first stain alone"},
            {"second", "FILE", "the same for the second stain"},
            {"background", "auto | R,G,B | FILE",
             "the colour of glass without tissue, whose optical density is 0 (default: white, "
             "255,255,255): auto takes of each component the most frequent value above its mean; "
             "regions of glass alone, their median"},
            {"json", "",
             R"(one line: {"stains": [[R, G, B], [R, G, B]], "channels": [NAME, NAME], )"
             R"("background": [R, G, B], "warnings": []})"},
            {"quiet", "", "no progress"},
            {"help", "", "this page"}}},
          {"part of the image", part}};
}

/// Returns the background that is given in numbers; nothing if it is to be found.
std::optional<Rgb> given_background(const Arguments& arguments) {
  const auto text = arguments.text("background");
  if (!text) return kWhiteBackground;
  if (text->find_first_not_of("0123456789,.- ") != std::string::npos) return std::nullopt;
  const std::optional<Rgb> background = parse_background(*text);
  if (!background)
    throw UsageError("--background must be three whole numbers R,G,B from 1 to 255, not '" + *text +
                     "'");
  return background;
}

/// The picture whose stains are sought, and the words that say how.
struct StainsCall {
  const LoadedCase& of;
  const Arguments& arguments;
  Context& context;

  /// Calls `take` with the regions that a flag names.
  template <typename Take>
  [[nodiscard]] auto of_regions(const std::string& flag, Take&& take) const {
    const std::string named = arguments.text(flag).value_or("");
    try {
      return take(StainSource(regions_named(named, of, context)));
    } catch (const InputError& error) {
      throw InputError("--" + flag + " " + named + ": " + error.what());
    }
  }
  [[nodiscard]] Rgb background() const {
    if (arguments.text("background") == kAuto)
      return background_from(of.image, WholePicture{}, context);
    return of_regions("background", [this](const StainSource& regions) {
      return background_from(of.image, regions, context);
    });
  }
  [[nodiscard]] Vec3 stain_inside(const std::string& flag, const Rgb& background) const {
    return of_regions(flag, [&](const StainSource& regions) {
      return stain_from(of.image, regions, background, context);
    });
  }
  [[nodiscard]] std::array<Vec3, 2> stains(const Rgb& background) const {
    if (!arguments.has("first")) return stains_of_picture(of.image, background, context);
    return {stain_inside("first", background), stain_inside("second", background)};
  }
};

}  // namespace

int stains_command(const Call& call) {
  const std::vector<FlagGroup> groups = stains_flags();
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(help_page(
        "stains IMAGE [--first FILE#CLASS --second FILE#CLASS] [--background auto]",
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
  const std::optional<Rgb> given = given_background(arguments);
  std::array<std::string, 2> found;
  std::array<Vec3, 2> stains{};
  Rgb background{};
  {
    ProgressBar bar(arguments.has("quiet"));
    Context context(Context::Settings{.stop = call.stop, .progress = bar.callback()});
    const ReadCase read = read_case(find_case(path, arguments, context), arguments, context);
    if (read.of.image.components() != 3 || read.of.image.type() != VoxelType::U8)
      throw InputError(path + " is not a colour image (RGB, 8 bit): it has no stains");
    const StainsCall picture{.of = read.of, .arguments = arguments, .context = context};
    background = given ? *given : picture.background();
    stains = picture.stains(background);
    found = {stain_channel(stains[0], stains[1], background),
             stain_channel(stains[1], stains[0], background)};
  }
  std::vector<std::string> warnings;
  if (arguments.text("background") == kAuto) {
    if (const std::string warning = background_warning(background); !warning.empty())
      warnings.push_back(warning);
  }
  if (arguments.has("json")) {
    print_json(ordered_json{{"stains", stains},
                            {"channels", found},
                            {"background", background},
                            {"warnings", warnings}});
  } else {
    print_warnings(warnings);
    print(found[0] + "\n" + found[1] + "\n");
  }
  return 0;
}

}  // namespace seedwave::cli
