"""A page with line numbers, the cited lines marked. Draws only the rows that are seen."""

from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Resize
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from oncall_tui.models import LineSpan
from oncall_tui.ui.rendering.page_text import LONGEST_ROW, PageText, Row

LARGE_PAGE: Final = 20_000
"""From this many lines on a page starts unwrapped: wrapping one takes a moment, and it is a log then."""

_LABEL_CELLS: Final = 2
_ABOVE_SHARE: Final = 3
"""A cited line is scrolled to one third of the height."""

_SELECTION: Final = "screen--selection"


class DocumentView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a page by lines."""

    BINDING_GROUP_TITLE = "Page"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "scroll_down", "Down", id="page.down", show=False, tooltip="Scroll the page down"),
        Binding("k,up", "scroll_up", "Up", id="page.up", show=False, tooltip="Scroll the page up"),
        Binding("h,left", "scroll_left", "Left", id="page.left", show=False, tooltip="Scroll long lines left"),
        Binding("l,right", "scroll_right", "Right", id="page.right", show=False, tooltip="Scroll long lines right"),
        Binding("g,home", "scroll_home", "Top", id="page.top", show=False, tooltip="Go to the top of the page"),
        Binding("G,end", "scroll_end", "End", id="page.end", show=False, tooltip="Go to the end of the page"),
        Binding(
            "ctrl+d,pagedown,space",
            "page_down",
            "Page down",
            id="page.page-down",
            show=False,
            tooltip="Go down a screenful",
        ),
        Binding("ctrl+u,pageup", "page_up", "Page up", id="page.page-up", show=False, tooltip="Go up a screenful"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "document--gutter",
        "document--mark",
        "document--cited",
        "document--heading",
        "document--code",
        "document--fence",
        "document--meta",
        "document--strong",
        "document--match",
    }

    is_wrapped: reactive[bool] = reactive(True, init=False)
    """Whether long lines are wrapped."""

    def __init__(self) -> None:
        super().__init__()
        self._page = PageText("", "")
        self._height = 0
        """Rows that could be seen when the lines were last laid out."""

    @property
    def allow_select(self) -> bool:
        """Whether text can be selected with the mouse."""
        return True

    @property
    def page_text(self) -> PageText:
        """What is shown."""
        return self._page

    @property
    def line(self) -> int:
        """The zero-based line a person is looking at: the cited one if it is on the screen, else the top one."""
        top = self.scroll_offset.y
        if self._page.cited and top <= self._page.row_of(self._page.cited.start) < top + self._height:
            return self._page.cited.start
        return self._page.row(top).line if self._page.row_count else 0

    def show(self, page: PageText) -> None:
        """Show a page from its top."""
        self._page = page
        self.set_reactive(DocumentView.is_wrapped, len(page.lines) <= LARGE_PAGE)
        self._lay_out()
        self.scroll_to(0, 0, animate=False)

    def reveal(self, span: LineSpan) -> None:
        """Mark lines as the cited ones and scroll to them."""
        self._page.cited = span
        self.refresh()
        # The scroll range is known only after the new size was laid out.
        self.call_after_refresh(self._scroll_to_line, span.start)

    def watch_is_wrapped(self) -> None:
        """Lay the lines out anew."""
        self._keep_line()

    def on_resize(self, event: Resize) -> None:
        """Lay the lines out for the new width."""
        del event
        self._keep_line()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text; lines that were wrapped come as one."""
        if selection.start is None and selection.end is None:
            return self._page.text, "\n"
        start = (selection.start.y, selection.start.x) if selection.start else (0, 0)
        last = self._page.row_count - 1
        end = (selection.end.y, selection.end.x) if selection.end else (last, len(self._page.row(last).text))
        return self._page.extract(start, end), "\n"

    def render_line(self, y: int) -> Strip:
        """Draw a row: the margin, which never moves sideways, and the text."""
        scroll = self.scroll_offset
        number = scroll.y + y
        width = self.scrollable_content_region.width
        base = self.visual_style
        if number >= self._page.row_count:
            return Strip.blank(width, base.rich_style)
        row = self._page.row(number)
        gutter, style = self._gutter(row, base)
        text = Strip(self._content(row, number).render_segments(style))
        room = width - gutter.cell_length
        hidden = len(text.crop(0, scroll.x).text) if scroll.x else 0
        text = text.crop_extend(scroll.x, scroll.x + room, style.rich_style).apply_offsets(hidden, number)
        return Strip.join([gutter, text])

    @property
    def _gutter_width(self) -> int:
        return _LABEL_CELLS + 1 + len(str(len(self._page.lines))) + 2

    def _gutter(self, row: Row, base: Style) -> tuple[Strip, Style]:
        """Return the margin of a row, and the style of its text."""
        label, sign = self._page.margin(row)
        is_cited = bool(self._page.cited and self._page.cited.start <= row.line < self._page.cited.stop)
        style = self.get_visual_style("document--cited") if is_cited else base
        number = "" if row.start else str(row.line + 1)
        digits = len(str(len(self._page.lines)))
        mark = self.get_visual_style("document--mark").rich_style
        gutter = self.get_visual_style("document--gutter").rich_style
        return Strip([Segment(f"{label:>{_LABEL_CELLS}}{sign}", mark), Segment(f" {number:>{digits}} ", gutter)]), style

    def _content(self, row: Row, number: int) -> Content:
        """Return a row's text with what is marked in it."""
        content = Content(row.text)
        kind = f"document--{self._page.kinds[row.line].value}"
        if kind in self.COMPONENT_CLASSES:
            content = content.stylize(self.get_visual_style(kind, partial=True))
        for start, end, name in self._page.spans(row):
            content = content.stylize(self.get_visual_style(f"document--{name}", partial=True), start, end)
        selected = self.text_selection.get_span(number) if self.text_selection else None
        if selected:
            start, end = selected
            style = self.screen.get_visual_style(_SELECTION)
            content = content.stylize(style, start, None if end == -1 else end)
        return content

    def _lay_out(self) -> None:
        """Place the lines on rows and tell the scroll bars."""
        width, self._height = self.scrollable_content_region.size
        if self.is_wrapped:
            self._page.lay_out(max(width - self._gutter_width, 1))
        else:
            self._page.lay_out(LONGEST_ROW)
            width = self._gutter_width + min(max(map(_cells, self._page.lines)), LONGEST_ROW)
        self.virtual_size = Size(width, self._page.row_count)
        self.refresh()

    def _keep_line(self) -> None:
        """Lay the lines out anew; the line at the top, or the cited one, stays in sight."""
        line, is_cited = self.line, bool(self._page.cited and self._page.cited.start == self.line)
        self._lay_out()
        if is_cited:
            self.call_after_refresh(self._scroll_to_line, line)
        else:
            self.call_after_refresh(self.scroll_to, 0, self._page.row_of(line), animate=False)

    def _scroll_to_line(self, line: int) -> None:
        height = self.scrollable_content_region.height
        self.scroll_to(0, max(self._page.row_of(line) - height // _ABOVE_SHARE, 0), animate=False)


def _cells(line: str) -> int:
    return len(line) if line.isascii() else cell_len(line)
