// SPDX-License-Identifier: Apache-2.0
#include "ui/models/cohort_run.h"

#include "core/base/command_line.h"
#include "core/base/error.h"
#include "core/io/formats/output_set.h"
#include "ui/models/path_text.h"

#include <filesystem>
#include <system_error>

namespace seedwave::ui {
namespace {

namespace fs = std::filesystem;

// Files in the folder of the results. No user gives files of their own such names.
constexpr const char* kRecipeFile = "seedwave-recipe.json";
constexpr const char* kListFile = "seedwave-cases.csv";
constexpr const char* kTableFile = "seedwave-results.csv";

/// Returns the line for a shell that carries out an order whose files are written.
QString command_of(const QString& folder, int jobs) {
  const fs::path out = to_path(folder);
  CommandLine call("seedwave-cli apply " + shell_word((out / kRecipeFile).string()));
  call.add("cases", (out / kListFile).string());
  call.add("out", out.string());
  call.add("table", (out / kTableFile).string());
  call.add("jobs", std::to_string(jobs));
  call.add("resume");
  return QString::fromStdString(call.text());
}

/// Writes the files that the command of an order reads.
void write_files(const CohortRun::Order& order) {
  const fs::path out = to_path(order.folder);
  std::error_code error;
  fs::create_directories(out, error);
  if (error || !fs::is_directory(out, error))
    throw OutputError("cannot make the folder " + out.string());
  io::OutputSet outputs;
  outputs.add(out / kRecipeFile, text_of(order.recipe));
  outputs.add(out / kListFile, case_list_of(order.cases));
  outputs.commit();
}

}  // namespace

CohortRun::CohortRun(const QString& program, QObject* parent) : QObject(parent), process_(program) {
  connect(&writing_, &BackgroundTask::failed, this, &CohortRun::ended);
  connect(&preparing_, &BackgroundTask::failed, this, &CohortRun::failed);
  connect(&process_, &CliProcess::progressed, this, &CohortRun::case_began);
  connect(&process_, &CliProcess::printed, this, &CohortRun::take_line);
  connect(&process_, &CliProcess::paused_changed, this, &CohortRun::paused_changed);
  connect(&process_, &CliProcess::ended, this, &CohortRun::ended);
}

void CohortRun::start(const Order& order) {
  if (busy()) return;
  if (const QString missing = process_.complaint(); !missing.isEmpty()) {
    emit ended(missing);
    return;
  }
  writing_.start([this, order](Context&) -> BackgroundTask::Delivery {
    write_files(order);
    return [this, line = command_of(order.folder, order.jobs)] {
      process_.start(line + QStringLiteral(" --progress"));
    };
  });
}

void CohortRun::cancel() {
  if (writing_.busy()) {
    writing_.cancel();
    emit ended(tr("Cancelled"));
    return;
  }
  process_.cancel();
}

void CohortRun::prepare_command(const Order& order) {
  preparing_.start([this, order](Context&) -> BackgroundTask::Delivery {
    write_files(order);
    return [this, line = command_of(order.folder, order.jobs)] { emit command_ready(line); };
  });
}

void CohortRun::take_line(const QByteArray& line) {
  try {
    emit case_ended(row_of_line(line.toStdString()));
  } catch (const InputError&) {
    // Not of a case.
  }
}

}  // namespace seedwave::ui
