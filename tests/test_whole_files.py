"""Files that are written whole or not at all: a crash at every step, full disks, several writers, odd targets."""

import errno
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from luckless import whole_files
from luckless.errors import InputError
from luckless.whole_files import (
    WholeFile,
    check_writable,
    is_leftover,
    remove_leftovers,
    whole_folder,
    write_bytes,
    write_text,
)

LEFTOVER = ".old.txt." + "0123456789abcdef" * 2 + ".writing"


class _Crash(BaseException):
    """What stops a program at once."""


def names_in(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def umask() -> Any:
    """New files may be read by their group."""
    before = os.umask(0o027)
    yield
    os.umask(before)


class TestWriting:
    def test_a_new_file_and_one_in_the_place_of_an_older(self, tmp_path: Path) -> None:
        path = tmp_path / "new.txt"
        for text in ("first", "then the second, which is longer", "ä", ""):
            write_text(path, text)
            assert path.read_text(encoding="utf-8") == text
        assert names_in(tmp_path) == ["new.txt"]

    def test_bytes_that_are_no_text_come_out_as_they_went_in(self, tmp_path: Path) -> None:
        write_text(tmp_path / "x", b"K\xf6nig".decode("utf-8", "surrogateescape"))
        assert (tmp_path / "x").read_bytes() == b"K\xf6nig"

    @pytest.mark.usefixtures("umask")
    def test_permissions_are_the_umask_s_or_those_of_the_older_file(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        write_bytes(path, b"1")
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        write_bytes(path, b"2")
        assert stat.S_IMODE(path.stat().st_mode) == 0o604

    def test_a_name_of_the_greatest_length(self, tmp_path: Path) -> None:
        path = tmp_path / ("ä" * 127)
        write_bytes(path, b"1")
        assert path.read_bytes() == b"1"
        with pytest.raises(InputError, match="cannot be written: File name too long"):
            write_bytes(tmp_path / ("ä" * 128), b"1")

    def test_an_error_of_the_writer_leaves_the_older_file(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        write_bytes(path, b"old")

        def fail_half_way() -> None:
            with WholeFile(path) as file:
                file.write(b"half")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail_half_way()
        assert path.read_bytes() == b"old"
        assert names_in(tmp_path) == ["x"]

    def test_an_error_that_names_another_file_keeps_that_name(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError) as error, WholeFile(tmp_path / "x"):
            (tmp_path / "source").read_bytes()
        assert error.value.filename == str(tmp_path / "source")


STEPS = ("fsync", "replace", "fsync of the folder")


class TestFaults:
    def fail_at(self, step: str, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
        """Makes one step of a write end in an error."""

        def failing(work: Callable[..., Any], when: Callable[..., bool]) -> Callable[..., Any]:
            def call(*arguments: Any) -> Any:
                if when(*arguments):
                    raise error
                return work(*arguments)

            return call

        def is_folder(descriptor: int) -> bool:
            return stat.S_ISDIR(os.fstat(descriptor).st_mode)

        if step == "replace":
            monkeypatch.setattr(os, "replace", failing(os.replace, lambda *_: True))
        elif step == "fsync":
            monkeypatch.setattr(os, "fsync", failing(os.fsync, lambda place: not is_folder(place)))
        else:
            monkeypatch.setattr(os, "fsync", failing(os.fsync, is_folder))

    @pytest.mark.parametrize("step", STEPS)
    @pytest.mark.parametrize("kind", [_Crash, KeyboardInterrupt])
    def test_a_crash_at_any_step_leaves_the_old_or_the_new_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, kind: type[BaseException]
    ) -> None:
        path = tmp_path / "x"
        write_bytes(path, b"old")
        with monkeypatch.context() as patch:
            self.fail_at(step, kind(), patch)
            with pytest.raises(kind):
                write_bytes(path, b"new")
        assert path.read_bytes() == (b"new" if step == STEPS[2] else b"old")
        assert names_in(tmp_path) == ["x"]

    @pytest.mark.parametrize("step", STEPS)
    def test_an_error_of_the_system_names_the_target(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
    ) -> None:
        path = tmp_path / "x"
        with monkeypatch.context() as patch:
            self.fail_at(step, OSError(errno.EIO, "the disk fails", "elsewhere"), patch)
            with pytest.raises(OSError, match="the disk fails") as error:
                write_bytes(path, b"new")
        assert (error.value.filename, error.value.filename2) == (str(path), None)
        assert path.exists() == (step == STEPS[2])

    @pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
    def test_a_system_that_does_not_sync_folders_is_no_error(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        with monkeypatch.context() as patch:
            self.fail_at(STEPS[2], OSError(number, "not here"), patch)
            write_bytes(tmp_path / "x", b"1")
        assert (tmp_path / "x").read_bytes() == b"1"

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
    @pytest.mark.parametrize("size", [10, 1 << 20])
    def test_a_full_disk_says_where_and_leaves_the_older_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
    ) -> None:
        path = tmp_path / "x"
        write_bytes(path, b"old")

        def open_full(temporary: Path) -> Any:
            temporary.touch()
            return open("/dev/full", "w+b")

        monkeypatch.setattr(whole_files, "_open_new", open_full)
        with pytest.raises(OSError, match="No space left") as error:
            write_bytes(path, bytes(size))
        assert error.value.errno in whole_files.FULL_DISK
        assert error.value.filename == str(path)
        assert path.read_bytes() == b"old"
        assert names_in(tmp_path) == ["x"]


class TestTwoWriters:
    def test_the_last_to_finish_wins_and_neither_file_is_torn(self, tmp_path: Path) -> None:
        path = tmp_path / "x"
        with WholeFile(path) as first:
            first.write(b"first, ")
            with WholeFile(path) as second:
                second.write(b"second")
            assert path.read_bytes() == b"second"
            first.write(b"to the end")
        assert path.read_bytes() == b"first, to the end"
        assert names_in(tmp_path) == ["x"]

    def test_many_at_once(self, tmp_path: Path) -> None:
        path, contents = tmp_path / "x", [bytes([letter]) * 50_000 for letter in b"abcdefgh"]
        path.write_bytes(contents[0])
        seen: set[bytes] = set()

        def write(content: bytes) -> None:
            for _ in range(5):
                write_bytes(path, content)
                seen.add(path.read_bytes())

        threads = [threading.Thread(target=write, args=(content,)) for content in contents]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen <= set(contents)
        assert names_in(tmp_path) == ["x"]


class TestTargets:
    def test_a_symbolic_link_is_followed_and_stays(self, tmp_path: Path) -> None:
        (tmp_path / "there").mkdir()
        (tmp_path / "there" / "file").write_bytes(b"old")
        (tmp_path / "link").symlink_to("hop")
        (tmp_path / "hop").symlink_to("there/file")
        check_writable(tmp_path / "link")
        write_bytes(tmp_path / "link", b"new")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "hop").is_symlink()
        assert names_in(tmp_path / "there") == ["file"]
        assert (tmp_path / "there" / "file").read_bytes() == b"new"

    def test_a_link_to_nothing_makes_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to("file")
        write_bytes(tmp_path / "link", b"new")
        assert (tmp_path / "file").read_bytes() == b"new"
        (tmp_path / "lost").symlink_to("no/file")
        with pytest.raises(InputError, match=r"there is no folder .*/no$"):
            check_writable(tmp_path / "lost")

    @pytest.mark.parametrize("refused", [check_writable, lambda path: write_bytes(path, b"")])
    def test_what_is_no_file_is_refused_with_a_sentence(
        self, tmp_path: Path, refused: Callable[[Path], None]
    ) -> None:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "folder").mkdir()
        (tmp_path / "to_null").symlink_to("/dev/null")
        (tmp_path / "loop").symlink_to("loop")
        before = names_in(tmp_path)
        for path, said in (
            (tmp_path / "pipe", "is not an ordinary file; give the name of a file to write"),
            (Path("/dev/null"), "is not an ordinary file"),
            (tmp_path / "to_null", "is not an ordinary file"),
            (tmp_path / "folder", "is a folder; give the name of a file to write"),
            (tmp_path / "loop", "cannot be written: Too many levels of symbolic links"),
        ):
            with pytest.raises(InputError, match=said) as error:
                refused(path)
            assert str(error.value).startswith(f"{path} ")
        assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
        assert names_in(tmp_path) == before

    def test_places_that_cannot_be_written_are_refused_before_the_work(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(InputError, match=r"^no/x cannot be written: there is no folder no$"):
            check_writable(Path("no/x"))
        Path("x").touch()
        with pytest.raises(InputError, match=r"^x/y cannot be written: there is no folder x$"):
            check_writable(Path("x/y"))
        monkeypatch.setattr(os, "access", lambda path, how: False)  # the tests may run as root, who may do anything
        with pytest.raises(InputError, match="x cannot be written: permission denied"):
            check_writable(Path("x"))


class TestFolders:
    def test_a_folder_takes_its_name_when_it_is_whole(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        for name in ("new", "empty"):
            with whole_folder(tmp_path / name) as folder:
                (folder / "x").write_text("1")
                assert name == "empty" or not (tmp_path / name).exists()
            assert names_in(tmp_path / name) == ["x"]
        assert names_in(tmp_path) == ["empty", "new"]

    def test_an_error_leaves_nothing(self, tmp_path: Path) -> None:
        def fail_half_way() -> None:
            with whole_folder(tmp_path / "new") as folder:
                (folder / "x").write_text("1")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail_half_way()
        assert names_in(tmp_path) == []

    def test_an_error_of_the_system_names_the_target(self, tmp_path: Path) -> None:
        with pytest.raises(OSError, match="No such file") as error, whole_folder(tmp_path / "new") as folder:
            (folder / "no" / "x").write_text("1")
        assert error.value.filename == str(tmp_path / "new")

    def test_of_two_at_once_the_first_to_finish_stays(self, tmp_path: Path) -> None:
        def two_at_once() -> None:
            with whole_folder(tmp_path / "new") as slow:
                (slow / "slow").touch()
                with whole_folder(tmp_path / "new") as quick:
                    (quick / "quick").touch()

        with pytest.raises(InputError, match="was created by another process"):
            two_at_once()
        assert names_in(tmp_path) == ["new"]
        assert names_in(tmp_path / "new") == ["quick"]

    def test_what_is_there_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "x").touch()
        (tmp_path / "file").touch()
        for name, said in (("full", "is not empty"), ("file", "is a file"), ("no/new", "there is no folder")):
            with pytest.raises(InputError, match=said), whole_folder(tmp_path / name):
                pass
        assert names_in(tmp_path) == ["file", "full"]


class TestLeftovers:
    def test_the_temporary_file_is_known_by_its_name(self, tmp_path: Path) -> None:
        for name in ("x", "rank-flop.table", "ä" * 100, "two\nlines"):
            with WholeFile(tmp_path / name):
                [temporary] = names_in(tmp_path)
                assert is_leftover(temporary)
            (tmp_path / name).unlink()

    @pytest.mark.parametrize(
        "name", ["old.txt", ".writing", ".old.txt.writing", "notes.writing", LEFTOVER[1:], ".git"]
    )
    def test_no_other_name_is(self, name: str) -> None:
        assert is_leftover(LEFTOVER)
        assert not is_leftover(name)

    def test_only_leftovers_of_the_named_targets_are_removed(self, tmp_path: Path) -> None:
        foreign = [".other.part", ".writing", "old.txt", LEFTOVER[1:], LEFTOVER + ".txt"]
        for name in (LEFTOVER, LEFTOVER.replace("old", "new"), ".old.txt.77.part", *foreign):
            (tmp_path / name).touch()
        remove_leftovers(tmp_path, "old*", older=(".old*.part",))
        assert names_in(tmp_path) == sorted([LEFTOVER.replace("old", "new"), *foreign])
        remove_leftovers(tmp_path)
        assert names_in(tmp_path) == sorted(foreign)
        remove_leftovers(tmp_path / "no such folder")
