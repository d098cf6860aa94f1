# Unity builds: several files in one compiler call. Most of the time is spent on headers, which such
# a call reads once. This halves the build time of the libraries.
#
# A change of one file recompiles its neighbours too. Use -DSEEDWAVE_UNITY=OFF for longer work on
# one folder, and to check that every file includes what it uses (tools/tidy reads the files of core
# one by one).
option(SEEDWAVE_UNITY "Compile several files in one call" ON)

# seedwave_unity(TARGET): enables unity builds. Names in anonymous namespaces must then differ within
# a folder. Excludes the kernels, which are built once for each instruction set
# (core/base/vector_lanes.h), and CUDA, which newer versions of CMake would include.
function(seedwave_unity target)
  if(NOT SEEDWAVE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "(_avx2|_plain)\\.cpp$|\\.cu$")
  if(sources)
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
