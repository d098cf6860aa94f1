// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "ui/models/background_task.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <future>
#include <vector>

using namespace seedwave;
using namespace seedwave::ui;

namespace {
constexpr int kLimitMs = 20000;
}  // namespace

class TestBackgroundTask : public QObject {
  Q_OBJECT

 private slots:
  void what_was_made_is_taken_on_the_windows_thread() {
    BackgroundTask task;
    const QSignalSpy ended(&task, &BackgroundTask::ended);
    QThread* made_on = nullptr;
    QThread* taken_on = nullptr;
    task.start([&](Context&) {
      made_on = QThread::currentThread();
      return [&] { taken_on = QThread::currentThread(); };
    });
    QVERIFY(task.busy());
    QTRY_VERIFY_WITH_TIMEOUT(taken_on != nullptr, kLimitMs);
    QCOMPARE(taken_on, QThread::currentThread());
    QVERIFY(made_on != taken_on);
    QVERIFY(!task.busy());
    QCOMPARE(ended.count(), 1);
  }

  void the_newest_wins() {
    BackgroundTask task;
    const QSignalSpy ended(&task, &BackgroundTask::ended);
    std::vector<int> taken;
    std::promise<void> begun;
    std::promise<void> go_on;
    task.start([&](Context&) {
      begun.set_value();
      go_on.get_future().wait();  // finished, but too late
      return [&taken] { taken.push_back(1); };
    });
    begun.get_future().wait();
    task.start([&taken](Context&) { return [&taken] { taken.push_back(2); }; });
    go_on.set_value();
    QTRY_VERIFY_WITH_TIMEOUT(!task.busy(), kLimitMs);
    QCOMPARE(taken, std::vector<int>{2});
    QCOMPARE(ended.count(), 1);
  }

  void of_a_cancelled_one_nothing_is_heard() {
    BackgroundTask task;
    const QSignalSpy ended(&task, &BackgroundTask::ended);
    const QSignalSpy failed(&task, &BackgroundTask::failed);
    std::vector<int> taken;
    std::promise<void> begun;
    task.start([&](Context& context) {
      begun.set_value();
      while (true)
        context.checkpoint(0.0);
      return [&taken] { taken.push_back(1); };
    });
    begun.get_future().wait();
    task.cancel();
    QVERIFY(!task.busy());
    task.start([&taken](Context&) { return [&taken] { taken.push_back(2); }; });
    QTRY_COMPARE_WITH_TIMEOUT(taken, std::vector<int>{2}, kLimitMs);
    QCOMPARE(ended.count(), 1);
    QCOMPARE(failed.count(), 0);
  }

  void says_why_it_failed_and_takes_nothing() {
    BackgroundTask task;
    QSignalSpy failed(&task, &BackgroundTask::failed);
    bool taken = false;
    task.start([&](Context& context) -> BackgroundTask::Delivery {
      if (context.threads() > 0) throw InputError("no such thing");
      return [&] { taken = true; };
    });
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kLimitMs);
    QCOMPARE(failed.front().front().toString(), QStringLiteral("no such thing"));
    QVERIFY(!taken);
    QVERIFY(!task.busy());
  }

  void a_delivery_may_start_the_next() {
    BackgroundTask task;
    std::vector<int> taken;
    task.start([&](Context&) {
      return [&] {
        taken.push_back(1);
        task.start([&taken](Context&) { return [&taken] { taken.push_back(2); }; });
      };
    });
    QTRY_COMPARE_WITH_TIMEOUT(taken, (std::vector<int>{1, 2}), kLimitMs);
    QVERIFY(!task.busy());
  }
};

QTEST_GUILESS_MAIN(TestBackgroundTask)
#include "test_background_task.moc"
