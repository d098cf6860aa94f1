# Runs at install time (see SeedwaveInstall.cmake), with `programs`, `qt_plugins` and `jbig` set.
# Copies the dependencies of the programs into the installed folder, with all licences.
#
# Three groups are not bundled, because they belong to the target machine:
# - glibc, and GCC's runtime (libstdc++, libgcc_s). A machine whose glibc is new enough for these
#   programs (2.36) has a libstdc++ that is new enough (GCC 12). Its Mesa may need a newer one than
#   ours, and its driver would not load if ours were in the process.
# - OpenGL: libGL, libGLX, libEGL, libOpenGL, libdrm and so on belong to the driver.
# - The X libraries that the OpenGL driver uses too: two versions in one process conflict.
set(outside
  "ld-linux" "libc\\.so" "libm\\.so" "libdl\\.so" "libpthread\\.so" "librt\\.so" "libresolv\\.so"
  "libutil\\.so" "libmvec\\.so" "libanl\\.so" "libstdc\\+\\+\\.so" "libgcc_s\\.so"
  "libGL\\.so" "libGLX" "libGLdispatch" "libOpenGL" "libEGL" "libGLES" "libdrm" "libgbm" "libcuda\\.so"
  "libX11" "libXext" "libXfixes" "libXau" "libXdmcp" "libXxf86vm" "libxshmfence" "libbsd\\.so" "libmd\\.so"
  "libxcb\\.so" "libxcb-(dri2|dri3|glx|present|randr|shm|sync|xfixes)\\.so")
list(TRANSFORM outside REPLACE "(.+)" "/\\1[^/]*$" OUTPUT_VARIABLE outside_files)
list(TRANSFORM outside PREPEND "^" OUTPUT_VARIABLE outside_names)

set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(plugin_files
  platforms/libqxcb.so platforms/libqoffscreen.so xcbglintegrations/libqxcb-glx-integration.so
  imageformats/libqsvg.so imageformats/libqjpeg.so iconengines/libqsvgicon.so)
list(TRANSFORM plugin_files PREPEND "${qt_plugins}/" OUTPUT_VARIABLE plugin_paths)

file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} LIBRARIES ${plugin_paths}
  RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES ${outside_names} POST_EXCLUDE_REGEXES ${outside_files})
if(missing)
  message(FATAL_ERROR "Needed by the programs and not found: ${missing}")
endif()

# Copies a library under the name by which it is requested, as a separate file without an RPATH.
# The programs' RPATH then applies to it too.
function(bundle file folder)
  file(INSTALL "${file}" DESTINATION "${root}/${folder}" FOLLOW_SYMLINK_CHAIN
       TYPE SHARED_LIBRARY)
  file(REAL_PATH "${file}" real)
  cmake_path(GET real FILENAME name)
  file(RPATH_REMOVE FILE "${root}/${folder}/${name}")
endfunction()

set(licensed)
foreach(library IN LISTS libraries)
  if(library MATCHES "/libjbig\\.so")
    bundle("${jbig}" lib)
  else()
    bundle("${library}" lib)
    list(APPEND licensed "${library}")
  endif()
endforeach()
foreach(plugin IN LISTS plugin_files)
  cmake_path(GET plugin PARENT_PATH folder)
  bundle("${qt_plugins}/${plugin}" "lib/qt6/plugins/${folder}")
  list(APPEND licensed "${qt_plugins}/${plugin}")
endforeach()
# For machines without any font (app/window/own_fonts.h); the path is Debian's.
foreach(font IN ITEMS DejaVuSans.ttf DejaVuSans-Bold.ttf)
  set(file /usr/share/fonts/truetype/dejavu/${font})
  if(EXISTS ${file})
    file(INSTALL ${file} DESTINATION "${root}/share/seedwave/fonts")
    list(APPEND licensed ${file})
  else()
    message(WARNING "${file} is not here: the folder runs only where there are fonts.")
  endif()
endforeach()
file(WRITE "${root}/bin/qt.conf" "[Paths]\nPrefix = ..\nPlugins = lib/qt6/plugins\n")

# Debian keeps each package's licence in one place. On other systems the packager must add them.
find_program(dpkg_query dpkg-query)
if(NOT dpkg_query)
  message(WARNING "No dpkg here: the licences of the bundled libraries are not copied.")
  return()
endif()
set(licences "${root}/share/doc/seedwave/licenses")
# Packages of header-only libraries.
set(packages libcli11-dev nlohmann-json3-dev libkissfft-dev libeigen3-dev)
foreach(file IN LISTS licensed)
  # Debian lists some files under /lib that are found through /usr/lib.
  file(REAL_PATH "${file}" real)
  string(REGEX REPLACE "^/usr/lib/" "/lib/" short "${real}")
  execute_process(COMMAND ${dpkg_query} -S "${real}" "${short}"
    OUTPUT_VARIABLE owner ERROR_QUIET)
  if(NOT owner MATCHES "^([^:,]+)[:,]")
    message(FATAL_ERROR "No package owns ${file}: its licence is not known")
  endif()
  list(APPEND packages "${CMAKE_MATCH_1}")
endforeach()
list(REMOVE_DUPLICATES packages)
foreach(package IN LISTS packages)
  file(REAL_PATH "/usr/share/doc/${package}/copyright" copyright)
  configure_file("${copyright}" "${licences}/${package}.txt" COPYONLY)
endforeach()
# The licence texts to which Debian's copyright files refer.
file(INSTALL /usr/share/common-licenses/ DESTINATION "${licences}/common-licenses" FOLLOW_SYMLINK_CHAIN)
list(LENGTH libraries count)
list(LENGTH packages package_count)
message(STATUS "Bundled ${count} libraries, licences of ${package_count} packages")
