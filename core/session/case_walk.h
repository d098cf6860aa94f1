// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The state of a person's walk through a list of cases: the work on each, and which are done.
namespace seedwave {

/// The files of a walk. All but the two tables are named by the stem of a case.
struct WalkFolder {
  std::filesystem::path path;

  [[nodiscard]] std::filesystem::path state() const { return path / "cases.json"; }
  [[nodiscard]] std::filesystem::path table() const { return path / "cases.csv"; }
  [[nodiscard]] std::filesystem::path session(const std::string& stem) const;
  /// `file`: WalkedCase::labels_file.
  [[nodiscard]] std::filesystem::path labels(const std::string& file) const;
  /// Creates the folder with its subfolders. Throws OutputError.
  void create() const;
  friend bool operator==(const WalkFolder&, const WalkFolder&) = default;
};

/// Returns the folder of the walk through a list, a folder or files, beside the first of them:
/// "tiles-cases" for tiles.csv or the folder tiles, "cases" for files.
[[nodiscard]] WalkFolder walk_folder_of(const std::vector<std::filesystem::path>& paths);
/// Returns whether a session file belongs to a walk.
[[nodiscard]] bool is_session_of_walk(const std::filesystem::path& session);

/// Figures of the work on a case.
struct CaseWork {
  std::size_t strokes = 0;
  /// Id of the operation of the result; "" without a result.
  std::string operation{};
  /// Number of labels or objects in the result.
  std::int64_t labels = 0;
  std::optional<double> dice{};
  /// Scores of objects, at an IoU above 0.5.
  std::optional<double> f1{};
  std::optional<double> pq{};
  std::optional<double> aji{};
  /// Sizes of named labels, by name and unit: "liver [ml]".
  std::map<std::string, double> sizes{};
  friend bool operator==(const CaseWork&, const CaseWork&) = default;
};

/// A case of a walk.
struct WalkedCase {
  std::string name;
  /// With `series`, as Source::series, identifies the case.
  std::filesystem::path image;
  std::string series{};
  /// Names its files; unlike that of every other case.
  std::string stem{};
  bool done = false;
  /// File name of its labels in the folder of labels; empty: none were written.
  std::string labels_file{};
  CaseWork work{};
  friend bool operator==(const WalkedCase&, const WalkedCase&) = default;
};

/// The cases of a list in its order, with the work on each. A value: it reads its state once, and
/// its owner writes state() and table().
class CaseWalk {
 public:
  CaseWalk() = default;
  /// Continues the walk whose state lies in `folder`, or begins one. A case is known by its image,
  /// so that a list may get other names or another order; if that image is gone, by its name and
  /// those of the image and its folder, so that a folder of images may move. What is known of cases
  /// that the list no longer has is kept for its return. `cases`: name, image, series, and a stem
  /// for files if it gets new ones. Throws InputError that names the state file and the place in
  /// it.
  CaseWalk(WalkFolder folder, std::vector<WalkedCase> cases);

  [[nodiscard]] const WalkFolder& folder() const noexcept { return folder_; }
  [[nodiscard]] const std::vector<WalkedCase>& cases() const noexcept { return cases_; }
  /// Returns the case that was open last; nothing at the beginning.
  [[nodiscard]] std::optional<std::size_t> current() const noexcept { return current_; }

  void set_current(std::size_t place) { current_ = place; }
  void set_done(std::size_t place, bool done) { cases_[place].done = done; }
  void set_work(std::size_t place, const CaseWork& work) { cases_[place].work = work; }
  void set_labels_file(std::size_t place, const std::string& file) {
    cases_[place].labels_file = file;
  }

  /// Returns the text of the state file.
  [[nodiscard]] std::string state() const;
  /// Returns a table for spreadsheets: a line for each case of the list, with scores and sizes.
  [[nodiscard]] std::string table() const;

  friend bool operator==(const CaseWalk&, const CaseWalk&) = default;

 private:
  WalkFolder folder_;
  std::vector<WalkedCase> cases_;
  /// Known cases that the list does not have.
  std::vector<WalkedCase> others_;
  std::optional<std::size_t> current_;
};

}  // namespace seedwave
