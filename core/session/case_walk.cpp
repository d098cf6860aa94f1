// SPDX-License-Identifier: Apache-2.0
#include "core/session/case_walk.h"

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/json_place.h"
#include "core/base/number_text.h"
#include "core/io/formats/byte_source.h"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace seedwave {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kStateVersionKey = "seedwave_cases";
constexpr std::int64_t kStateVersion = 1;
/// Largest size of a state file.
constexpr std::int64_t kMostStateBytes = std::int64_t{1} << 30;
constexpr double kLargestNumber = 1e15;
/// Labels beyond these get no column in the table.
constexpr std::size_t kMostSizes = 64;

/// The members of a state file that hold scores.
struct ScoreMember {
  const char* key;
  std::optional<double> CaseWork::*score;
};
constexpr ScoreMember kScores[] = {{"dice", &CaseWork::dice},
                                   {"f1", &CaseWork::f1},
                                   {"pq", &CaseWork::pq},
                                   {"aji", &CaseWork::aji}};

fs::path absolute_in(const fs::path& folder, const fs::path& path) {
  return fs::absolute(folder / path).lexically_normal();
}

/// Returns a path relative to the folder, so that both can move together.
std::string stored_path(const fs::path& folder, const fs::path& path) {
  const fs::path relative = absolute_in({}, path).lexically_relative(absolute_in({}, folder / "."));
  return (relative.empty() ? path : relative).generic_string();
}

/// Returns a text as it comes back from a state file, where bytes that are not UTF-8 are replaced.
std::string as_stored(const std::string& text) {
  const std::string json =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return nlohmann::json::parse(json).get<std::string>();
}

std::string file_name_at(const JsonPlace& place) {
  std::string name = place.text();
  const bool is_name = !name.empty() && name.front() != '.' &&
                       name.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
  if (!is_name) place.fail("must be the name of a file");
  return name;
}

CaseWork work_at(const JsonPlace& place) {
  CaseWork work;
  const auto count = [&](const char* key) {
    const auto found = place.find(key);
    return found ? found->integer(0, static_cast<std::int64_t>(kLargestNumber)) : 0;
  };
  work.strokes = static_cast<std::size_t>(count("strokes"));
  work.labels = count("labels");
  if (const auto operation = place.find("operation")) work.operation = operation->text();
  for (const auto& [key, score] : kScores) {
    if (const auto found = place.find(key)) work.*score = found->number(0.0, 1.0);
  }
  if (const auto sizes = place.find("sizes")) {
    for (const auto& [name, size] : sizes->members())
      work.sizes[name] = size.number(0.0, kLargestNumber);
  }
  return work;
}

WalkedCase case_at(const JsonPlace& place, const fs::path& folder) {
  WalkedCase one{.name = place.at("name").text(),
                 .image = absolute_in(folder, place.at("image").text()),
                 .stem = file_name_at(place.at("stem"))};
  if (const auto file = place.find("labels_file")) one.labels_file = file_name_at(*file);
  if (const auto series = place.find("series")) one.series = series->text();
  if (const auto done = place.find("done")) one.done = done->flag();
  one.work = work_at(place);
  return one;
}

/// Identifies a case: image and series, or name and the last two parts of the image's path.
using CaseKey = std::pair<std::string, std::string>;

CaseKey key_of(const WalkedCase& one) {
  return {as_stored(one.image.string()), one.series};
}

CaseKey moved_key_of(const WalkedCase& one) {
  const fs::path folder = one.image.parent_path().filename();
  return {as_stored(one.name), as_stored((folder / one.image.filename()).string())};
}

/// Cases by image and series.
using KnownCases = std::multimap<CaseKey, WalkedCase>;

/// The content of a state file.
struct State {
  KnownCases cases;
  std::set<std::string> stems;
  std::string current;  // a stem
};

