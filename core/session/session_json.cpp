// SPDX-License-Identifier: Apache-2.0
#include "core/session/session_json.h"

#include "core/image/channel.h"
#include "core/image/edits.h"
#include "core/image/label_map.h"
#include "core/io/seed_json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>

namespace seedwave {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr double kAnyNumber = 1e300;
// Limit for the strokes of a run, because places in a list may name each stroke any number of
// times.
constexpr std::int64_t kMostStrokes = std::int64_t{1} << 22;
constexpr const char* kShowsAll = "all";
constexpr std::int64_t kMostEditable = std::int64_t{1} << 40;  // voxels
constexpr std::int64_t kAnyCount = std::int64_t{1} << 53;      // exact in a JSON number
// The wider bound: the image file must be open to know whether the strokes are on a 2-D image.
constexpr io::StrokeForm kAnyStroke{.largest_radius = io::kLargestRadiusPixels};

// ------------------------------------------------------------------ small pieces

json to_json(const Values& values) {
  json object = json::object();
  for (const auto& [id, value] : values) {
    if (const auto* word = std::get_if<std::string>(&value)) {
      object[id] = *word;
    } else {
      object[id] = std::get<double>(value);
    }
  }
  return object;
}

Values values_from_json(const JsonPlace& place) {
  Values values;
  for (const auto& [id, member] : place.members()) {
    if (member.value().is_string()) {
      values.set(id, member.text());
    } else {
      values.set(id, member.number(-kAnyNumber, kAnyNumber));
    }
  }
  return values;
}

/// The window asks for levels and regions only.
json to_json(const io::SlideView& view) {
  json object = json::object();
  if (view.level) object["level"] = *view.level;
  if (view.region) {
    object["region"] = {view.region->lo[0], view.region->lo[1], view.region->hi[0],
                        view.region->hi[1]};
  }
  return object;
}

io::SlideView slide_view_from_json(const JsonPlace& in) {
  constexpr int kMostLevels = 1000;
  constexpr std::int64_t kLongest = std::int64_t{1} << 31;
  io::SlideView view;
  if (const auto level = in.find("level"))
    view.level = static_cast<int>(level->integer(0, kMostLevels));
  if (const auto region = in.find("region")) {
    const auto sides = region->items();
    if (sides.size() != 4) region->fail("must be four numbers: left, top, right, bottom");
    Box box{{sides[0].integer(0, kLongest), sides[1].integer(0, kLongest), 0}, {0, 0, 1}};
    box.hi[0] = sides[2].integer(box.lo[0] + 1, kLongest);
    box.hi[1] = sides[3].integer(box.lo[1] + 1, kLongest);
    view.region = box;
  }
  return view;
}

json to_json(const Source& source, const SessionPlace& place) {
  if (source.path.empty()) return nullptr;
  std::error_code ignored;
  const fs::path absolute = fs::absolute(source.path, ignored);
  json object = {{"path", absolute.lexically_relative(place.folder).generic_string()},
                 {"absolute", absolute.generic_string()},
                 {"series", source.series},
                 {"digest", source.digest}};
  if (!source.view.is_whole()) object["view"] = to_json(source.view);
  return object;
}

Source source_from_json(const JsonPlace& in, const SessionPlace& place) {
  Source source;
  const std::string relative = in.at("path").text();
  std::error_code ignored;
  source.path = (place.folder / relative).lexically_normal();
  if (relative.empty() || !fs::exists(source.path, ignored)) {
    if (const auto absolute = in.find("absolute")) source.path = absolute->text();
  }
  if (const auto series = in.find("series")) source.series = series->text();
  if (const auto digest = in.find("digest")) source.digest = digest->text();
  if (const auto view = in.find("view")) source.view = slide_view_from_json(*view);
  return source;
}

json to_json(const InputChoices& inputs, const SessionPlace& place) {
  json object = json::object();
  for (const auto& [input, choice] : inputs) {
    if (choice.step) {
      object[input] = {{"run", choice.step->id}, {"output", choice.output}};
    } else {
      object[input] = {{"file", to_json(choice.file, place)}};
    }
  }
  return object;
}

InputChoices inputs_from_json(const JsonPlace& in, const SessionPlace& place) {
  InputChoices inputs;
  for (const auto& [input, member] : in.members()) {
    InputChoice choice;
    if (const auto run = member.find("run")) {
      const auto id = static_cast<std::uint64_t>(run->integer(1, kAnyCount));
      choice.step =
          std::make_shared<const Step>(Step{.id = id, .time = {}, .recipe = {}, .facts = {}});
      choice.output = member.at("output").text();
    } else {
      choice.file = source_from_json(member.at("file"), place);
    }
    inputs[input] = std::move(choice);
  }
  return inputs;
}

std::set<std::string> names_from_json(const JsonPlace& in) {
  std::set<std::string> names;
  for (const JsonPlace& name : in.items())
    names.insert(name.text());
  return names;
}

json to_json(const LabelEntry& label) {
  return {{"id", label.id},
          {"name", label.name},
          {"color", label.color},
          {"opacity", label.opacity},
          {"visible", label.visible}};
}

LabelEntry label_from_json(const JsonPlace& in) {
  LabelEntry label;
  label.id = static_cast<Label>(in.at("id").integer(1, kLargestLabel));
  label.name = in.at("name").text();
  if (const auto color = in.find("color")) label.color = color->text();
  if (const auto opacity = in.find("opacity")) label.opacity = opacity->number(0, 1);
  if (const auto visible = in.find("visible")) label.visible = visible->flag();
  return label;
}

json to_json(const MapView& view) {
  json object = json::object();
  if (view.low) object["low"] = *view.low;
  if (view.high) object["high"] = *view.high;
  if (view.threshold && std::isfinite(*view.threshold)) object["threshold"] = *view.threshold;
  if (view.threshold && std::isinf(*view.threshold)) object["threshold"] = kShowsAll;
  return object;
}

MapView map_view_from_json(const JsonPlace& in) {
  MapView view;
  const auto read = [&](const std::string& key, std::optional<double>& into) {
    if (const auto member = in.find(key)) into = member->number(-kAnyNumber, kAnyNumber);
  };
  read("low", view.low);
  read("high", view.high);
  const auto threshold = in.find("threshold");
  if (threshold && threshold->value().is_string()) {
    if (threshold->text() != kShowsAll) threshold->fail("must be a number or \"all\"");
    view.threshold = -std::numeric_limits<double>::infinity();
  } else {
    read("threshold", view.threshold);
  }
  return view;
}

json to_json(const ChannelView& view) {
  return {{"shown", view.shown},
          {"color", view.color},
          {"window_centre", view.window_centre},
          {"window_width", view.window_width}};
}

json to_json(const ViewState& view) {
  json channels = json::array();
  for (const ChannelView& channel : view.channels)
    channels.push_back(to_json(channel));
  json maps = json::object();
  for (const auto& [name, of] : view.maps)
    maps[name] = to_json(of);
  return {{"cursor", view.cursor},
          {"window_centre", view.window_centre},
          {"window_width", view.window_width},
          {"zoom", view.zoom},
          {"overlay_opacity", view.overlay_opacity},
          {"show_result", view.show_result},
          {"show_seeds", view.show_seeds},
          {"show_reference", view.show_reference},
          {"show_regions", view.show_regions},
          {"show_strength", view.show_map},
          {"map", view.map},
          {"map_colors", view.map_colors},
          {"maps", maps},
          {"outline_only", view.outline_only},
          {"mirrored", view.mirrored},
          {"quarter_turns", view.quarter_turns},
          {"shown_channel", view.shown_channel},
          {"channels", channels},
          {"theta", view.theta},
          {"layout", view.layout}};
}

void read_flag(const JsonPlace& in, const std::string& key, bool& into) {
  if (const auto member = in.find(key)) into = member->flag();
}

void read_number(const JsonPlace& in, const std::string& key, double low, double high,
                 double& into) {
  if (const auto member = in.find(key)) into = member->number(low, high);
}

/// Reads a view setting. Values out of range are clamped instead of rejected.
double looked_at(const JsonPlace& in, double low, double high) {
  constexpr double kLimit = std::numeric_limits<double>::max();
  return std::clamp(in.number(-kLimit, kLimit), low, high);
}

void read_look(const JsonPlace& in, const std::string& key, double low, double high, double& into) {
  if (const auto member = in.find(key)) into = looked_at(*member, low, high);
}

void read_text(const JsonPlace& in, const std::string& key, std::string& into) {
  if (const auto member = in.find(key)) into = member->text();
}

ChannelView channel_from_json(const JsonPlace& in) {
  ChannelView view;
  read_flag(in, "shown", view.shown);
  read_text(in, "color", view.color);
  read_look(in, "window_centre", -1e12, 1e12, view.window_centre);
  read_look(in, "window_width", 0, 1e12, view.window_width);
  return view;
}

std::string own_channel_from_json(const JsonPlace& in) {
  std::string channel = in.text();
  if (!find_channel(channel)) in.fail("names no channel");
  return channel;
}

ViewState view_from_json(const JsonPlace& in) {
  ViewState view;
  if (const auto cursor = in.find("cursor")) {
    const auto items = cursor->items();
    if (items.size() != 3) cursor->fail("must be three numbers [x, y, z]");
    for (std::size_t axis = 0; axis < 3; ++axis)
      view.cursor[axis] = looked_at(items[axis], -1e9, 1e9);
  }
  read_look(in, "window_centre", -1e12, 1e12, view.window_centre);
  read_look(in, "window_width", 0, 1e12, view.window_width);
  read_look(in, "zoom", 1e-3, 1e3, view.zoom);
  read_look(in, "overlay_opacity", 0, 1, view.overlay_opacity);
  read_flag(in, "show_result", view.show_result);
  read_flag(in, "show_seeds", view.show_seeds);
  read_flag(in, "show_reference", view.show_reference);
  read_flag(in, "show_regions", view.show_regions);
  read_flag(in, "show_strength", view.show_map);  // its name since the first version
  read_text(in, "map", view.map);
  read_text(in, "map_colors", view.map_colors);
  if (const auto maps = in.find("maps")) {
    for (const auto& [name, of] : maps->members())
      view.maps[name] = map_view_from_json(of);
  }
  read_flag(in, "outline_only", view.outline_only);
  read_flag(in, "mirrored", view.mirrored);
  double quarters = 0.0;
  read_look(in, "quarter_turns", 0, 3, quarters);
  view.quarter_turns = static_cast<int>(quarters);
  read_text(in, "shown_channel", view.shown_channel);
  if (const auto channels = in.find("channels")) {
    for (const JsonPlace& channel : channels->items())
      view.channels.push_back(channel_from_json(channel));
  }
  read_look(in, "theta", 0, 1, view.theta);
  read_text(in, "layout", view.layout);
  return view;
}

/// Writes values by label id, such as {"1": 0.97}. `by_label`: pairs of label and value.
template <typename Pairs>
json by_id(const Pairs& by_label) {
  json object = json::object();
  for (const auto& [label, value] : by_label)
    object[std::to_string(label)] = value;
  return object;
}

/// Reads a label id of a result. It may be any 32-bit number, because operations also number
/// objects.
Label label_id(const std::string& key, const JsonPlace& place) {
  std::size_t used = 0;
  unsigned long id = 0;
  try {
    id = std::stoul(key, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != key.size() || id > std::numeric_limits<Label>::max()) {
    place.fail("must have a label number as its name");
  }
  return static_cast<Label>(id);
}

// ------------------------------------------------------------------------- edits

/// Runs as numbers: offset, length and label of each; label -1 is none.
json to_json(const FixedVoxels& fixed) {
  json numbers = json::array();
  for (const LabelRun& run : fixed.runs()) {
    numbers.push_back(run.begin);
    numbers.push_back(run.end - run.begin);
    numbers.push_back(run.label == kFixedAsNone ? std::int64_t{-1} : std::int64_t{run.label});
  }
  return numbers;
}

FixedVoxels fixed_from_json(const JsonPlace& in, std::int64_t voxels, std::int64_t lowest) {
  const std::vector<JsonPlace> numbers = in.items();
  if (numbers.size() % 3 != 0) in.fail("must be offset, length and label of each run");
  std::vector<LabelRun> runs;
  runs.reserve(numbers.size() / 3);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    const std::int64_t begin = numbers[i].integer(at, voxels);
    at = begin + numbers[i + 1].integer(1, voxels - begin);
    const std::int64_t label = numbers[i + 2].integer(lowest, kLargestLabel);
    if (label == 0) numbers[i + 2].fail("must not be 0");
    runs.push_back({begin, at, label < 0 ? kFixedAsNone : static_cast<Label>(label)});
  }
  return FixedVoxels(runs);
}

json to_json(const Edits& edits) {
  json object{{"size", edits.size}, {"drawn", to_json(edits.drawn)}};
  for (const auto& [label, voxels] : edits.locked)
    object["locked"][std::to_string(label)] = to_json(voxels);
  return object;
}

Edits edits_from_json(const JsonPlace& in) {
  Edits edits;
  const auto sizes = in.at("size").items();
  if (sizes.size() != 3) in.at("size").fail("must be three numbers");
  std::int64_t voxels = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    edits.size[axis] = sizes[axis].integer(1, kMostEditable / voxels);
    voxels *= edits.size[axis];
  }
  edits.drawn = fixed_from_json(in.at("drawn"), voxels, -1);
  if (const auto locked = in.find("locked")) {
    for (const auto& [key, place] : locked->members()) {
      const Label label = label_id(key, place);
      if (label == 0 || label > kLargestLabel) place.fail("must have a label as its name");
      edits.locked[label] = fixed_from_json(place, voxels, 1);
      for (const LabelRun& run : edits.locked[label].runs()) {
        if (run.label != label) place.fail("must have runs of its own label");
      }
    }
  }
  return edits;
}

