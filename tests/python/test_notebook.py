"""Notebooks of lessons: their cells run, and compute the numbers of the lesson."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

CLI = os.environ.get("CLUSTERLOOM_CLI")
LESSONS = Path(__file__).parents[2] / "resources" / "lessons"
NUMBERS = sorted(int(file.name.split("-")[0]) for file in LESSONS.glob("*.json"))


def notebook_of(lesson, folder, *options):
    if not CLI:
        pytest.skip("this build has no window, which writes the notebooks")
    file = folder / "lesson.ipynb"
    subprocess.run([CLI, "handout", lesson, "--notebook", str(file), *options], check=True)
    return json.loads(file.read_text(encoding="utf-8"))


def source_of(cell):
    return "".join(cell["source"])


# Every lesson, half of them in German.
@pytest.mark.parametrize("lesson", NUMBERS)
def test_cells_compute_the_numbers_of_the_lesson(lesson, tmp_path, capsys):
    language = "de" if lesson % 2 else "en"
    notebook = notebook_of(str(lesson), tmp_path, "--language", language)
    assert notebook["nbformat"] == 4
    cells = notebook["cells"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    names = {}
    compared = 0
    for cell in cells:
        assert set(cell) >= {"cell_type", "id", "metadata", "source"}
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [] and cell["execution_count"] is None
        exec(source_of(cell), names)  # a number that differs fails
        compared += len(re.findall(r"^compare\(", source_of(cell), re.MULTILINE))
    assert compared >= 30
    told = capsys.readouterr().out
    assert told.count("(Lektion: " if language == "de" else "(lesson: ") == compared
    texts = [source_of(cell) for cell in cells if cell["cell_type"] == "markdown"]
    answers = "## Antworten" if language == "de" else "## Answers"
    assert texts[-1].startswith(answers) and not any(answers in text for text in texts[:-1])


def test_a_number_that_differs_fails(tmp_path):
    names = {}
    exec(source_of(notebook_of("1", tmp_path)["cells"][1]), names)
    names["compare"]("wee", 0.25, 0.25)
    with pytest.raises(AssertionError, match="wee"):
        names["compare"]("wee", 0.25, 0.2500001)
