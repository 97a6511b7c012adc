#pragma once

// Included before every test where Qt's QTRY_ macros convert milliseconds to int.
#pragma GCC diagnostic ignored "-Wconversion"
