// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/cli/case_flags.h"
#include "app/cli/case_run.h"
#include "app/cli/case_table.h"
#include "app/cli/cohort_flags.h"
#include "app/cli/commands.h"
#include "app/cli/memory_plan.h"
#include "app/cli/progress_bar.h"
#include "app/make_table.h"
#include "core/base/error.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

namespace seedwave::cli {
namespace {

namespace fs = std::filesystem;

std::vector<FlagGroup> apply_flags() {
  std::vector<Flag> how{
      {"out", "DIR", "folder that gets a folder for each case; made if it is not there"},
      {"table", "FILE.csv", "a row for each case"},
      {"jobs", "N", "cases at the same time (default: 1); they share the threads"},
      {"threads", "N", "use at most N CPU threads in all (default: all)"},
      {"resume", "", "leave out cases that are there, of the same inputs, recipe and version"},
      {"allow-damaged", "", kAllowDamagedHelp},
      {"json", "", "accepted: each case is one JSON line on standard output anyway"},
      {"progress", "",
       "for another program: a line \"progress 40 CASE\" on standard error as a case begins: per "
       "cent of the cases that have ended"},
      {"quiet", "", "no progress"},
      {"help", "", "this page"}};
  return {{"cases", cohort_flags()}, {"memory", cases_memory_flags()}, {"flags", std::move(how)}};
}

/// The form of progress on standard error. Lines: one as each case begins, for another program.
enum class Telling { Bar, Lines, Nothing };

/// The cases of a call, and how each ended.
class Cohort {
 public:
  Cohort(const CaseRun& run, std::vector<CohortCase> cases, Telling telling)
      : run_(run),
        cases_(std::move(cases)),
        rows_(cases_.size()),
        telling_(telling),
        bar_(telling != Telling::Bar) {}

  /// Runs all, `jobs` at a time, until a stop is requested.
  void run(int jobs, const std::stop_token& stop) {
    std::vector<std::jthread> others;
    for (int i = 1; i < jobs; ++i)
      others.emplace_back([&] { work(stop); });
    work(stop);
  }

  /// In the order of the cases; those that were not reached are empty.
  [[nodiscard]] const std::vector<CaseRow>& rows() const { return rows_; }
  /// Returns "2 of 6 cases could not be carried out", or "" if all were.
  [[nodiscard]] std::string complaint() const {
    const auto failed =
        std::ranges::count_if(rows_, [](const CaseRow& row) { return row.code != 0; });
    if (failed == 0) return "";
    return std::to_string(failed) + " of " + std::to_string(rows_.size()) +
           " cases could not be carried out: their lines say why";
  }
  /// Returns the exit code of the first case of the most serious kind.
  [[nodiscard]] int exit_code() const {
    int code = 0;
    for (const CaseRow& row : rows_) {
      // An output that cannot be written and a machine that fails concern more than one case.
      code = std::max(code, row.code == kExitUsage ? kExitInput : row.code);
    }
    return code;
  }

 private:
  void work(const std::stop_token& stop) {
    for (std::size_t i = next_++; i < cases_.size() && !stop.stop_requested(); i = next_++) {
      tell_begin(cases_[i]);
      CaseRow row = row_of(cases_[i]);
      if (row.code == kExitInterrupted) return;
      const std::lock_guard lock(mutex_);
      print_json(line_of(row));
      std::fflush(stdout);  // others read the line as the case ends
      rows_[i] = std::move(row);
      ++done_;
      if (const Context::Progress show = bar_.callback())
        show("cases", static_cast<double>(done_) / static_cast<double>(cases_.size()));
    }
  }

  void tell_begin(const CohortCase& one) {
    if (telling_ != Telling::Lines) return;
    constexpr std::size_t kPercent = 100;
    const std::lock_guard lock(mutex_);
    std::fprintf(stderr, "progress %zu %s\n", kPercent * done_ / cases_.size(), one.name.c_str());
    std::fflush(stderr);
  }