// ----------------------------------------------------------------------- regions

json to_json(const Region& region) {
  json object = json::object();
  if (region.label != 0) object["label"] = region.label;
  if (!region.name.empty()) object["name"] = region.name;
  if (region.is_object) object["object"] = true;
  object["polygons"] = region.polygons;
  return object;
}

Region region_from_json(const JsonPlace& in) {
  constexpr double kFarthest = 1e12;
  Region region;
  if (const auto label = in.find("label"))
    region.label = static_cast<Label>(label->integer(1, kLargestLabel));
  if (const auto name = in.find("name")) region.name = name->text();
  if (const auto object = in.find("object")) region.is_object = object->flag();
  for (const JsonPlace& polygon : in.at("polygons").items()) {
    RegionPolygon& rings = region.polygons.emplace_back();
    for (const JsonPlace& ring : polygon.items()) {
      RegionRing& points = rings.emplace_back();
      // Without a JsonPlace for each point: a ring may have a million.
      if (!ring.value().is_array()) ring.fail("must be a list of points");
      for (const json& point : ring.value()) {
        const bool is_point =
            point.is_array() && point.size() == 2 && point[0].is_number() && point[1].is_number();
        if (!is_point) ring.fail("must be a list of points [x, y]");
        const RegionPoint at{point[0].get<double>(), point[1].get<double>()};
        // Written so that NaN fails as well.
        if (!(std::abs(at[0]) <= kFarthest && std::abs(at[1]) <= kFarthest))
          ring.fail("has a point too far away");
        points.push_back(at);
      }
    }
  }
  return region;
}

