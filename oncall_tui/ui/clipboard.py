"""Copying by the terminal's own clipboard."""

from typing import Any

from textual.app import App


def copy(app: App[Any], text: str) -> None:
    """Send text to the terminal's clipboard, and say no more than is known.

    The terminal does not reply to the request (OSC 52), and some ignore it, so the text is
    shown as well.
    """
    app.copy_to_clipboard(text)
    app.notify(f"{text}\n(unconfirmed: terminals do not reply)", title="Sent to the clipboard", markup=False)
