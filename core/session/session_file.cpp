// SPDX-License-Identifier: Apache-2.0
//
// The format: one JSON object {"seedwave": 2, "kind": "session", ...} with the document's members,
// a list "runs", and in "run_strokes" and "run_edits" the strokes and edits of the runs, each once
// (format 1 had all strokes of a run in each run). The labels of runs are in files beside it
// (session_labels.h).
#include "core/session/session_file.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/io/formats/output_set.h"
#include "core/session/session_json.h"
#include "core/session/session_labels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <system_error>
#include <utility>

namespace seedwave {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int kVersion = 2;
constexpr int kVersionsKept = 3;
// A session of a day's work takes a few megabytes; with a label image as seeds, tens of megabytes.
constexpr std::uintmax_t kLargestFile = std::uintmax_t{256} << 20;

std::string read_text_file(const fs::path& path) {
  std::error_code failed;
  const auto size = fs::file_size(path, failed);
  if (failed) throw InputError(path.string() + " cannot be read: " + failed.message());
  if (size > kLargestFile) throw InputError(path.string() + " is too large to be a session");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path.string() + " cannot be opened");
  return {std::istreambuf_iterator<char>(file), {}};
}

fs::path version_path(const fs::path& path, int version) {
  return fs::path(path).concat("." + std::to_string(version));
}

fs::path absolute_path(const fs::path& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal();
}

fs::path folder_of(const fs::path& path) {
  return absolute_path(path).parent_path();
}

/// study.json.2 becomes .3, .1 becomes .2, and the file that `saved` has replaced becomes .1.
void rotate_versions(const fs::path& path, io::AtomicFile& saved) {
  if (saved.old().empty()) return;
  std::error_code ignored;
  for (int version = kVersionsKept; version > 1; --version)
    fs::rename(version_path(path, version - 1), version_path(path, version), ignored);
  (void)saved.keep_old_as(version_path(path, 1));
}