// ------------------------------------------------------------------------ curves

// JSON cannot represent these numbers.
constexpr const char* kNoNumber = "nan";
constexpr const char* kInfinity = "inf";
constexpr const char* kMinusInfinity = "-inf";

json number_to_json(double number) {
  if (std::isnan(number)) return kNoNumber;
  if (std::isinf(number)) return number > 0 ? kInfinity : kMinusInfinity;
  return number;
}

double number_from_json(const JsonPlace& in) {
  constexpr double kLimit = std::numeric_limits<double>::max();
  if (!in.value().is_string()) return in.number(-kLimit, kLimit);
  const std::string word = in.text();
  if (word == kNoNumber) return std::numeric_limits<double>::quiet_NaN();
  if (word == kInfinity) return std::numeric_limits<double>::infinity();
  if (word == kMinusInfinity) return -std::numeric_limits<double>::infinity();
  in.fail("must be a number, or nan, inf or -inf");
}

json to_json(const Table& table) {
  json rows = json::array();
  for (const std::vector<double>& numbers : table.rows) {
    json row = json::array();
    for (const double number : numbers)
      row.push_back(number_to_json(number));
    rows.push_back(std::move(row));
  }
  return {{"columns", table.columns}, {"rows", std::move(rows)}};
}

Table table_from_json(const JsonPlace& in) {
  Table table;
  for (const JsonPlace& column : in.at("columns").items())
    table.columns.push_back(column.text());
  for (const JsonPlace& row : in.at("rows").items()) {
    std::vector<double> numbers;
    for (const JsonPlace& number : row.items())
      numbers.push_back(number_from_json(number));
    if (numbers.size() != table.columns.size()) row.fail("must have a number for each column");
    table.rows.push_back(std::move(numbers));
  }
  return table;
}

