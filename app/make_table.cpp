// SPDX-License-Identifier: Apache-2.0
#include "app/make_table.h"

#ifdef SEEDWAVE_WITH_CUDA
#include "gpu/implementations.h"
#endif

namespace seedwave {

OperationTable make_table() {
  OperationTable table = make_operation_table();
#ifdef SEEDWAVE_WITH_CUDA
  gpu::add_implementations(table);
#endif
  return table;
}

}  // namespace seedwave
