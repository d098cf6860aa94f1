// SPDX-License-Identifier: Apache-2.0
//
// The format: one JSON object {"seedwave": 2, "kind": "session", ...} with the document's members,
// a list "runs", and in "run_strokes" what was painted for them, each stroke once (format 1 had all
// strokes of a run in each run). A run's "labels_file" is a NIfTI beside it, named after the digest
// of its labels, so that equal ones share a file, and saving again writes only what is new. The
// digest of the run will not do: it may be that of another output, and two runs that have it in
// common may differ in their labels.
#include "core/session/session_file.h"

#include "core/base/error.h"
#include "core/io/formats/atomic_file.h"
#include "core/io/labels.h"
#include "core/session/session_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace seedwave {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int kVersion = 2;
constexpr int kVersionsKept = 3;
// A session of a day's work is some megabytes; a label image as seeds takes tens of them.
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

fs::path folder_of(const fs::path& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal().parent_path();
}

/// "study-0123456789abcdef.nii.gz" for labels of study.json with that digest.
std::string labels_file_name(const fs::path& session, const std::string& digest) {
  const auto colon = digest.find(':');
  const std::string hash = colon == std::string::npos ? digest : digest.substr(colon + 1);
  return session.stem().string() + "-" + hash + ".nii.gz";
}

/// study.json.2 becomes .3, .1 becomes .2, and study.json gets the second name .1: the file itself
/// stays in place until the new one replaces it.
void keep_last_versions(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  for (int version = kVersionsKept; version > 1; --version) {
    fs::rename(version_path(path, version - 1), version_path(path, version), ignored);
  }
  fs::create_hard_link(path, version_path(path, 1), ignored);
  // A file system without hard links keeps a copy instead.
  if (ignored) fs::copy_file(path, version_path(path, 1), ignored);
}

/// True for STEM, 16 digits of a hash, ".nii.gz": the names that labels_file_name makes.
bool is_labels_file(const std::string& name, const std::string& stem) {
  return name.size() == stem.size() + 16 + 7 && name.starts_with(stem) &&
         name.ends_with(".nii.gz") &&
         name.find_first_not_of("0123456789abcdef", stem.size()) == stem.size() + 16;
}

/// The text of a session and its kept versions; nothing where one of them cannot be read.
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

/// Removes label files of this session that neither it nor a kept version names any more. Comes
/// after the session is saved: what fails here fails without a word, and takes no file that a
/// version may need.
void remove_unused_labels(const fs::path& path) {
  const std::optional<std::string> named = text_of_versions(path);
  if (!named) return;
  const std::string stem = path.stem().string() + "-";
  std::vector<fs::path> unused;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder_of(path), ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (is_labels_file(name, stem) && named->find(name) == std::string::npos)
      unused.push_back(entry->path());
  }
  for (const fs::path& file : unused)
    fs::remove(file, ignored);
}

/// More runs in a row, each reading the one before, would have to be repeated by ever deeper calls.
constexpr int kLongestChain = 1000;

/// Refuses runs that cannot have been made one after the other: an id that does not rise, or an
/// input that a run not yet made is to give. Following such inputs would never end.
void check_order(const std::vector<Run>& runs, const std::vector<JsonPlace>& places) {
  std::map<std::uint64_t, int> chains;  // how many runs lead to each
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    if (i > 0 && run.id <= runs[i - 1].id) places[i].at("id").fail("must be above the one before");
    int chain = 1;
    for (const auto& [input, choice] : run.inputs) {
      if (choice.run >= run.id) places[i].at("inputs").fail("must name earlier runs");
      const auto behind = chains.find(choice.run);
      if (behind != chains.end()) chain = std::max(chain, behind->second + 1);
    }
    if (chain > kLongestChain) places[i].at("inputs").fail("must not lead through so many runs");
    chains[run.id] = chain;
  }
}

void read_labels_of(Run& run, const JsonPlace& in, const fs::path& folder,
                    std::vector<std::string>& warnings) {
  const auto name = in.find("labels_file");
  if (!name) return;
  // A session must not reach outside its own folder.
  const fs::path file = folder / fs::path(name->text()).filename();
  try {
    Context context;
    run.labels = PackedLabels(io::read_labels(file, context));
  } catch (const Error& error) {
    warnings.push_back("the labels of run " + std::to_string(run.id) +
                       " are missing and will be computed again when asked for (" + error.what() +
                       ")");
  }
}

/// All of a session but the labels of its runs.
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
  const auto list = place.find("runs");
  if (!list) return session;
  SharedSeeds::Block strokes = std::make_shared<const std::vector<Stroke>>();
  if (const auto all = place.find("run_strokes")) strokes = run_strokes_from_json(*all);
  const std::vector<JsonPlace> runs = list->items();
  for (const JsonPlace& one : runs)
    session.runs.push_back(run_from_json(one, {folder}, strokes));
  check_order(session.runs, runs);
  return session;
}

/// One line for each member, and in lists one for each of theirs: a stroke, a label, a run.
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

/// Throws OutputError where load_session would refuse the text: the work is still there then, and
/// the file of the last save.
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
        std::string("the session was not saved, since it could not be opened again: ") +
        error.what());
  }
}

}  // namespace

void save_session(const std::filesystem::path& path, const SessionFile& session,
                  LastVersions last) {
  const fs::path folder = folder_of(path);
  json root = to_json(session.document, {folder});
  root["seedwave"] = kVersion;
  root["kind"] = "session";
  root["runs"] = json::array();
  RunStrokes strokes;
  for (const Run& run : session.runs) {
    json one = to_json(run, {folder}, strokes);
    if (!run.labels.empty()) {
      const std::string name = labels_file_name(path, run.labels.digest());
      std::error_code ignored;
      if (!fs::exists(folder / name, ignored)) io::save_labels(folder / name, run.labels.unpack());
      one["labels_file"] = name;
    }
    root["runs"].push_back(std::move(one));
  }
  root["run_strokes"] = strokes.to_json();
  const std::string text = text_of(root);
  check_readable(text, path);
  io::AtomicFile file(path);
  file.write(text);
  // Only now that there is room for the new one: a save that fails again and again must not push
  // the kept versions out.
  if (last == LastVersions::Kept) keep_last_versions(path);
  file.commit();
  remove_unused_labels(path);
}

SessionFile load_session(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const json root = parse_json(read_text_file(path), name);
  const fs::path folder = folder_of(path);
  SessionFile session = session_from_json(root, name, folder);
  if (session.runs.empty()) return session;
  const std::vector<JsonPlace> runs = JsonPlace(root, name).at("runs").items();
  for (std::size_t i = 0; i < runs.size(); ++i)
    read_labels_of(session.runs[i], runs[i], folder, session.warnings);
  return session;
}

bool is_session_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string start(4096, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  const auto first = start.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || start[first] != '{') return false;
  // Members are sorted by name when we write, so the kind may be far down: read it properly.
  try {
    const json root = parse_json(read_text_file(path), path.string());
    const auto kind = root.find("kind");
    return kind != root.end() && *kind == "session";
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace seedwave
