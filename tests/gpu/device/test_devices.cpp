// SPDX-License-Identifier: Apache-2.0
// Messages about devices, with or without one, and the reporting of runtime errors.
#include "core/base/error.h"
#include "core/ops/operation_table.h"
#include "gpu/device/cuda_check.h"
#include "gpu/device/devices.h"
#include "gpu/implementations.h"

#include <QTest>

#include <string>
#include <vector>

using namespace seedwave;

namespace {

/// Returns a small irfc job for choose_implementation().
Inputs small_inputs() {
  Geometry geometry;
  geometry.size = {4, 3, 2};
  Inputs inputs;
  inputs.image = Volume(geometry, std::vector<std::uint8_t>(24, 1));
  inputs.seeds.seeds = {{0, 1}, {5, 2}};
  return inputs;
}

OperationTable table_with_cuda() {
  OperationTable table = make_operation_table();
  gpu::add_implementations(table);
  return table;
}

ImplementationChoice choose(const OperationTable& table, const ImplementationRequest& request) {
  const Operation& operation = table.at("irfc");
  const Inputs inputs = small_inputs();
  return choose_implementation(table, operation, request, inputs,
                               checked_values(operation, {}, false));
}

}  // namespace

class TestDevices : public QObject {
  Q_OBJECT

 private slots:
  void devices_or_the_reason_that_there_is_none();
  void every_operation_lists_its_cuda_implementations();
  void one_name_serves_both_forms_of_porfc();
  void the_choice_says_why();
  void cuda_asked_for_and_absent_is_unavailable();
  void success_does_not_throw();
  void out_of_memory_says_what_to_do();
  void a_fault_is_no_lack_of_memory();
  void code_that_the_gpu_cannot_run_is_no_fault();
  void an_error_names_call_and_place();
};

void TestDevices::devices_or_the_reason_that_there_is_none() {
  const gpu::DeviceList list = gpu::list_devices();
  QCOMPARE(list.devices.empty(), !list.why_none.empty());
  for (const DeviceInfo& device : list.devices) {
    QVERIFY(!device.name.empty());
    QVERIFY(device.free_bytes > 0 && device.free_bytes <= device.total_bytes);
  }
}

void TestDevices::every_operation_lists_its_cuda_implementations() {
  const OperationTable table = table_with_cuda();
  for (const char* id : {"afc", "rfc", "irfc", "porfc"}) {
    const Implementation* cuda = nullptr;
    for (const Implementation& implementation : table.at(id).implementations) {
      if (implementation.backend == Backend::Cuda) cuda = &implementation;
    }
    QVERIFY2(cuda != nullptr, id);
    const Values values = checked_values(table.at(id), {}, false);
    QVERIFY(cuda->device_bytes(small_inputs(), values) > 0);
  }
}

void TestDevices::one_name_serves_both_forms_of_porfc() {
  const OperationTable table = table_with_cuda();
  for (const Implementation& implementation : table.at("porfc").implementations)
    QCOMPARE(implementation.algorithm, std::string("rounds"));
}

void TestDevices::the_choice_says_why() {
  const OperationTable table = table_with_cuda();
  const ImplementationChoice choice = choose(table, {});
  QVERIFY(!choice.why.empty());
  const Backend expected = table.devices().empty() ? Backend::Cpu : Backend::Cuda;
  QCOMPARE(choice.implementation->backend, expected);
  if (table.devices().empty()) {
    QVERIFY2(choice.why.find(table.why_no_device()) != std::string::npos, choice.why.c_str());
  }
}

void TestDevices::cuda_asked_for_and_absent_is_unavailable() {
  const OperationTable table = table_with_cuda();
  if (!table.devices().empty()) QSKIP("there is a device here");
  QVERIFY_EXCEPTION_THROWN(choose(table, {.backend = Backend::Cuda}), UnavailableError);
  // If the choice is bypassed, the run itself reports it.
  const Operation& operation = table.at("irfc");
  Context context;
  for (const Implementation& implementation : operation.implementations) {
    if (implementation.backend != Backend::Cuda) continue;
    QVERIFY_EXCEPTION_THROWN(
        implementation.run(small_inputs(), checked_values(operation, {}, false), context),
        UnavailableError);
  }
}

void TestDevices::success_does_not_throw() {
  CUDA_CHECK(cudaSuccess);
}

void TestDevices::out_of_memory_says_what_to_do() {
  try {
    CUDA_CHECK(cudaErrorMemoryAllocation);
    QFAIL("no exception");
  } catch (const UnavailableError& error) {
    QVERIFY2(QString(error.what()).contains("choose a smaller region or the CPU"), error.what());
  }
}

void TestDevices::a_fault_is_no_lack_of_memory() {
  for (const cudaError_t code :
       {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorLaunchTimeout, cudaErrorUnknown})
    QVERIFY_EXCEPTION_THROWN(CUDA_CHECK(code), DeviceFault);
}

void TestDevices::code_that_the_gpu_cannot_run_is_no_fault() {
  for (const cudaError_t code : {cudaErrorNoKernelImageForDevice, cudaErrorUnsupportedPtxVersion,
                                 cudaErrorInvalidPtx, cudaErrorJitCompilerNotFound})
    QVERIFY_EXCEPTION_THROWN(CUDA_CHECK(code), UnavailableError);
}

void TestDevices::an_error_names_call_and_place() {
  try {
    CUDA_CHECK(cudaErrorInvalidValue);
    QFAIL("no exception");
  } catch (const DeviceFault& error) {
    const QString text = error.what();
    QVERIFY2(text.contains("cudaErrorInvalidValue"), error.what());
    QVERIFY2(text.contains("test_devices.cpp:"), error.what());
    QVERIFY2(!text.contains('/'), error.what());
  }
}

QTEST_GUILESS_MAIN(TestDevices)
#include "test_devices.moc"