std::map<std::string, Table> curves_from_json(const JsonPlace& in) {
  std::map<std::string, Table> curves;
  for (const auto& [output, curve] : in.members())
    curves.emplace(output, table_from_json(curve));
  return curves;
}

}  // namespace

// ---------------------------------------------------------------------- document

json to_json(const Document& document, const SessionPlace& place) {
  json labels = json::array();
  for (const LabelEntry& label : document.labels)
    labels.push_back(to_json(label));
  json values = json::object();
  for (const auto& [operation, of] : document.values)
    values[operation] = to_json(of);
  json inputs = json::object();
  for (const auto& [operation, of] : document.inputs)
    inputs[operation] = to_json(of, place);
  json object = {{"image", to_json(document.image, place)},
                 {"reference", to_json(document.reference, place)},
                 {"strokes", io::strokes_to_json(document.seeds.strokes)},
                 {"labels", labels},
                 {"current_label", document.current_label},
                 {"operation", document.operation},
                 {"values", values},
                 {"inputs", inputs},
                 {"requested", document.requested},
                 {"algorithm", document.algorithm},
                 {"backend", document.backend},
                 {"channel", document.channel},
                 {"view", to_json(document.view)}};
  if (!document.own_channels.empty()) object["own_channels"] = document.own_channels;
  if (!document.edits.empty()) object["edits"] = to_json(document.edits);
  for (const auto& region : document.regions)
    object["regions"].push_back(to_json(*region));
  if (document.scored == Scored::WhereLabelled) object["score_where_labelled"] = true;
  return object;
}

