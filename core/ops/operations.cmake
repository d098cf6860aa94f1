# Writes a file with make_operation_table(), which lists the functions `Operation NAME_operation()`
# of the given files.
#
# cmake -DSOURCES=FILES -DOUTPUT=FILE -P operations.cmake
string(REPLACE "," ";" sources "${SOURCES}")
set(functions)
foreach(source IN LISTS sources)
  file(STRINGS ${source} lines REGEX "^Operation [a-z0-9_]+_operation\\(\\) {")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "[a-z0-9_]+_operation" name "${line}")
    list(APPEND functions ${name})
  endforeach()
endforeach()
list(SORT functions)
list(JOIN functions "();\nOperation " declarations)
list(JOIN functions "(), " calls)
file(WRITE ${OUTPUT} "// Written by core/ops/operations.cmake: the operations of this folder.
#include \"core/ops/operation_table.h\"

namespace seedwave {

Operation ${declarations}();

OperationTable make_operation_table() {
  return OperationTable({${calls}()});
}

}  // namespace seedwave
")
