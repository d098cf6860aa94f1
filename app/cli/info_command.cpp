// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/case_flags.h"
#include "app/cli/commands.h"
#include "app/cli/progress_bar.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/image_source.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace seedwave::cli {
namespace {

using nlohmann::ordered_json;

std::string name_of(io::ItemKind kind) {
  return kind == io::ItemKind::Volume ? "volume" : kind == io::ItemKind::Slide ? "slide" : "image";
}

/// The levels of a slide, and what it states of them.
void add_slide(const io::SlideInfo& slide, ordered_json& json) {
  json["levels"] = ordered_json::array();
  for (int level = 0; level < static_cast<int>(slide.levels.size()); ++level) {
    const io::SlideLevel& of = slide.levels[static_cast<std::size_t>(level)];
    const auto spans = slide.downsample(level);
    json["levels"].push_back({{"size", {of.width, of.height}},
                              {"downsample", (spans[0] + spans[1]) / 2.0},
                              {"tile", {of.tile_width, of.tile_height}}});
  }
  json["mpp"] = nullptr;
  if (slide.mpp) json["mpp"] = *slide.mpp;
  json["objective"] = nullptr;
  if (slide.objective) json["objective"] = *slide.objective;
  json["channels"] = slide.channels;
  json["pictures"] = slide.pictures;
}

/// Returns a number with four digits.
std::string short_text(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", number);
  return text.data();
}

std::string slide_text(const io::SlideInfo& slide) {
  const io::SlideLevel& finest = slide.levels.front();
  std::string text = std::to_string(finest.width) + " x " + std::to_string(finest.height) + ", " +
                     std::to_string(slide.levels.size()) +
                     (slide.levels.size() == 1 ? " level" : " levels");
  if (slide.mpp) text += ", " + short_text((*slide.mpp)[0]) + " \u00b5m per pixel";
  if (slide.objective) text += ", " + number_text(*slide.objective) + "x";
  if (!slide.channels.empty()) text += ", " + std::to_string(slide.channels.size()) + " channels";
  return text;
}

/// Properties that only the voxels tell.
struct VoxelFacts {
  std::optional<ValueRange> range;
  std::string digest;
};

/// Properties requested beyond the headers; each requires reading the voxels.
struct Wanted {
  bool range = false;
  bool digest = false;
  io::Damaged damaged = io::Damaged::Refuse;

