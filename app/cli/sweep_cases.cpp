// SPDX-License-Identifier: Apache-2.0
#include "app/cli/case_flags.h"
#include "app/cli/progress_bar.h"
#include "app/cli/sweep_parts.h"
#include "app/cli/sweep_setup.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/engine/naming.h"
#include "core/engine/sweep/case_table.h"
#include "core/engine/sweep/sweep_report.h"
#include "core/io/formats/byte_source.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace seedwave::cli {
namespace {

namespace fs = std::filesystem;
using Use = ListedCase::Use;

/// Largest size of a case list: far more than kMostSweepCases lines of long paths.
constexpr std::int64_t kMostBytes = std::int64_t{16} << 20;

/// The case list, with paths that this program can open.
class CaseList {
 public:
  explicit CaseList(const SweepSetup& setup)
      : file_(setup.arguments.text("cases").value()), setup_(setup) {
    const std::string text = io::read_text(file_, kMostBytes);
    cases_ = naming(file_.string(), [&] { return setup.target.parse_cases(text); });
    for (ListedCase& one : cases_) {
      for (auto& [column, path] : one.paths)
        path = (file_.parent_path() / path).string();
    }
  }

  [[nodiscard]] const std::vector<ListedCase>& cases() const { return cases_; }
  [[nodiscard]] const fs::path& file() const { return file_; }
  [[nodiscard]] std::string place_of(const ListedCase& one) const {
    return file_.string() + ": line " + std::to_string(one.line);
  }
  /// Returns the flags that name the case's paths and the part of an image.
  [[nodiscard]] Arguments inputs_of(const ListedCase& one) const {
    std::vector<std::string> words;
    for (const auto& [column, path] : one.paths)
      words.push_back("--" + column + "=" + path);
    for (const Flag& flag : part_flags()) {
      if (const auto text = setup_.arguments.text(flag.name))
        words.push_back("--" + flag.name + (flag.value.empty() ? "" : "=" + *text));
    }
    return {words, {setup_.target.input_flags()}};
  }
  [[nodiscard]] LoadedSweep load(const ListedCase& one) const {
    return naming(place_of(one), [&] { return load_sweep(setup_, inputs_of(one)); });
  }
  /// Runs before anything is read: an error in the last line must not appear after an hour.
  void check_files_exist() const {
    for (const ListedCase& one : cases_) {
      for (const auto& [column, path] : one.paths) {
        std::error_code error;
        if (fs::exists(path, error)) continue;
        throw InputError(place_of(one) + ": there is no " + path + " (" + column + ")");
      }
    }
  }

 private:
  fs::path file_;
  const SweepSetup& setup_;
  std::vector<ListedCase> cases_;
};

void check_flags(const SweepSetup& setup) {
  for (const Flag& flag : setup.target.input_flags().flags) {
    const std::vector<Flag> parts = part_flags();
    const bool is_part = std::any_of(parts.begin(), parts.end(),
                                     [&](const Flag& part) { return part.name == flag.name; });
    if (is_part || !setup.arguments.has(flag.name)) continue;
    throw UsageError("--" + flag.name + " and --cases both name an input: leave one of them " +
                     "out");
  }
}

/// Throws UsageError for values that are valid on no image, which is no fault of a case.
void check_values(const SweepSetup& setup) {
  try {
    static_cast<void>(grid_of(setup, false));
  } catch (const UsageError&) {
    static_cast<void>(grid_of(setup, true));
  }
}

/// A sweep over cases while it runs.
class CaseSweep {
 public:
  CaseSweep(const SweepSetup& setup, TableFile& file) : setup_(setup), file_(file), list_(setup) {
    list_.check_files_exist();
    table_.name = setup.target.name();
    table_.tolerance = setup.tolerance;
    table_.asked = setup.ranked_by;
  }

  /// Reads every case once, so that an error in the last one is known before the first run.
  void check() {
    for (const ListedCase& one : list_.cases()) {
      const LoadedSweep loaded = list_.load(one);
      table_.cases.push_back(rows_without_runs(one, loaded.sweep));
      table_.grid = loaded.sweep.grid();
      table_.set = loaded.sweep.subject().values();
      for (const std::string& warning : loaded.warnings)
        warnings_.push_back(one.name + ": " + warning);
    }
    warn_of_seen_images();
    if (total() > kMostCaseRows) {
      throw UsageError("the sweep has " + std::to_string(total()) +
                       " runs on all cases, more than the limit of " +
                       std::to_string(kMostCaseRows) + ": vary fewer values");
    }
  }

  void run() {
    try {
      for (std::size_t i = 0; i < table_.cases.size(); ++i) {
        if (table_.cases[i].use == Use::Tune) tune(i);
      }
      check_any_case_ran();
      const auto plateau = findings_of(table_).found.plateau;
      for (std::size_t i = 0; plateau && i < table_.cases.size(); ++i) {
        if (table_.cases[i].use == Use::Test) test(i, plateau->centre);
      }
    } catch (const Cancelled&) {
      interrupted_ = true;
    } catch (const UsageError&) {
      throw;  // no combination is valid: there is nothing to write
    } catch (...) {
      write();
      throw;
    }
    write();
    if (!interrupted_) write_recipe(setup_, table_.grid, findings_of(table_).found.plateau);
  }