State read_state(const WalkFolder& folder) {
  const fs::path file = folder.state();
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return {};
  const nlohmann::json json = parse_json(io::read_text(file, kMostStateBytes), file.string());
  const JsonPlace root(json, file.string());
  if (root.at(kStateVersionKey).integer(1, std::numeric_limits<std::int64_t>::max()) >
      kStateVersion)
    throw InputError(file.string() + " was written by a newer version of Seedwave");
  State state;
  for (const JsonPlace& place : root.at("cases").items()) {
    WalkedCase one = case_at(place, folder.path);
    if (!state.stems.insert(one.stem).second)
      place.at("stem").fail("must differ from those of the other cases");
    state.cases.emplace(key_of(one), std::move(one));
  }
  if (const auto current = root.find("current")) state.current = current->text();
  return state;
}

/// The cases of a list that take over what is known of them.
class Recognition {
 public:
  Recognition(std::vector<WalkedCase>& cases, KnownCases& known) : cases_(cases), known_(known) {
    is_known_.resize(cases.size(), false);
  }

  [[nodiscard]] bool is_known(std::size_t place) const { return is_known_[place]; }

  /// One image can be in several cases: those of the same name come first.
  void by_image() {
    const auto same_name = [](const WalkedCase& one, const WalkedCase& known) {
      return as_stored(one.name) == as_stored(known.name);
    };
    const auto any_name = [](const WalkedCase&, const WalkedCase&) { return true; };
    for (std::size_t place = 0; place < cases_.size(); ++place)
      take_by_image(place, same_name);
    for (std::size_t place = 0; place < cases_.size(); ++place)
      take_by_image(place, any_name);
  }

  /// Images that are no longer at their place lie somewhere else now.
  void by_name() {
    if (std::ranges::count(is_known_, false) == 0) return;
    std::map<CaseKey, KnownCases::iterator> moved;
    for (auto known = known_.begin(); known != known_.end(); ++known) {
      std::error_code ignored;
      if (!fs::exists(known->second.image, ignored))
        moved.emplace(moved_key_of(known->second), known);
    }
    for (std::size_t place = 0; place < cases_.size(); ++place) {
      if (is_known_[place]) continue;
      const auto found = moved.find(moved_key_of(cases_[place]));
      if (found == moved.end() || found->second->second.series != cases_[place].series) continue;
      take(place, found->second);
      moved.erase(found);
    }
  }

 private:
  template <typename IsIt>
  void take_by_image(std::size_t place, const IsIt& is_it) {
    if (is_known_[place]) return;
    const WalkedCase& one = cases_[place];
    const auto [begin, end] = known_.equal_range(key_of(one));
    const auto found =
        std::find_if(begin, end, [&](const auto& each) { return is_it(one, each.second); });
    if (found != end) take(place, found);
  }

  void take(std::size_t place, KnownCases::iterator found) {
    WalkedCase& one = cases_[place];
    one.stem = found->second.stem;
    one.done = found->second.done;
    one.labels_file = found->second.labels_file;
    one.work = found->second.work;
    known_.erase(found);
    is_known_[place] = true;
  }

  std::vector<WalkedCase>& cases_;
  KnownCases& known_;
  std::vector<bool> is_known_;
};

/// Gives a case a stem that no other has, if possible the one that it brings.
void name_files(WalkedCase& one, std::set<std::string>& stems) {
  const std::string wanted = as_stored(one.stem.empty() ? one.name : one.stem);
  one.stem = wanted;
  for (int number = 2; !stems.insert(one.stem).second; ++number)
    one.stem = wanted + "-" + std::to_string(number);
}

std::string number_or_nothing(const std::optional<double>& number) {
  return number ? number_text(*number) : "";
}

ordered_json to_json(const WalkedCase& one, const fs::path& folder) {
  ordered_json json{{"name", one.name}, {"image", stored_path(folder, one.image)}};
  if (!one.series.empty()) json["series"] = one.series;
  json["stem"] = one.stem;
  json["done"] = one.done;
  if (!one.labels_file.empty()) json["labels_file"] = one.labels_file;
  json["strokes"] = one.work.strokes;
  if (one.work.operation.empty()) return json;
  json["operation"] = one.work.operation;
  json["labels"] = one.work.labels;
  for (const auto& [key, score] : kScores) {
    if (one.work.*score) json[key] = *(one.work.*score);
  }
  if (!one.work.sizes.empty()) json["sizes"] = one.work.sizes;
  return json;
}