Document document_from_json(const JsonPlace& in, const SessionPlace& place) {
  Document document;
  if (const auto image = in.find("image")) document.image = source_from_json(*image, place);
  if (const auto reference = in.find("reference")) {
    document.reference = source_from_json(*reference, place);
  }
  bool where_labelled = false;
  read_flag(in, "score_where_labelled", where_labelled);
  document.scored = where_labelled ? Scored::WhereLabelled : Scored::Everywhere;
  document.seeds = io::strokes_from_json(in.at("strokes"), kAnyStroke);
  if (const auto edits = in.find("edits")) document.edits = edits_from_json(*edits);
  if (const auto regions = in.find("regions")) {
    for (const JsonPlace& region : regions->items())
      document.regions.push_back(std::make_shared<const Region>(region_from_json(region)));
  }
  for (const JsonPlace& label : in.at("labels").items()) {
    document.labels.push_back(label_from_json(label));
  }
  if (const auto current = in.find("current_label")) {
    document.current_label = static_cast<Label>(current->integer(0, kLargestLabel));
  }
  read_text(in, "operation", document.operation);
  if (const auto values = in.find("values")) {
    for (const auto& [operation, of] : values->members()) {
      document.values[operation] = values_from_json(of);
    }
  }
  if (const auto inputs = in.find("inputs")) {
    for (const auto& [operation, of] : inputs->members())
      document.inputs[operation] = inputs_from_json(of, place);
  }
  if (const auto requested = in.find("requested")) {
    for (const auto& [operation, of] : requested->members())
      document.requested[operation] = names_from_json(of);
  }
  read_text(in, "algorithm", document.algorithm);
  read_text(in, "backend", document.backend);
  read_text(in, "channel", document.channel);
  if (const auto own = in.find("own_channels")) {
    for (const JsonPlace& channel : own->items())
      document.own_channels.push_back(own_channel_from_json(channel));
  }
  if (const auto view = in.find("view")) document.view = view_from_json(*view);
  return document;
}

// --------------------------------------------------------------------------- run

json RunLists::places_of(const SharedSeeds& seeds) {
  json places = json::array();
  std::size_t end = 0;  // of the last place
  for (const SharedSeeds::Part& part : seeds.parts()) {
    const auto [block, is_new] = first_.emplace(part.block.get(), size_);
    if (is_new) {
      blocks_.push_back(part.block);
      size_ += part.block->size();
    }
    const std::size_t first = block->second + part.begin;
    const std::size_t count = part.end - part.begin;
    if (!places.empty() && first == end) {
      places.back()[1] = places.back()[1].get<std::size_t>() + count;
    } else {
      places.push_back({first, count});
    }
    end = first + count;
  }
  return places;
}

