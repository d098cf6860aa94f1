// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>

namespace seedwave::ui {

/// Makes a list as narrow as `characters`: its longest text must not widen the dock.
inline void make_narrow(QComboBox& list, int characters) {
  list.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list.setMinimumContentsLength(characters);
}

}  // namespace seedwave::ui
