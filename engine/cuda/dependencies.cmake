# engine/cuda: the lane programs on NVIDIA GPUs; language.cmake says whether it is built.
if(NOT CLUSTERLOOM_HAS_CUDA)
  return()
endif()

file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cuda/*.cu
                                                 ${CMAKE_CURRENT_SOURCE_DIR}/cuda/*.cpp)
# From CMake 3.31 on a unity build groups kernels, too: their local names collide, and nvcc would compile
# one group on one core.
set(kernels ${cuda_sources})
list(FILTER kernels INCLUDE REGEX "\\.cu$")
set_source_files_properties(${kernels} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
add_library(clusterloom_cuda STATIC ${cuda_sources})
target_link_libraries(clusterloom_cuda PUBLIC clusterloom_flags clusterloom_hierarchy clusterloom_load clusterloom_hybrid
                                              clusterloom_distributed
                                              tl::expected
                                       PRIVATE TBB::tbb Threads::Threads)
target_include_directories(clusterloom_cuda SYSTEM PUBLIC ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
set_target_properties(clusterloom_cuda PROPERTIES
  CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF
  CUDA_RUNTIME_LIBRARY Static CUDA_SEPARABLE_COMPILATION OFF)
# -fmad=false: the predicate of the join is exact only when no product is fused into the sum after
# it. A kernel that may fuse, inside a proven band, says fma() itself.
target_compile_options(clusterloom_cuda PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra>)
# Lines of the source are for profilers, and take a third of the space of the code in a wheel.
if(CLUSTERLOOM_TESTS)
  target_compile_options(clusterloom_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo>)
endif()
# Products of bytes by matrix units are compiled out below compute capability 8.0. Without code of
# their own, devices above it that have no machine code here would run what is for 7.5.
set_source_files_properties(cuda/product/product_tiles.cu cuda/product/nearest_tiles.cu
                            cuda/hierarchy/forest_tiles.cu PROPERTIES
  COMPILE_OPTIONS --generate-code=arch=compute_80,code=compute_80)
if(CLUSTERLOOM_WERROR)
  target_compile_options(clusterloom_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