std::size_t RunLists::place_of(const Edits& edits) {
  const auto found = std::find(edits_.begin(), edits_.end(), edits);
  if (found != edits_.end()) return static_cast<std::size_t>(found - edits_.begin());
  edits_.push_back(edits);
  return edits_.size() - 1;
}

json RunLists::edits() const {
  json list = json::array();
  for (const Edits& edits : edits_)
    list.push_back(to_json(edits));
  return list;
}

json RunLists::strokes() const {
  json list = json::array();
  for (const SharedSeeds::Block& block : blocks_) {
    for (json& stroke : io::strokes_to_json(*block))
      list.push_back(std::move(stroke));
  }
  return list;
}

ReadRunLists run_lists_from_json(const JsonPlace& session) {
  ReadRunLists lists;
  if (const auto strokes = session.find("run_strokes")) {
    lists.strokes = std::make_shared<const std::vector<Stroke>>(
        io::strokes_from_json(*strokes, kAnyStroke).strokes);
  }
  if (const auto edits = session.find("run_edits")) {
    for (const JsonPlace& one : edits->items())
      lists.edits.push_back(edits_from_json(one));
  }
  return lists;
}

namespace {

SharedSeeds seeds_from_json(const JsonPlace& in, const SharedSeeds::Block& strokes) {
  std::vector<SharedSeeds::Part> parts;
  std::int64_t total = 0;
  const std::int64_t size = std::ssize(*strokes);
  for (const JsonPlace& place : in.items()) {
    const auto numbers = place.items();
    if (numbers.size() != 2) place.fail("must be two numbers [first, count]");
    const std::int64_t first = numbers[0].integer(0, size);
    const std::int64_t count = numbers[1].integer(0, size - first);
    total += count;
    if (total > kMostStrokes) in.fail("names more strokes than a run can have");
    parts.push_back(
        {strokes, static_cast<std::size_t>(first), static_cast<std::size_t>(first + count)});
  }
  return SharedSeeds(std::move(parts));
}

json to_json(const RunFacts::Share& share) {
  json object = {{"name", share.name},
                 {"busy_ms", share.done.busy_ms},
                 {"visits", share.done.visits},
                 {"cells", share.done.cells}};
  if (!share.done.failure.empty()) object["failure"] = share.done.failure;
  return object;
}

RunFacts::Share share_from_json(const JsonPlace& in) {
  RunFacts::Share share{.name = in.at("name").text(), .done = {}};
  read_number(in, "busy_ms", 0, kAnyNumber, share.done.busy_ms);
  share.done.visits = in.at("visits").integer(0, kAnyCount);
  share.done.cells = in.at("cells").integer(0, kAnyCount);
  read_text(in, "failure", share.done.failure);
  return share;
}

}  // namespace

json to_json(const Step& step, const SessionPlace& place, RunLists& lists, Counts counts) {
  json stages = json::array();
  for (const StageTime& stage : step.facts.stages) {
    stages.push_back({{"stage", stage.stage}, {"ms", stage.ms}});
  }
  json object = {{"id", step.id},
                 {"time", step.time},
                 {"operation", step.recipe.operation},
                 {"values", to_json(step.recipe.values)},
                 {"values_used", to_json(step.facts.values)},
                 {"algorithm", step.facts.algorithm},
                 {"backend", step.facts.backend},
                 {"device", step.facts.device},
                 {"why", step.facts.why},
                 {"stages", stages},
                 {"total_ms", step.facts.total_ms},
                 {"digest", step.facts.digest},
                 {"warnings", step.facts.warnings},
                 {"strokes_at", lists.places_of(step.recipe.seeds)},
                 {"inputs", to_json(step.recipe.inputs, place)},
                 {"channel", step.recipe.channel},
                 {"requested", step.recipe.requested}};
  if (!step.recipe.edits.empty()) object["edits"] = lists.place_of(step.recipe.edits);
  if (!step.recipe.devices.empty()) object["devices"] = step.recipe.devices;
  for (const RunFacts::Share& share : step.facts.shares)
    object["shares"].push_back(to_json(share));
  if (counts == Counts::Written) object["voxels"] = by_id(step.facts.voxels);
  return object;
}

json to_json(const ObjectFigures& objects) {
  return {{"reference", objects.reference},
          {"found", objects.found},
          {"matched", objects.matched},
          {"pq", objects.pq},
          {"aji", objects.aji}};
}

