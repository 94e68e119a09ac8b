"""Exit statuses that are answers, and those that are not explained because it can't be told whose they are."""

from __future__ import annotations

import pytest

from cptools.tools.bash.meanings import last_pipeline, meaning

ANSWERS = [
    ("grep nope f", 1),
    ("  grep -q nope f", 1),
    ("LC_ALL=C grep nope f", 1),
    ("/usr/bin/grep nope f", 1),
    ("command rg nope", 1),
    ("cat f | grep nope", 1),
    ("make; grep nope f", 1),
    ("serve & grep nope f", 1),
    ("make\ngrep nope f", 1),
    ("cd sub && grep nope f", 1),
    ("grep a f && grep b f", 1),
    ("grep a f || grep b f", 1),
    ("grep nope f 2>&1", 1),
    ("grep nope f > out 2>/dev/null", 1),
    ("git grep nope", 1),
    ("git -C sub --no-pager grep nope", 1),
    ("git diff --exit-code", 1),
    ("git diff --no-index a b", 1),
    ("diff a b", 1),
    ("diff <(sort a) <(sort b | uniq)", 1),
    ("cmp -s a b", 1),
    ("test -f x", 1),
    ("[ -f x ]", 1),
    ("[[ -f x ]]", 1),
    ("[ -f x ] && echo yes", 1),
    ("find / -name x", 1),
    ("pgrep nobody-here", 1),
]
FAILURES = [
    ("grep nope f", 2),
    ("diff a b", 2),
    ("make", 1),
    ("make && grep nope f", 1),
    ("grep nope f && make", 1),
    ("grep nope f; make", 1),
    ("grep nope f | make", 1),
    ("! grep nope f", 1),
    ("if grep nope f; then false; fi", 1),
    ("(grep nope f)", 1),
    ("make > >(grep nope)", 1),
    ("diff <(echo ')') b; make", 1),
    ("echo grep", 1),
    ("bash -c 'grep nope f'", 1),
    ("grep 'unfinished", 1),
    ("grep nope <<E\nx\nE", 1),
    ("set -e; make; grep nope f", 1),
    ("", 1),
]


@pytest.mark.parametrize(("command", "status"), ANSWERS)
def test_an_answer_is_no_failure(command, status):
    found = meaning(command, status)
    assert found is not None
    assert found.answer


@pytest.mark.parametrize(("command", "status"), FAILURES)
def test_anything_else_is_a_failure(command, status):
    found = meaning(command, status)
    assert found is None or not found.answer


def test_a_cd_that_failed_is_not_taken_for_an_answer():
    said = "bash: line 1: cd: sub: No such file or directory\n"
    assert meaning("cd sub && grep nope f", 1, said) is None


@pytest.mark.parametrize(
    ("status", "told"), [(126, "could not be executed"), (127, "not found"), (137, "SIGKILL"), (143, "SIGTERM")]
)
def test_failures_with_a_meaning_are_explained(status, told):
    found = meaning("anything", status)
    assert told in found.text
    assert not found.answer


def test_success_needs_no_meaning():
    assert meaning("grep x f", 0) is None


def test_the_last_pipeline_is_found_in_words():
    assert last_pipeline("cd x && grep 'a b' f 2>/dev/null | wc -l") == [["grep", "a b", "f"], ["wc", "-l"]]
    assert last_pipeline("echo $(a | b)") is None