  [[nodiscard]] bool voxels() const noexcept { return range || digest; }
};

/// Reads the voxels. An item that cannot be read becomes unusable, and a warning says why.
VoxelFacts look_into(io::Item& item, const Wanted& wanted, Context& context) {
  VoxelFacts facts;
  if (!item.usable || !wanted.voxels()) return facts;
  try {
    const io::LoadedImage loaded = io::load(item, context, wanted.damaged);
    if (wanted.range) facts.range = value_range(loaded.volume);
    if (wanted.digest) facts.digest = xxh64_digest(loaded.volume.bytes());
    // Known only after reading, such as the type after rescale.
    item.type = loaded.volume.type();
    for (const std::string& warning : loaded.warnings) {
      if (std::find(item.warnings.begin(), item.warnings.end(), warning) == item.warnings.end()) {
        item.warnings.push_back(warning);
      }
    }
  } catch (const io::DamagedError& error) {
    item.usable = false;
    item.warnings.push_back(error.what() + std::string(kHowToRead));
  } catch (const InputError& error) {
    item.usable = false;
    item.warnings.emplace_back(error.what());
  }
  return facts;
}

/// Writes whole numbers without a decimal point. JSON has no infinities: they are written as words,
/// as in a session.
ordered_json json_number(double number) {
  constexpr double kExactBelow = 9007199254740992.0;  // 2^53: every whole number is one
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  if (std::abs(number) < kExactBelow && number == std::trunc(number)) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

ordered_json item_json(const io::Item& item, const VoxelFacts& facts) {
  ordered_json json{{"kind", name_of(item.kind)}, {"format", item.format}};
  if (!item.series.empty()) json["series"] = item.series;
  if (!item.hints.modality.empty()) json["modality"] = item.hints.modality;
  if (!item.hints.description.empty()) json["description"] = item.hints.description;
  json["files"] = item.files.size();
  if (item.files.size() == 1) json["file"] = item.files.front().string();
  if (item.slide) add_slide(*item.slide, json);
  json["size"] = item.geometry.size;
  json["spacing"] = item.geometry.spacing;
  json["origin"] = item.geometry.origin;
  json["direction"] = ordered_json::array();
  for (const double cosine : item.geometry.direction)
    json["direction"].push_back(cosine + 0.0);  // -0 becomes 0
  json["type"] = seedwave::name_of(item.type);
  json["components"] = item.components;
  json["range"] = nullptr;
  if (facts.range) {
    json["range"] = {json_number(facts.range->low), json_number(facts.range->high)};
  }
  if (!facts.digest.empty()) json["digest"] = facts.digest;
  json["regular"] = item.regular;
  if (!item.regular) json["positions"] = item.positions;
  json["usable"] = item.usable;
  json["warnings"] = item.warnings;
  return json;
}

std::string line_of(std::size_t number, const io::Item& item, const VoxelFacts& facts) {
  std::string text = "  " + std::to_string(number) + ". " + name_of(item.kind) + ", " + item.format;
  if (!item.hints.modality.empty()) text += ", " + item.hints.modality;
  if (!item.hints.description.empty()) text += " \"" + item.hints.description + "\"";
  text += ": " + (item.slide ? slide_text(*item.slide) : describe(item.geometry)) + ", " +
          std::string(seedwave::name_of(item.type));
  if (item.components == 3) text += " RGB";
  if (facts.range) {
    text += ", values " + number_text(facts.range->low) + " to " + number_text(facts.range->high);
  }
  if (item.files.size() == 1) text += ", " + item.files.front().filename().string();
  if (item.files.size() > 1) text += ", " + std::to_string(item.files.size()) + " files";
  if (!item.regular) text += ", slices unevenly spaced";
  if (!facts.digest.empty()) text += ", " + facts.digest;
  text += item.usable ? "\n" : ", CANNOT BE USED\n";
  for (const std::string& warning : item.warnings)
    text += "     " + warning + "\n";
  return text;
}

std::string skipped_lines(const std::vector<io::Skipped>& skipped) {
  constexpr std::size_t kMostListed = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(skipped.size(), kMostListed); ++i)
    text += "  not opened: " + skipped[i].file.string() + ": " + skipped[i].reason + "\n";
  if (skipped.size() > kMostListed) {
    text += "  and " + std::to_string(skipped.size() - kMostListed) + " more files not opened\n";
  }
  return text;
}

/// Report on one path in both forms, and its error: "" if the path has a usable item.
struct PathReport {
  ordered_json json;
  std::string text;
  std::string error;
};

PathReport report_on(const std::string& path, const Wanted& wanted, Context& context) {
  PathReport report;
  report.json = {
      {"path", path}, {"items", ordered_json::array()}, {"skipped", ordered_json::array()}};
  report.text = path + "\n";
  io::Scan scan;
  try {
    scan = io::scan(path, context);
  } catch (const InputError& error) {
    report.error = error.what();
    return report;
  }
  bool usable = false;
  for (std::size_t i = 0; i < scan.items.size(); ++i) {
    io::Item& item = scan.items[i];
    const VoxelFacts facts = look_into(item, wanted, context);
    usable = usable || item.usable;
    report.json["items"].push_back(item_json(item, facts));
    report.text += line_of(i + 1, item, facts);
  }
  for (const io::Skipped& skipped : scan.skipped) {
    report.json["skipped"].push_back({{"file", skipped.file.string()}, {"reason", skipped.reason}});
  }
  if (usable && !wanted.range) {
    report.text += "  use --range to read the voxels and show the range of values\n";
  }
  report.text += skipped_lines(scan.skipped);
  if (!usable) {
    report.error = path + " holds no image that can be used";
    if (!scan.items.empty() && !scan.items.front().warnings.empty()) {
      report.error += ": " + scan.items.front().warnings.back();
    } else if (!scan.skipped.empty()) {
      report.error +=
          ": " + scan.skipped.front().file.filename().string() + ": " + scan.skipped.front().reason;
    }
  }
  return report;
}

}  // namespace

int info_command(const Call& call) {
  const std::vector<FlagGroup> groups{
      {"flags",
       {{"json", "", "one JSON object per path, each on a line of its own"},
        {"range", "", "also the smallest and largest value after rescale (reads the voxels)"},
        {"digest", "", "also the XXH64 digest of the voxels after rescale (reads the voxels)"},
        {"allow-damaged", "", kAllowDamagedHelp},
        {"quiet", "", "no progress"},
        {"help", "", "this page"}}}};
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(help_page(
        "info PATH... [--json]",
        "Lists the contents of files and folders: series with size, spacing, position,\n"
        "orientation and type; skipped files and the reasons. Reads headers only, unless\n"
        "--range or --digest is given. In JSON the range is null without --range.",
        groups));
    return 0;
  }
  if (arguments.positionals().empty()) throw UsageError("info needs a path: info PATH...");
  const Wanted wanted{.range = arguments.has("range"),
                      .digest = arguments.has("digest"),
                      .damaged = damaged_of(arguments)};
  int code = 0;
  for (const std::string& path : arguments.positionals()) {
    PathReport report;
    {
      ProgressBar bar(arguments.has("quiet"));
      Context context(Context::Settings{.stop = call.stop, .progress = bar.callback()});
      report = report_on(path, wanted, context);
    }
    if (!report.error.empty()) {
      code = kExitInput;
      report.json["error"] = {{"code", code}, {"message", report.error}};
      print_failure(report.error);
    }
    if (arguments.has("json")) {
      print_json(report.json);
    } else {
      print(report.text);
    }
  }
  return code;
}

}  // namespace seedwave::cli
