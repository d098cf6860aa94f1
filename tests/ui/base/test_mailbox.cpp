// SPDX-License-Identifier: Apache-2.0
#include "ui/base/mailbox.h"

#include <QEventLoop>
#include <QTest>
#include <QThread>

#include <array>
#include <memory>
#include <thread>
#include <vector>

using namespace seedwave::ui;

namespace {
constexpr int kLimitMs = 20000;
}  // namespace

class TestMailbox : public QObject {
  Q_OBJECT

 private slots:
  void calls_are_made_here_in_their_order() {
    constexpr int kCalls = 1000;
    Mailbox mailbox;
    std::array<std::vector<int>, 2> made;  // of each requesting thread
    bool elsewhere = false;
    {
      std::vector<std::jthread> others;
      for (std::vector<int>& mine : made) {
        others.emplace_back([&] {
          for (int i = 0; i < kCalls; ++i) {
            mailbox.post([&, i] {
              mine.push_back(i);
              elsewhere |= QThread::currentThread() != thread();
            });
          }
        });
      }
    }
    QVERIFY(made[0].empty() && made[1].empty());  // not before events are processed
    QTRY_COMPARE_WITH_TIMEOUT(made[0].size() + made[1].size(), std::size_t{2 * kCalls}, kLimitMs);
    QVERIFY(!elsewhere);
    for (int i = 0; i < kCalls; ++i)
      QVERIFY(made[0][i] == i && made[1][i] == i);
  }

  void a_call_may_wait_for_one_that_it_asked_for() {
    Mailbox mailbox;
    std::vector<int> made;
    QEventLoop inner;
    mailbox.post([&] {
      mailbox.post([&] {
        made.push_back(2);
        inner.quit();
      });
      inner.exec();
      made.push_back(1);
    });
    QTRY_COMPARE_WITH_TIMEOUT(made, (std::vector<int>{2, 1}), kLimitMs);
  }

  void what_was_not_made_when_it_goes_is_dropped() {
    auto mailbox = std::make_unique<Mailbox>();
    int made = 0;
    const auto kept = std::make_shared<int>(0);
    mailbox->post([&, kept] {
      ++made;
      mailbox.reset();
    });
    mailbox->post([&, kept] { ++made; });
    QTRY_VERIFY_WITH_TIMEOUT(mailbox == nullptr, kLimitMs);
    QCoreApplication::processEvents();
    QCOMPARE(made, 1);
    QCOMPARE(kept.use_count(), 1);
  }
};

QTEST_GUILESS_MAIN(TestMailbox)
#include "test_mailbox.moc"
