#include "engine/load/lane_page.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/core/number_text.h"

namespace clusterloom {

namespace {

/// In colours of the lane chart in the light theme (render/charts).
constexpr const char* kBegin = R"(<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 16px/1.5 "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; color: #20262e;
  background: #ffffff; max-width: 64rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 0; } p { margin: .5rem 0; }
canvas { display: block; width: 100%; border: 1px solid #e0e4ea; margin: .5rem 0; }
#all { height: 64px; } #near { height: 448px; }
#key span { margin-right: 1.2em; } #key i { display: inline-block; width: .9em; height: .9em;
  margin-right: .4em; vertical-align: -1px; }
#words { font-size: 1.15rem; min-height: 3.2em; } #keys { color: #626b77; font-size: .9rem; }
button { font: inherit; padding: .1rem .8rem; }
</style>
)";

constexpr const char* kBody = R"(<h1 id="title"></h1>
<p id="about"></p>
<p id="key"></p>
<canvas id="all"></canvas>
<canvas id="near"></canvas>
<p><button id="back"></button> <button id="play"></button> <button id="on"></button></p>
<p id="words" aria-live="polite"></p>
<p id="keys"></p>
)";

constexpr const char* kScript = R"(
var colours = ['#b04a82', '#009e73', '#1478be', '#c47d00'], pale = '#bdd9ed', near = 96;
function bytes(text) { return Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); }); }
function numbers(text) { return new Uint32Array(bytes(text).buffer); }
var loop = bytes(data.loop), active = numbers(data.active), looks = numbers(data.looks);
var steps = loop.length, at = -1, playing = 0;
var overview = document.createElement('canvas');
function id(name) { return document.getElementById(name); }
function grouped(n) { return n.toLocaleString(words.language); }
function filled(text, values) {
  return text.replace(/%([1-9])/g, function (all, i) {
    var value = values[i - 1];
    return typeof value === 'number' ? grouped(value) : value;
  });
}
function works(step, lane) { return (active[step] >>> lane & 1) === 1; }
function has(lane) { return data.query[lane] >= 0; }
function canvasOf(name) {
  var canvas = id(name), ratio = window.devicePixelRatio || 1;
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = canvas.clientHeight * ratio;
  return canvas;
}
// Steps from … to of all lanes. Where several fall into one column, it is as dark as lanes are busy.
function paint(canvas, from, to) {
  var draw = canvas.getContext('2d'), width = canvas.width, height = canvas.height;
  draw.fillStyle = '#ffffff';
  draw.fillRect(0, 0, width, height);
  var columns = Math.min(width, to - from);
  for (var c = 0; c < columns; ++c) {
    var first = from + Math.floor(c * (to - from) / columns);
    var end = from + Math.floor((c + 1) * (to - from) / columns);
    var x = Math.floor(c * width / columns), wide = Math.floor((c + 1) * width / columns) - x;
    for (var lane = 0; lane < 32; ++lane) {
      if (!has(lane)) continue;
      var busy = 0, kind = 0;
      for (var step = first; step < end; ++step)
        if (works(step, lane)) {
          ++busy;
          kind = loop[step];
        }
      var y = Math.floor(lane * height / 32), high = Math.floor((lane + 1) * height / 32) - y;
      draw.fillStyle = pale;
      draw.fillRect(x, y, wide, high);
      draw.globalAlpha = busy / (end - first);
      draw.fillStyle = colours[kind];
      draw.fillRect(x, y, wide, high);
      draw.globalAlpha = 1;
    }
  }
}
function mark(canvas, from, to) {
  var draw = canvas.getContext('2d'), width = canvas.width / (to - from);
  draw.strokeStyle = '#b24800';
  draw.lineWidth = 2 * (window.devicePixelRatio || 1);
  draw.strokeRect((at - from) * width, 0, Math.max(width, 1), canvas.height);
}
function showAll() {
  var canvas = canvasOf('all');
  if (overview.width !== canvas.width || overview.height !== canvas.height) {
    overview.width = canvas.width;
    overview.height = canvas.height;
    paint(overview, 0, steps);
  }
  canvas.getContext('2d').drawImage(overview, 0, 0);
  mark(canvas, 0, steps);
}
function showNear() {
  var from = Math.min(Math.max(at - near / 2, 0), Math.max(steps - near, 0));
  var to = Math.min(from + near, steps), canvas = canvasOf('near');
  paint(canvas, from, to);
  mark(canvas, from, to);
}
function say() {
  if (at < 0) return '';
  var working = 0, first = -1;
  for (var lane = 0; lane < 32; ++lane)
    if (works(at, lane)) {
      ++working;
      if (first < 0) first = lane;
    }
  var what = filled(words.work[loop[at]], [first, data.query[first], looks[at]]);
  return filled(words.step, [at + 1, data.steps, working, what, 32 - working]);
}
function show(step) {
  at = Math.min(Math.max(step, 0), steps - 1);
  showAll();
  showNear();
  id('words').textContent = say();
  history.replaceState(null, '', '#' + (at + 1));
}
function stop() {
  window.clearInterval(playing);
  playing = 0;
}
function play() {
  if (playing) return stop();
  playing = window.setInterval(function () {
    if (at + 1 < steps) show(at + 1);
    else stop();
  }, 120);
}
document.title = words.title;
id('title').textContent = words.title;
id('about').textContent = words.about;
id('keys').textContent = words.keys;
id('back').textContent = words.back;
id('play').textContent = words.play;
id('on').textContent = words.on;
words.loops.concat(words.idle).forEach(function (name, i) {
  var entry = document.createElement('span'), box = document.createElement('i');
  box.style.background = i < 4 ? colours[i] : pale;
  entry.append(box, name);
  id('key').append(entry);
});
id('back').onclick = function () { show(at - 1); };
id('on').onclick = function () { show(at + 1); };
id('play').onclick = play;
id('all').onclick = function (event) {
  show(Math.floor(event.offsetX / id('all').clientWidth * steps));
};
document.addEventListener('keydown', function (event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  var next = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - 32, PageDown: at + 32, Home: 0,
    End: steps - 1 }[event.key];
  if (event.key === ' ') play();
  else if (next !== undefined) show(next);
  else return;
  event.preventDefault();
});
window.addEventListener('resize', function () { show(at); });
show((parseInt(location.hash.slice(1), 10) || 1) - 1);
)";

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr const char* kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (k < there ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= there ? kLetters[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

/// In the order of bytes in which browsers read arrays of numbers.
void append(std::vector<std::uint8_t>& bytes, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8)
    bytes.push_back(static_cast<std::uint8_t>(number >> shift & 255U));
}

/// As a string of a script, which also may stand inside HTML.
std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') made += '\\';
    if (letter == '<')
      made += "\\u003c";
    else if (letter == '\n')
      made += "\\n";
    else
      made += letter;
  }
  return made + '"';
}

