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

std::array<AgreementPart, 4> parts_of(const Compared& compared) {
  using Names = std::array<QString, 4>;
  const Names of_runs{AgreementText::tr("same in both"), AgreementText::tr("A only"),
                      AgreementText::tr("B only"), AgreementText::tr("different labels")};
  const Names of_labels{AgreementText::tr("right"), AgreementText::tr("missed"),
                        AgreementText::tr("spurious"), AgreementText::tr("another label")};
  const Names of_objects{AgreementText::tr("found"), AgreementText::tr("missed entirely"),
                         AgreementText::tr("spurious entirely"),
                         AgreementText::tr("split, joined, shifted")};
  const Names& names = !compared.is_with_reference() ? of_runs
                       : compared.is_of_objects      ? of_objects
                                                     : of_labels;
  const Agreement& agreement = compared.agreement;
  return {{{Agreement::Same, names[0], {0x99, 0x99, 0x99}, agreement.same},
           {Agreement::OnlyA, names[1], color_of_a(), agreement.only_a},
           {Agreement::OnlyB, names[2], color_of_b(), agreement.only_b},
           {Agreement::Other, names[3], {0xF0, 0xE4, 0x42}, agreement.other}}};
}

QString name_of(const ComparedRun& run) {
  return run.id == 0 ? AgreementText::tr("reference") : AgreementText::tr("run %1").arg(run.id);
}

}  // namespace seedwave::ui
