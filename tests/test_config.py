"""Where settings come from, and what is said of wrong ones."""

from __future__ import annotations

import os

import pytest

from cptools.config import Config
from cptools.errors import InvalidInput
from tests.conftest import bound_by_modes


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "cptools"


def test_the_projects_file_goes_before_the_users(tmp_path, home):
    home.mkdir(parents=True)
    (home / "config.toml").write_text("[edit]\nfuzzy = false\n[outputs]\nkeep_days = 3\n")
    assert Config(str(tmp_path)).get("edit", "fuzzy", True) is False
    (tmp_path / "cptools.toml").write_text("[edit]\nfuzzy = true\n")
    assert Config(str(tmp_path)).get("edit", "fuzzy", False) is True
    assert Config(str(tmp_path)).get("outputs", "keep_days", 7) == 3
    assert Config(str(tmp_path)).get("outputs", "keep_mb", 500) == 500


def test_pyproject_is_read_where_there_is_no_file_of_our_own(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.cptools.edit]\nfuzzy = false\n")
    assert Config(str(tmp_path)).get("edit", "fuzzy", True) is False


def test_a_foreign_pyproject_is_not_our_business(tmp_path):
    (tmp_path / "pyproject.toml").write_text("this is not TOML")
    assert Config(str(tmp_path)).get("edit", "fuzzy", True) is True


def test_an_explicit_file_takes_the_place_of_the_projects(tmp_path):
    (tmp_path / "cptools.toml").write_text("[edit]\nfuzzy = true\n")
    (tmp_path / "other.toml").write_text("[edit]\nfuzzy = false\n")
    assert Config(str(tmp_path), str(tmp_path / "other.toml")).get("edit", "fuzzy", True) is False
    with pytest.raises(InvalidInput, match=r"none\.toml does not exist"):
        Config(str(tmp_path), str(tmp_path / "none.toml")).get("edit", "fuzzy", True)


@pytest.mark.parametrize("content", ['[edit]\nfuzzy = "yes"', "edit = 1", "[edit", "\udcff"])
def test_a_wrong_value_is_named(tmp_path, content):
    (tmp_path / "cptools.toml").write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(InvalidInput, match=r"cptools\.toml"):
        Config(str(tmp_path)).get("edit", "fuzzy", True)


def test_a_home_that_is_another_users_has_no_say(project):
    """After sudo or setpriv HOME is still the other user's, which nobody may look into."""
    before = bound_by_modes()
    home = project.path("../home")
    project.put("../home/.config/cptools/config.toml", "[edit]\nfuzzy = false\n")
    os.chmod(home, 0)
    try:
        assert project.call("bash", "echo hi", "--output", "json", before=before).output == "hi\n"
    finally:
        os.chmod(home, 0o755)


def test_the_edit_tool_follows_it(project):
    project.put("cptools.toml", "[edit]\nfuzzy = false\n")
    project.put("a.txt", "  x = 1\n    y\n")
    project.read("a.txt")
    assert project.send("edit", file_path="a.txt", old_string="x = 1\ny", new_string="z").code == "no_match"
