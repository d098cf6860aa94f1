// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>

namespace seedwave::ui {

/// Sets the width of a list to `characters`: its longest text must not widen the dock.
inline void make_narrow(QComboBox& list, int characters) {
  list.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  list.setMinimumContentsLength(characters);
}

}  // namespace seedwave::ui
