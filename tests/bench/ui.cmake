# The responsiveness of the window's state, timed. Included by tests/bench/CMakeLists.txt.
if(CLUSTERLOOM_GUI)
  add_executable(ui_heartbeat ui_heartbeat.cpp)
  target_link_libraries(ui_heartbeat PRIVATE clusterloom_session)
  add_executable(window_heartbeat window_heartbeat.cpp)
  target_link_libraries(window_heartbeat PRIVATE clusterloom_ui)
endif()
