# The window program.
find_package(Qt6 6.4 REQUIRED COMPONENTS Network Widgets)
file(GLOB shell_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/shell/*.cpp)
add_executable(clusterloom main.cpp window_options.cpp screenshot.cpp one_window.cpp ${shell_sources})
set_target_properties(clusterloom PROPERTIES AUTOMOC ON)
target_link_libraries(clusterloom PRIVATE clusterloom_ui Qt6::Widgets Qt6::Network)
target_precompile_headers(clusterloom REUSE_FROM clusterloom_ui)
target_compile_options(clusterloom PRIVATE -fPIC)  # as those headers
find_bundled_libraries(clusterloom)
install(TARGETS clusterloom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT window)
install_shell_texts(clusterloom window)
