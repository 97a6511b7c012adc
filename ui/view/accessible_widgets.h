#pragma once

namespace clusterloom {

/// Replaces what Qt tells assistive technology about some widgets of all windows: the current tab
/// of a tab bar is focused only while the bar has the keyboard, the container of bar and pages
/// never is, a stack of pages is not a layered pane, whose items a screen reader would count, and
/// names of labels are told without the ampersand of their letter. May be called again.
void installAccessibleWidgets();
/// Whether assistive technology is in use, as far as known since installAccessibleWidgets.
bool isAccessibilityUsed();

}  // namespace clusterloom
