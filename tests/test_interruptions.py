"""An interruption is found behind other errors, and waits where it must."""

import os
import signal
import threading

import pytest

from shoal.interruptions import SIGNALS, interruption_behind, uninterrupted


def raised(*errors: BaseException) -> BaseException:
    """Return the last of errors each of which was raised while the one before was handled."""
    caught: BaseException | None = None
    for error in errors:
        try:
            try:
                if caught is not None:
                    raise caught
            finally:
                raise error
        except BaseException as last:  # noqa: BLE001
            caught = last
    assert caught is not None
    return caught


def test_the_interruption_behind_an_error_is_found_however_deep() -> None:
    interruption = KeyboardInterrupt("points are kept")
    assert interruption_behind(interruption) is interruption
    assert interruption_behind(raised(interruption, SystemError())) is interruption
    assert interruption_behind(raised(interruption, SystemError(), ValueError(), OSError())) is interruption
    caused = SystemError()
    caused.__cause__ = interruption
    assert interruption_behind(caused) is interruption


def test_other_errors_come_from_no_interruption() -> None:
    assert interruption_behind(raised(ValueError(), SystemError())) is None
    circle = ValueError()
    circle.__cause__ = other = OSError()
    other.__cause__ = circle
    assert interruption_behind(circle) is None


@pytest.mark.parametrize("number", SIGNALS)
def test_signals_wait_for_the_end_of_an_uninterrupted_block(number: signal.Signals) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before, done = signal.signal(number, stop), []
    try:
        with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012
            os.kill(os.getpid(), number)
            with uninterrupted():
                os.kill(os.getpid(), number)
                done.append("inner")
            done.append("outer")
        assert signal.getsignal(number) is stop
    finally:
        signal.signal(number, before)
    assert done == ["inner", "outer"]


def test_an_error_of_the_block_is_told_though_a_signal_waited() -> None:
    with pytest.raises(KeyboardInterrupt) as published, uninterrupted():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGINT)
        raise ValueError
    assert isinstance(published.value.__context__, ValueError)


def test_a_thread_that_no_signal_reaches_needs_no_holding_off() -> None:
    done = []

    def work() -> None:
        with uninterrupted():
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done
