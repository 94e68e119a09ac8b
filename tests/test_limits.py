"""Cutting output, and keeping the rest."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cptools import limits
from cptools.config import Config
from cptools.limits import Outputs, cut, lines_in, prune
from cptools.project import Project


@pytest.fixture
def outputs(tmp_path):
    warnings = []
    made = Outputs(Project(str(tmp_path), str(tmp_path)), Config(str(tmp_path)), warnings.append)
    return made, warnings


def test_what_fits_is_left_alone():
    text = "x" * limits.INLINE
    fitted = cut(text)
    assert fitted.text is text
    assert not fitted.truncated


def test_one_character_too_many_is_cut_and_says_where_the_rest_is():
    text = "".join(f"{number}\n" for number in range(10_000))
    fitted = cut(text, where="/p/.cptools/outputs/x.txt")
    assert fitted.truncated
    assert len(fitted.text) <= limits.INLINE
    assert (fitted.total_chars, fitted.total_lines) == (len(text), 10_000)
    lines = fitted.text.splitlines()
    assert lines[0] == "0"
    assert lines[-1] == "9999"
    note = next(line for line in lines if "left out" in line)
    assert "/p/.cptools/outputs/x.txt" in note
    shown = [line for line in lines if line != note]
    assert all(line.isdigit() for line in shown)  # cut between lines
    missing = int(note.split(" in ")[1].split()[0].replace(",", ""))
    assert len(shown) + missing == 10_000


def test_one_long_line_still_shows_both_ends():
    fitted = cut("a" * 125_000 + "b" * 125_000, where="/x")
    assert fitted.text.startswith("a" * 14_000)
    assert fitted.text.endswith("b" * 14_000)
    assert "characters are left out" in fitted.text


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2)])
def test_lines_are_counted_as_people_do(text, count):
    assert lines_in(text) == count


def test_saved_bytes_come_back_and_only_the_owner_reads_them(outputs):
    made, warnings = outputs
    old = os.umask(0)
    try:
        path = made.save("page", b"\xff\x00data", ".bin")
    finally:
        os.umask(old)
    assert Path(path).read_bytes() == b"\xff\x00data"
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert path.endswith(".bin")
    assert not warnings


def test_an_unnamed_file_has_no_name_until_it_gets_one(outputs):
    made, _ = outputs
    descriptor, path = made.create_unnamed()
    if path:
        pytest.skip("this file system has no unnamed files")
    limits.write_all(descriptor, b"abc")
    assert os.listdir(made.folder()) == [".pruned"]
    named = made.give_name(descriptor, path, "bash")
    os.close(descriptor)
    assert Path(named).read_bytes() == b"abc"


def test_without_a_project_to_write_to_a_private_folder_takes_the_outputs(tmp_path):
    (tmp_path / ".cptools").write_text("in the way")
    warnings = []
    made = Outputs(Project(str(tmp_path), str(tmp_path)), Config(str(tmp_path)), warnings.append)
    path = made.save("bash", b"x")
    folder = os.path.dirname(path)
    try:
        assert Path(path).read_bytes() == b"x"
        assert os.stat(folder).st_mode & 0o777 == 0o700
        assert not path.startswith(str(tmp_path))
        assert folder in warnings[0]
    finally:
        os.unlink(path)
        os.rmdir(folder)


def test_old_outputs_go_and_then_the_oldest_until_the_rest_fits(tmp_path):
    now = time.time()
    for name, age, size in (("old", 10, 1), ("big", 3, 600), ("middle", 2, 300), ("new", 1, 300)):
        path = tmp_path / name
        path.write_bytes(b"x" * size)
        os.utime(path, (now - age * 100, now - age * 100))
    (tmp_path / ".pruned").touch()
    os.symlink("/etc/passwd", tmp_path / "link")
    prune(str(tmp_path), 500, 1000)
    assert {path.name for path in tmp_path.iterdir()} == {"middle", "new", ".pruned", "link"}


def test_outputs_are_looked_at_once_an_hour_and_by_the_configuration(tmp_path):
    (tmp_path / "cptools.toml").write_text("[outputs]\nkeep_days = 1\n")
    project = Project(str(tmp_path), str(tmp_path))
    config = Config(str(tmp_path))
    first = Outputs(project, config, lambda _: None).save("a", b"1")
    two_days_ago = time.time() - 2 * 86_400
    os.utime(first, (two_days_ago, two_days_ago))
    Outputs(project, config, lambda _: None).save("b", b"2")
    assert os.path.exists(first)  # looked at within this hour
    stamp = os.path.join(os.path.dirname(first), ".pruned")
    os.utime(stamp, (two_days_ago, two_days_ago))
    Outputs(project, config, lambda _: None).save("c", b"3")
    assert not os.path.exists(first)