  CaseRow row_of(const CohortCase& one) {
    CaseRow row{.name = one.name};
    try {
      CaseOutcome outcome = run_case(run_, one);
      row.result = std::move(outcome.result);
      row.was_there = outcome.was_there;
      row.ms = outcome.ms;
    } catch (const Cancelled&) {
      row.code = kExitInterrupted;
    } catch (const io::DamagedError& error) {
      row.code = error.exit_code();
      row.error = error.what() + std::string(kHowToRead);
    } catch (const Error& error) {
      row.code = error.exit_code();
      row.error = error.what();
    } catch (const std::bad_alloc&) {
      row.code = kExitUnavailable;
      row.error = "not enough memory";
    } catch (const std::exception& error) {
      // A fault of the program on one case must not end the others.
      row.code = kExitFault;
      row.error = error.what();
    }
    return row;
  }

  const CaseRun& run_;
  std::vector<CohortCase> cases_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // guards all below, and standard output
  std::vector<CaseRow> rows_;
  std::size_t done_ = 0;
  Telling telling_;
  ProgressBar bar_;
};

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error))
    throw OutputError("cannot make the folder " + folder.string());
}

}  // namespace

int apply_command(const Call& call) {
  const std::vector<FlagGroup> groups = apply_flags();
  const Arguments arguments(call.words, groups);
  if (arguments.has("help")) {
    print(help_page("apply RECIPE.json PATH... --out DIR [--table FILE.csv] [--jobs N] [--resume]",
                    "Carries out a recipe on each image in files and folders, or on a list of "
                    "cases. Each case gets a\nfolder with its outputs, a picture and result.json, "
                    "and one JSON line on standard output as it\nends. A case that cannot be "
                    "carried out does not stop the others (exit code 3).",
                    groups));
    return 0;
  }
  if (arguments.positionals().empty())
    throw UsageError("apply needs a recipe: apply RECIPE.json PATH... --out DIR");
  const auto out = arguments.text("out");
  if (!out) throw UsageError("--out DIR is missing: the folder for the results");
  const auto jobs = static_cast<int>(arguments.integer("jobs", 1, kMostThreads).value_or(1));
  Context::Settings settings{
      .stop = call.stop,
      .threads = static_cast<int>(arguments.integer("threads", 1, kMostThreads).value_or(0))};
  settings.threads = std::max(1, Context(settings).threads() / jobs);
  const MemoryPlan memory = plan_memory_of_cases(arguments, jobs);
  settings.memory = memory.solver;
  settings.in_files = memory.files != nullptr;

  const OperationTable table = make_table();
  const SavedRecipe recipe = load_recipe(table, arguments.positionals().front());
  make_folder(*out);
  // The table may lie in that folder.
  std::optional<CaseTableFile> table_file;
  if (const auto path = arguments.text("table")) table_file.emplace(*path);
  Context context(settings);
  const std::vector<std::string> paths(arguments.positionals().begin() + 1,
                                       arguments.positionals().end());
  std::vector<CohortCase> cases = cohort_of(arguments, paths, recipe, context);
  const CaseRun run{.table = table,
                    .recipe = recipe,
                    .folder = *out,
                    .resume = arguments.has("resume"),
                    .damaged = damaged_of(arguments),
                    .settings = settings};
  const Telling telling = arguments.has("progress") ? Telling::Lines
                          : arguments.has("quiet")  ? Telling::Nothing
                                                    : Telling::Bar;
  Cohort cohort(run, std::move(cases), telling);
  cohort.run(jobs, call.stop);
  // A call for one case may be one of many for the same folder.
  if (cohort.rows().size() > 1)
    write_contact_sheet(fs::path(*out) / "index.html", recipe, cohort.rows());
  if (table_file) table_file->write(cohort.rows());
  if (call.stop.stop_requested()) throw Cancelled();
  if (const std::string complaint = cohort.complaint(); !complaint.empty())
    print_failure(complaint);
  return cohort.exit_code();
}

}  // namespace seedwave::cli