/// Returns the text of a session and its kept versions; nothing if one of them cannot be read.
std::optional<std::string> text_of_versions(const fs::path& path) {
  std::string text;
  for (int version = 0; version <= kVersionsKept; ++version) {
    const fs::path file = version == 0 ? path : version_path(path, version);
    std::error_code none;
    try {
      if (fs::exists(file, none)) text += read_text_file(file);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }
  return text;
}

/// Longest chain of steps that each read the one before. Repeating a step recurses along the chain.
constexpr int kLongestChain = 1000;

/// The steps of a session by id, those of the runs and those removed from the list.
using StepsById = std::map<std::uint64_t, std::pair<Step*, const JsonPlace*>>;

/// Rejects steps that cannot have been made one after the other: with an input from a later one.
/// Following such inputs would never end.
void check_order(const StepsById& steps) {
  std::map<std::uint64_t, int> chains;  // number of steps that lead to each
  for (const auto& [id, found] : steps) {
    const auto& [step, place] = found;
    int chain = 1;
    for (const auto& [input, choice] : step->recipe.inputs) {
      if (!choice.step) continue;
      if (choice.step->id >= id) place->at("inputs").fail("must name earlier runs");
      const auto behind = chains.find(choice.step->id);
      if (behind != chains.end()) chain = std::max(chain, behind->second + 1);
    }
    if (chain > kLongestChain) place->at("inputs").fail("lead through too many runs");
    chains[id] = chain;
  }
}

/// Gives each input that names a step the step of that number. The others stay lost.
void link_steps(const StepsById& steps, Document& document) {
  std::map<std::uint64_t, std::shared_ptr<const Step>> linked;
  const auto link = [&linked](InputChoices& inputs) {
    for (auto& [input, choice] : inputs) {
      const auto found = choice.step ? linked.find(choice.step->id) : linked.end();
      if (found != linked.end()) choice.step = found->second;
    }
  };
  for (const auto& [id, found] : steps) {
    link(found.first->recipe.inputs);
    linked.emplace(id, std::make_shared<const Step>(*found.first));
  }
  for (auto& [operation, inputs] : document.inputs)
    link(inputs);
}

/// Returns a session without the labels of its runs.
SessionFile session_from_json(const json& root, const std::string& name, const fs::path& folder) {
  const JsonPlace place(root, name);
  if (place.at("kind").text() != "session") place.fail("is not a Seedwave session");
  const auto version = place.at("seedwave").integer(1, 1000);
  if (version > kVersion) {
    throw InputError(name + " was written by a newer version of Seedwave (format " +
                     std::to_string(version) + "): please update");
  }
  SessionFile session;
  session.document = document_from_json(place, {folder});
  const ReadRunLists lists = run_lists_from_json(place);
  const auto items_of = [&place](const char* list) {
    const auto found = place.find(list);
    return found ? found->items() : std::vector<JsonPlace>();
  };
  const std::vector<JsonPlace> runs = items_of("runs");
  const std::vector<JsonPlace> removed = items_of("removed_runs");
  std::vector<Step> gone;
  gone.reserve(removed.size());
  for (const JsonPlace& one : removed)
    gone.push_back(step_from_json(one, {folder}, lists));
  for (const JsonPlace& one : runs) {
    session.runs.push_back(run_from_json(one, {folder}, lists));
    const std::size_t count = session.runs.size();
    if (count > 1 && session.runs[count - 1].id <= session.runs[count - 2].id)
      one.at("id").fail("must be greater than the one before");
  }
  StepsById steps;
  const auto add = [&steps](Step& step, const JsonPlace& one) {
    if (!steps.emplace(step.id, std::pair(&step, &one)).second)
      one.at("id").fail("is that of another run");
  };
  for (std::size_t i = 0; i < gone.size(); ++i)
    add(gone[i], removed[i]);
  for (std::size_t i = 0; i < session.runs.size(); ++i)
    add(session.runs[i], runs[i]);
  check_order(steps);
  link_steps(steps, session.document);
  return session;
}

/// Writes one line for each member, and for lists one for each element: a stroke, a label, a run.
std::string text_of(const json& root) {
  const auto text = [](const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
  };
  std::string all = "{";
  for (const auto& [name, member] : root.items()) {
    all += (all.size() == 1 ? "\n" : ",\n") + text(name) + ": ";
    if (!member.is_array() || member.empty()) {
      all += text(member);
      continue;
    }
    std::string between = "[\n ";
    for (const json& one : member) {
      all += between + text(one);
      between = ",\n ";
    }
    all += "]";
  }
  return all + "\n}\n";
}

/// Throws OutputError if load_session would reject the text. The work and the last saved file then
/// still exist.
void check_readable(const std::string& text, const fs::path& path) {
  const std::string name = path.filename().string();
  if (text.size() > kLargestFile) {
    throw OutputError(name +
                      " was not saved: the session has grown too large to be opened again; "
                      "remove runs from the list");
  }
  try {
    const json root = parse_json(text, name);
    (void)session_from_json(root, name, folder_of(path));
  } catch (const InputError& error) {
    throw OutputError(
        std::string("the session was not saved, because it could not be opened again: ") +
        error.what());
  }
}

/// The voxels of more objects are counted again from the label file.
constexpr std::size_t kMostCounts = 10'000;

/// Adds the steps behind inputs that are not in the list of runs.
void collect_removed(const InputChoices& inputs, const std::set<std::uint64_t>& listed,
                     std::map<std::uint64_t, const Step*>& removed) {
  for (const auto& [input, choice] : inputs) {
    if (!choice.step || is_lost(*choice.step)) continue;
    const Step& step = *choice.step;
    if (listed.contains(step.id) || !removed.emplace(step.id, &step).second) continue;
    collect_removed(step.recipe.inputs, listed, removed);
  }
}

std::map<std::uint64_t, const Step*> removed_steps(const SessionFile& session) {
  std::set<std::uint64_t> listed;
  for (const Run& run : session.runs)
    listed.insert(run.id);
  std::map<std::uint64_t, const Step*> removed;
  for (const Run& run : session.runs)
    collect_removed(run.recipe.inputs, listed, removed);
  for (const auto& [operation, inputs] : session.document.inputs)
    collect_removed(inputs, listed, removed);
  return removed;
}

json to_json(const SessionFile& session, const fs::path& folder, LabelFileWriter& labels,
             NewLabels new_labels) {
  json root = to_json(session.document, {folder});
  root["seedwave"] = kVersion;
  root["kind"] = "session";
  root["runs"] = json::array();
  RunLists lists;
  for (const Run& run : session.runs) {
    json file;
    if (!run.labels.empty())
      file = new_labels == NewLabels::Written ? labels.add(run.labels) : labels.find(run.labels);
    const bool counted_again = !file.is_null() && run.facts.voxels.size() > kMostCounts;
    json one = to_json(run, {folder}, lists, counted_again ? Counts::LeftOut : Counts::Written);
    if (!file.is_null()) one.update(file);
    root["runs"].push_back(std::move(one));
  }
  for (const auto& [id, step] : removed_steps(session)) {
    const bool many = step->facts.voxels.size() > kMostCounts;
    root["removed_runs"].push_back(
        to_json(*step, {folder}, lists, many ? Counts::LeftOut : Counts::Written));
  }
  root["run_strokes"] = lists.strokes();
  root["run_edits"] = lists.edits();
  return root;
}

}  // namespace

