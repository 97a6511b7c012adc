# The responsiveness of the window's state, timed, and pictures of measured warps. Included by tests/bench/CMakeLists.txt.
if(CLUSTERLOOM_GUI)
  add_executable(ui_heartbeat ui_heartbeat.cpp)
  target_link_libraries(ui_heartbeat PRIVATE clusterloom_session)
  add_executable(draw_warps draw_warps.cpp)
  target_link_libraries(draw_warps PRIVATE clusterloom_render clusterloom_engine)
  add_executable(window_heartbeat window_heartbeat.cpp)
  target_link_libraries(window_heartbeat PRIVATE clusterloom_ui)
endif()