template <std::size_t n>
std::string quoted(const std::array<std::string, n>& texts) {
  std::string made;
  for (const std::string& text : texts) made += (made.empty() ? "" : ", ") + quoted(text);
  return "[" + made + "]";
}

/// With values for %1, %2.
std::string filled(std::string text, const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string mark = "%" + std::to_string(i + 1);
    if (const std::size_t at = text.find(mark); at != std::string::npos)
      text.replace(at, mark.size(), values[i]);
  }
  return text;
}

std::string wordsScript(const WarpTrace& trace, std::size_t steps, const LanePageWords& words) {
  std::string about =
      filled(words.warp, {groupedText(trace.load.number), groupedText(trace.allSteps)});
  if (steps < trace.allSteps) about += " " + filled(words.firstSteps, {groupedText(steps)});
  if (const auto& machine = trace.machine)
    about += " " +
             filled(words.machine, {nameOf(*machine), std::to_string(machine->multiprocessors),
                                    std::to_string(machine->warpsPerMultiprocessor),
                                    withSigns(roundTripText(machine->clockGHz), Groups::None)}) +
             ".";
  std::string text = "var words = { language: " + quoted(words.language);
  const auto add = [&](const char* name, const auto& value) {
    text += std::string(",\n  ") + name + ": " + quoted(value);
  };
  add("title", words.title);
  add("about", about);
  add("keys", words.keys);
  add("back", words.back);
  add("play", words.play);
  add("on", words.on);
  add("idle", words.idle);
  add("loops", words.loops);
  add("step", words.step);
  add("work", words.work);
  return text + " };\n";
}

std::string dataScript(const WarpTrace& trace, std::size_t steps) {
  std::vector<std::uint8_t> loop;
  std::vector<std::uint8_t> active;
  std::vector<std::uint8_t> looks;  // of the first lane that works
  for (std::size_t step = 0; step < steps; ++step) {
    loop.push_back(static_cast<std::uint8_t>(trace.loopOfStep[step]));
    append(active, trace.activeOfStep[step]);
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(trace.activeOfStep[step]));
    append(looks, lane < WarpTrace::kLanes ? trace.at(step, lane) : WarpTrace::kNothing);
  }
  std::string query;
  for (const std::uint32_t point : trace.queryPoint)
    query += (query.empty() ? "" : ", ") +
             (point == WarpTrace::kNothing ? std::string("-1") : std::to_string(point));
  return "var data = { steps: " + std::to_string(trace.allSteps) + ", query: [" + query +
         "],\n  loop: \"" + base64(loop) + "\",\n  active: \"" + base64(active) +
         "\",\n  looks: \"" + base64(looks) + "\" };\n";
}

}  // namespace

std::string lanePage(const WarpTrace& trace, const LanePageWords& words) {
  const std::size_t steps = std::min(trace.steps(), kLanePageSteps);
  return "<!DOCTYPE html>\n<html lang=" + quoted(words.language) + ">\n<head>\n" + kBegin +
         "<title></title>\n</head>\n<body>\n" + kBody + "<script>\n" +
         wordsScript(trace, steps, words) + dataScript(trace, steps) + kScript +
         "</script>\n</body>\n</html>\n";
}

}  // namespace clusterloom