void save_session(const std::filesystem::path& path, const SessionFile& session,
                  const SaveOptions& options, SessionOnDisk& on_disk) {
  const fs::path file = absolute_path(path);
  LabelFileWriter labels(file, on_disk.label_files);
  const std::string text = text_of(to_json(session, file.parent_path(), labels, options.labels));
  check_readable(text, file);
  const bool keeps = options.last == LastVersions::Kept;
  io::OutputSet outputs;
  io::AtomicFile& json_file = outputs.create(file);
  json_file.write(text);
  outputs.commit(keeps ? io::OldFile::LinkedOrCopied : io::OldFile::Linked);
  labels.keep();
  on_disk.digest = xxh64_digest(std::as_bytes(std::span(text)));
  // Only now that the new file is durable, because failed saves must not push out the kept
  // versions.
  if (keeps) rotate_versions(file, json_file);
  if (const auto named = text_of_versions(file)) remove_unused_labels(file, *named);
}

void save_session(const std::filesystem::path& path, const SessionFile& session,
                  LastVersions last) {
  SessionOnDisk nothing_known;
  save_session(path, session, {.last = last}, nothing_known);
}

SessionFile load_session(const std::filesystem::path& path, SessionOnDisk* on_disk) {
  const std::string name = path.filename().string();
  const std::string text = read_text_file(path);
  const json root = parse_json(text, name);
  const fs::path folder = folder_of(path);
  SessionFile session = session_from_json(root, name, folder);
  SessionOnDisk found{.digest = xxh64_digest(std::as_bytes(std::span(text))), .label_files = {}};
  if (!session.runs.empty()) {
    const std::vector<JsonPlace> runs = JsonPlace(root, name).at("runs").items();
    for (std::size_t i = 0; i < runs.size(); ++i)
      read_labels_of(session.runs[i], runs[i], folder, found.label_files, session.warnings);
  }
  if (on_disk != nullptr) *on_disk = std::move(found);
  return session;
}

std::string session_digest(const std::filesystem::path& path) {
  std::error_code none;
  if (!fs::exists(path, none)) return {};
  return xxh64_digest(std::as_bytes(std::span<const char>(read_text_file(path))));
}

bool is_session_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(4096, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  const auto first = start.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || start[first] != '{') return false;
  // Members are written in order of their names, so "kind" may be far down: parse the whole file.
  try {
    const json root = parse_json(read_text_file(path), path.string());
    const auto kind = root.find("kind");
    return kind != root.end() && *kind == "session";
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace seedwave
