// SPDX-License-Identifier: Apache-2.0
#include "ui/models/channel_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace seedwave;
using namespace seedwave::ui;

class TestChannelModel : public QObject {
  Q_OBJECT
 private slots:
  void dyes_have_the_colours_that_people_expect() {
    const auto looks = first_looks({"DAPI", "Alexa 488 phalloidin", "x", "Cy5-2", "y"});
    QVERIFY(looks[0].color.blue() > 200 && looks[0].color.red() < 100);
    QVERIFY(looks[1].color.green() > 200 && looks[1].color.red() == 0);
    // All others differ from these and from each other.
    for (std::size_t i = 0; i < looks.size(); ++i) {
      QCOMPARE(looks[i].shown, i < 4);
      for (std::size_t j = 0; j < i; ++j)
        QVERIFY(looks[i].color != looks[j].color);
    }
  }

  void edges_of_a_window_are_edited_and_stay_in_order() {
    ChannelModel model;
    const QAbstractItemModelTester tester(&model);
    model.set_looks(first_looks({"a", "b"}), 1);
    QSignalSpy changed(&model, &ChannelModel::look_changed);
    QCOMPARE(model.data(model.index(0, ChannelModel::Black), Qt::DisplayRole), QVariant());
    model.set_window(0, GreyWindow::between(100, 900));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(model.data(model.index(0, ChannelModel::Black), Qt::DisplayRole).toString(),
             QString("100"));
    QVERIFY(model.setData(model.index(0, ChannelModel::Full), "500", Qt::EditRole));
    QCOMPARE(model.looks()[0].window, GreyWindow::between(100, 500));
    for (const char* wrong : {"50", "100", "x", ""})
      QVERIFY(!model.setData(model.index(0, ChannelModel::Full), wrong, Qt::EditRole));
    QCOMPARE(model.looks()[0].window, GreyWindow::between(100, 500));
    QCOMPARE(changed.count(), 2);
  }

  void a_channel_is_shown_or_hidden_by_its_mark() {
    ChannelModel model;
    model.set_looks(first_looks({"a", "b"}), 0);
    QVERIFY(model.setData(model.index(1, 0), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!model.looks()[1].shown);
    QVERIFY(model.data(model.index(0, 0), Qt::FontRole).value<QFont>().bold());
    QVERIFY(!model.data(model.index(1, 0), Qt::FontRole).value<QFont>().bold());
  }
};

QTEST_MAIN(TestChannelModel)
#include "test_channel_model.moc"
