// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/parallel/context.h"

#include <QTest>

#include <chrono>
#include <cstdlib>
#include <new>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace seedwave;
using namespace std::chrono_literals;

/// Set if this program's memory is exhausted.
static bool no_memory = false;

void* operator new(std::size_t size) {
  void* memory = no_memory ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

std::vector<std::string> names_of(const std::vector<StageTime>& times) {
  std::vector<std::string> names;
  for (const StageTime& time : times)
    names.push_back(time.stage);
  return names;
}

/// A context that records the stage of every report.
struct Reported {
  std::vector<std::string> stages;
  Context context{
      {.progress = [this](const std::string& stage, double) { stages.push_back(stage); },
       .threads = 1}};
};

}  // namespace

class TestContext : public QObject {
  Q_OBJECT
 private slots:
  void stages_are_listed_as_they_end_and_equal_names_are_added_up() {
    Context context;
    { const auto stage = context.stage("prepare"); }
    { const auto stage = context.stage("propagate"); }
    const double once = context.stage_times().at(0).ms;
    {
      const auto stage = context.stage("prepare");
      std::this_thread::sleep_for(2ms);
    }
    context.add_stage_time("download", 0.25);
    QCOMPARE(names_of(context.stage_times()),
             (std::vector<std::string>{"prepare", "propagate", "download"}));
    QVERIFY(context.stage_times()[0].ms >= once + 2.0);
    QCOMPARE(context.stage_times()[2].ms, 0.25);
  }

  void a_stage_inside_another_is_part_of_it() {
    Context context;
    {
      const auto load = context.stage("load");
      const auto slices = context.stage("reading slices");
      std::this_thread::sleep_for(2ms);
    }
    QCOMPARE(names_of(context.stage_times()), std::vector<std::string>{"load"});
    QVERIFY(context.stage_times()[0].ms >= 2.0);
  }

  void a_stage_ends_without_memory() {
    Context context;
    {
      const auto stage = context.stage("prepare");
      no_memory = true;
    }
    no_memory = false;
    QVERIFY(context.stage_times().empty());
  }

  void the_outer_stage_has_its_name_back() {
    Reported reported;
    Context& context = reported.context;
    context.checkpoint(0.0);
    {
      const auto load = context.stage("load");
      context.checkpoint(0.1);
      {
        const auto slices = context.stage("reading slices");
        context.checkpoint(0.5);
      }
      context.checkpoint(0.9);
    }
    context.checkpoint(1.0);
    QCOMPARE(reported.stages, (std::vector<std::string>{"", "load", "reading slices", "load", ""}));
  }

  void a_part_reports_its_share_under_the_open_stage() {
    using Report = std::pair<std::string, double>;
    std::vector<Report> reports;
    Context context({.progress = [&](const std::string& stage, double fraction) {
      reports.emplace_back(stage, fraction);
    }});
    const auto outer = context.stage("load");
    Context part(context.for_part(0.5, 0.75));
    part.checkpoint(0.5);
    {
      const auto inner = part.stage("reading slices");
      part.checkpoint(1.0);
    }
    QCOMPARE(reports, (std::vector<Report>{{"load", 0.625}, {"reading slices", 0.75}}));
  }

  void a_stage_timed_elsewhere_only_names() {
    Reported reported;
    {
      const Context::Stage stage(reported.context, "upload", Context::Stage::Timed::Elsewhere);
      reported.context.checkpoint(0.0);
    }
    QCOMPARE(reported.stages, std::vector<std::string>{"upload"});
    QVERIFY(reported.context.stage_times().empty());
  }

  void a_checkpoint_after_the_stop_throws_and_reports_nothing() {
    std::stop_source stop;
    int reports = 0;
    Context context(
        {.stop = stop.get_token(), .progress = [&](const std::string&, double) { ++reports; }});
    context.checkpoint(0.0);
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(context.checkpoint(0.5), Cancelled);
    QCOMPARE(reports, 1);
  }

  void has_a_thread_and_a_cache_of_its_own_where_none_are_given() {
    Context context;
    QVERIFY(context.threads() >= 1);
    QCOMPARE(context.cache().bytes(), std::size_t{0});
  }
};

QTEST_GUILESS_MAIN(TestContext)
#include "test_context.moc"
