# Several files in one call of the compiler: most of the time goes into headers, which such a call
# reads once. It halves the time that the libraries take.
#
# A change of one file compiles its neighbours too: -DSEEDWAVE_UNITY=OFF for a day of work on one
# folder, and to see that every file includes what it uses (tools/tidy reads core's one by one).
option(SEEDWAVE_UNITY "Compile several files in one call" ON)

# seedwave_unity(TARGET): names in anonymous namespaces must then differ within a folder. Not the
# kernels, which are built once for each set of instructions (core/base/vector_lanes.h), and not CUDA,
# which newer versions of CMake join too.
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