/// Returns the columns of the sizes in the table.
std::set<std::string> sizes_of(const std::vector<WalkedCase>& cases) {
  std::set<std::string> names;
  for (const WalkedCase& one : cases) {
    for (const auto& [name, size] : one.work.sizes) {
      if (names.size() < kMostSizes) names.insert(name);
    }
  }
  return names;
}

}  // namespace

fs::path WalkFolder::session(const std::string& stem) const {
  return path / "sessions" / (stem + ".json");
}

fs::path WalkFolder::labels(const std::string& file) const {
  return path / "labels" / file;
}

void WalkFolder::create() const {
  for (const char* name : {"sessions", "labels"}) {
    std::error_code failed;
    fs::create_directories(path / name, failed);
    if (failed)
      throw OutputError("cannot create the folder " + (path / name).string() + ": " +
                        failed.message());
  }
}

WalkFolder walk_folder_of(const std::vector<fs::path>& paths) {
  const fs::path first = fs::absolute(paths.front() / "").parent_path().lexically_normal();
  std::error_code ignored;
  if (fs::is_directory(first, ignored))
    return {first.parent_path() / (first.filename().string() + "-cases")};
  const bool is_list = first.extension() == ".csv" || first.extension() == ".CSV";
  return {first.parent_path() / (is_list ? first.stem().string() + "-cases" : "cases")};
}

bool is_session_of_walk(const fs::path& session) {
  const WalkFolder folder{session.parent_path().parent_path()};
  std::error_code ignored;
  return session.parent_path().filename() == "sessions" && fs::exists(folder.state(), ignored);
}

CaseWalk::CaseWalk(WalkFolder folder, std::vector<WalkedCase> cases)
    : folder_(std::move(folder)), cases_(std::move(cases)) {
  State state = read_state(folder_);
  for (WalkedCase& one : cases_)
    one.image = absolute_in({}, one.image);
  Recognition recognition(cases_, state.cases);
  recognition.by_image();
  recognition.by_name();
  for (std::size_t place = 0; place < cases_.size(); ++place) {
    if (!recognition.is_known(place)) name_files(cases_[place], state.stems);
    if (cases_[place].stem == state.current) current_ = place;
  }
  for (auto& [key, known] : state.cases)
    others_.push_back(std::move(known));
}

std::string CaseWalk::state() const {
  ordered_json json{{kStateVersionKey, kStateVersion}};
  if (current_) json["current"] = cases_[*current_].stem;
  json["cases"] = ordered_json::array();
  for (const std::vector<WalkedCase>* part : {&cases_, &others_}) {
    for (const WalkedCase& one : *part)
      json["cases"].push_back(to_json(one, folder_.path));
  }
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string CaseWalk::table() const {
  const std::set<std::string> sizes = sizes_of(cases_);
  std::vector<std::string> header{"name", "image", "done", "strokes", "operation", "labels"};
  for (const auto& [key, score] : kScores)
    header.emplace_back(key);
  header.emplace_back("labels_file");
  header.insert(header.end(), sizes.begin(), sizes.end());
  std::string text = csv_line(header);
  for (const WalkedCase& one : cases_) {
    const bool has_result = !one.work.operation.empty();
    std::vector<std::string> fields{one.name,
                                    one.image.string(),
                                    one.done ? "yes" : "no",
                                    std::to_string(one.work.strokes),
                                    one.work.operation,
                                    has_result ? std::to_string(one.work.labels) : ""};
    for (const auto& [key, score] : kScores)
      fields.push_back(number_or_nothing(one.work.*score));
    fields.push_back(one.labels_file.empty() ? "" : "labels/" + one.labels_file);
    for (const std::string& name : sizes) {
      const auto size = one.work.sizes.find(name);
      fields.push_back(size == one.work.sizes.end() ? "" : number_text(size->second));
    }
    text += csv_line(fields);
  }
  return text;
}

}  // namespace seedwave
