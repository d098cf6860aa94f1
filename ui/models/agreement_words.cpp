// SPDX-License-Identifier: Apache-2.0
#include "ui/models/agreement_words.h"

#include <QCoreApplication>

namespace seedwave::ui {

namespace {

struct AgreementText {
  Q_DECLARE_TR_FUNCTIONS(Comparison)
};

}  // namespace

QColor color_of_a() {
  return {0x00, 0x72, 0xB2};
}

QColor color_of_b() {
  return {0xE6, 0x9F, 0x00};
}

std::array<AgreementPart, 4> parts_of(const Agreement& agreement) {
  return {{{1, AgreementText::tr("same in both"), {0x99, 0x99, 0x99}, agreement.same},
           {2, AgreementText::tr("A only"), color_of_a(), agreement.only_a},
           {3, AgreementText::tr("B only"), color_of_b(), agreement.only_b},
           {4, AgreementText::tr("different labels"), {0xF0, 0xE4, 0x42}, agreement.other}}};
}

}  // namespace seedwave::ui