ObjectFigures object_figures_from_json(const JsonPlace& in) {
  ObjectFigures objects{.reference = in.at("reference").integer(0, kAnyCount),
                        .found = in.at("found").integer(0, kAnyCount)};
  objects.matched = in.at("matched").integer(0, std::min(objects.reference, objects.found));
  objects.pq = in.at("pq").number(0, 1);
  objects.aji = in.at("aji").number(0, 1);
  return objects;
}

json to_json(const Run& run, const SessionPlace& place, RunLists& lists, Counts counts) {
  json object = to_json(static_cast<const Step&>(run), place, lists, counts);
  object["dice"] = by_id(run.score.labels);
  object["note"] = run.note;
  object["pinned"] = run.pinned;
  object["curve_pinned"] = run.curve_pinned;
  for (const auto& [output, curve] : run.curves)
    object["curves"][output] = to_json(curve);
  if (run.score.foreground) object["foreground_dice"] = *run.score.foreground;
  if (run.score.objects) object["objects"] = to_json(*run.score.objects);
  return object;
}

Step step_from_json(const JsonPlace& in, const SessionPlace& place, const ReadRunLists& lists) {
  Step step;
  step.id = static_cast<std::uint64_t>(in.at("id").integer(1, kAnyCount));
  read_text(in, "time", step.time);
  step.recipe.operation = in.at("operation").text();
  if (const auto values = in.find("values")) step.recipe.values = values_from_json(*values);
  if (const auto used = in.find("values_used")) step.facts.values = values_from_json(*used);
  read_text(in, "algorithm", step.facts.algorithm);
  read_text(in, "backend", step.facts.backend);
  read_text(in, "device", step.facts.device);
  read_text(in, "why", step.facts.why);
  if (const auto stages = in.find("stages")) {
    for (const JsonPlace& stage : stages->items()) {
      step.facts.stages.push_back({stage.at("stage").text(), stage.at("ms").number(0, kAnyNumber)});
    }
  }
  read_number(in, "total_ms", 0, kAnyNumber, step.facts.total_ms);
  read_text(in, "digest", step.facts.digest);
  if (const auto voxels = in.find("voxels")) {
    std::map<Label, std::int64_t> counts;
    for (const auto& [label, count] : voxels->members())
      counts[label_id(label, count)] = count.integer(0, kAnyCount);
    step.facts.voxels = LabelCounts({counts.begin(), counts.end()});
  }
  if (const auto warnings = in.find("warnings")) {
    for (const JsonPlace& warning : warnings->items())
      step.facts.warnings.push_back(warning.text());
  }
  read_text(in, "devices", step.recipe.devices);
  if (const auto shares = in.find("shares")) {
    for (const JsonPlace& share : shares->items())
      step.facts.shares.push_back(share_from_json(share));
  }
  if (const auto places = in.find("strokes_at"))
    step.recipe.seeds = seeds_from_json(*places, lists.strokes);
  if (const auto edits = in.find("edits")) {
    const std::int64_t last = std::ssize(lists.edits) - 1;
    step.recipe.edits = lists.edits.at(static_cast<std::size_t>(edits->integer(0, last)));
  }
  if (const auto own = in.find("strokes")) {  // format 1
    step.recipe.seeds = io::strokes_from_json(*own, kAnyStroke);
  }
  if (const auto inputs = in.find("inputs")) step.recipe.inputs = inputs_from_json(*inputs, place);
  read_text(in, "channel", step.recipe.channel);
  if (const auto requested = in.find("requested"))
    step.recipe.requested = names_from_json(*requested);
  return step;
}

Run run_from_json(const JsonPlace& in, const SessionPlace& place, const ReadRunLists& lists) {
  Run run{step_from_json(in, place, lists)};
  if (const auto dice = in.find("dice")) {
    for (const auto& [label, value] : dice->members()) {
      run.score.labels[label_id(label, value)] = value.number(0, 1);
    }
  }
  if (const auto dice = in.find("foreground_dice")) run.score.foreground = dice->number(0, 1);
  if (const auto objects = in.find("objects"))
    run.score.objects = object_figures_from_json(*objects);
  read_text(in, "note", run.note);
  read_flag(in, "pinned", run.pinned);
  read_flag(in, "curve_pinned", run.curve_pinned);
  if (const auto curves = in.find("curves")) run.curves = curves_from_json(*curves);
  return run;
}

}  // namespace seedwave