  [[nodiscard]] int report() {
    for (const CaseRows& one : table_.cases) {
      for (const std::string& warning : warnings_of(one.rows))
        warnings_.push_back(one.name + ": " + warning);
    }
    const std::string interruption = "interrupted: " + file_.how_many(done(), total());
    if (interrupted_) print_failure(interruption);
    if (setup_.arguments.has("json")) {
      nlohmann::ordered_json json = json_with_commands();
      json["warnings"] = warnings_;
      if (interrupted_) json["error"] = {{"code", kExitInterrupted}, {"message", interruption}};
      print_json(json);
    } else {
      print_warnings(warnings_);
      if (file_.path().empty()) print(case_table_text(table_));
      if (!setup_.quiet) print_summary();
    }
    return interrupted_ ? kExitInterrupted : 0;
  }

 private:
  /// Warns of held-out images that are also used for tuning, since they test nothing.
  void warn_of_seen_images() {
    const std::vector<ListedCase>& cases = list_.cases();
    for (const ListedCase& test : cases) {
      if (test.use != Use::Test) continue;
      const auto seen = std::find_if(cases.begin(), cases.end(), [&](const ListedCase& one) {
        std::error_code error;
        return one.use == Use::Tune &&
               fs::equivalent(one.paths.at("image"), test.paths.at("image"), error);
      });
      if (seen == cases.end()) continue;
      warnings_.push_back(test.name + ": held out, but the values are tuned on the same image (" +
                          seen->name + ")");
    }
  }

  void add(std::size_t i, SweepRow row) {
    table_.cases[i].rows.push_back(std::move(row));
    file_.write_if_due([this] { return to_csv(table_); });
  }

  void write() {
    if (done() > 0) file_.write([this] { return to_csv(table_); });
  }

  void tune(std::size_t i) {
    const LoadedSweep loaded = list_.load(list_.cases()[i]);
    ProgressBar bar(setup_.quiet);
    SweepObserver observer{.row = [&](SweepRow row) { add(i, std::move(row)); }};
    if (const Context::Progress show = bar.callback()) {
      observer.progress = [this, i, show](const SweepProgress& progress) {
        show(stage_of(i, progress),
             static_cast<double>(progress.done) / static_cast<double>(progress.total));
      };
    }
    run_sweep(loaded.sweep, setup_.settings, observer);
  }

  void test(std::size_t i, std::size_t run) {
    const LoadedSweep loaded = list_.load(list_.cases()[i]);
    ProgressBar bar(setup_.quiet);
    Context::Settings settings = setup_.settings;
    settings.progress = bar.callback();
    Context context(settings);
    const auto stage = context.stage("held out: " + table_.cases[i].name);
    add(i, loaded.sweep.run(run, context));
  }

  /// Returns "brain 2 (case 2 of 5), run 3 of 63, 12 min left".
  [[nodiscard]] std::string stage_of(std::size_t i, const SweepProgress& progress) const {
    std::string stage = table_.cases[i].name + " (case " + std::to_string(i + 1) + " of " +
                        std::to_string(table_.cases.size()) + "), run " +
                        std::to_string(progress.done + 1) + " of " + std::to_string(progress.total);
    if (!progress.ms_left) return stage;
    const double ms = expected_ms_of_cases(*progress.ms_left, progress.total - progress.done,
                                           voxels_of(i), later_voxels(i));
    return stage + ", " + in_time(ms) + " left";
  }

  [[nodiscard]] double voxels_of(std::size_t i) const {
    return static_cast<double>(table_.cases[i].geometry.voxel_count());
  }

  /// Returns the number of voxels that all runs on later cases process.
  [[nodiscard]] double later_voxels(std::size_t i) const {
    double voxels = 0.0;
    for (std::size_t k = 0; k < table_.cases.size(); ++k) {
      if (table_.cases[k].use == Use::Test) voxels += voxels_of(k);
      if (table_.cases[k].use == Use::Tune && k > i) {
        voxels += voxels_of(k) * static_cast<double>(table_.grid.size());
      }
    }
    return voxels;
  }

  [[nodiscard]] std::size_t done() const {
    std::size_t rows = 0;
    for (const CaseRows& one : table_.cases)
      rows += one.rows.size();
    return rows;
  }
  [[nodiscard]] std::size_t total() const {
    return table_.count(Use::Tune) * table_.grid.size() + table_.count(Use::Test);
  }

  void check_any_case_ran() const {
    for (const CaseRows& one : table_.cases) {
      if (first_that_ran(one.rows) != nullptr) return;
    }
    for (const CaseRows& one : table_.cases)
      check_any_ran(one.rows);
  }

  /// Returns the command that repeats a combination on a case.
  [[nodiscard]] std::string command_on(std::size_t i, std::size_t run) const {
    return single_run_of(setup_, list_.inputs_of(list_.cases()[i]), table_.grid.values_of(run));
  }

  [[nodiscard]] nlohmann::ordered_json json_with_commands() const {
    nlohmann::ordered_json json = to_json(table_);
    const auto plateau = findings_of(table_).found.plateau;
    for (std::size_t i = 0; plateau && i < table_.cases.size(); ++i) {
      const std::string command = command_on(i, plateau->centre);
      if (!command.empty()) json["cases"][i]["command"] = command;
    }
    return json;
  }

  void print_summary() const {
    const auto plateau = findings_of(table_).found.plateau;
    const std::string again = plateau ? command_on(0, plateau->centre) : "";
    print(case_summary(table_, again, table_.cases.front().name));
  }

  const SweepSetup& setup_;
  TableFile& file_;
  CaseList list_;
  CaseTable table_;
  std::vector<std::string> warnings_;
  bool interrupted_ = false;
};

}  // namespace

int sweep_cases(const SweepSetup& setup, TableFile& file) {
  check_flags(setup);
  check_values(setup);
  CaseSweep sweep(setup, file);
  sweep.check();
  sweep.run();
  return sweep.report();
}

}  // namespace seedwave::cli
