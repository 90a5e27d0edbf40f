"""Which part of an answer a line belongs to, by rules that a person can read and change.

What a line says outranks the heading it stands under: a "do not" is a risk wherever it stands.
"""

import re
from typing import Final

from oncall_tui.models import Section

_Rules = tuple[tuple[Section, re.Pattern[str]], ...]


def _rules(*rules: tuple[Section, str, str]) -> _Rules:
    """Compile rules given as section, English pattern, Chinese pattern."""
    return tuple((section, re.compile(f"{english}|{chinese}", re.IGNORECASE)) for section, english, chinese in rules)


_LINE_RULES: Final = _rules(
    (
        Section.BEFORE,
        r"^\W*(?:before you (?:start|begin)|prerequisites?|precondition)\b",
        r"^\W*(?:前提|前置条件|操作前|开始之前)",
    ),
    (
        Section.RISKS,
        r"\b(?:do not|don't|must not|never|avoid|warning|danger(?:ous)?|caution)\b",
        r"不要|不得|不能直接|禁止|切勿|严禁|警告|危险",
    ),
    (
        Section.LIMITS,
        r"\b(?:only (?:in|from|since)|since version|requires? (?:version|[A-Z]\w+ [\d.]+)|deprecated)\b",
        r"版本限制|仅适用于",
    ),
)

_HEADING_RULES: Final = _rules(
    (Section.ROLLBACK, r"roll(?:ing)?[ -]?back|revert|undo|back out", r"回滚|回退|撤销"),
    (Section.ESCALATE, r"escalat|who to (?:call|wake)|contacts?\b", r"升级|上报|联系"),
    (
        Section.VERIFY,
        r"verif|confirm(?:ing)? (?:recovery|the fix)|how to (?:check|know)|is it (?:over|fixed)",
        r"验证|确认恢复|恢复确认",
    ),
    (Section.RISKS, r"risk|do not|don't|never|warning|caution|pitfall|what not to", r"风险|注意|不要|禁止|切勿"),
    (Section.BEFORE, r"before you|prerequisite|precondition", r"前提|准备|操作前"),
    (Section.LIMITS, r"version|limits?\b|compatib", r"版本|限制"),
    (
        Section.STEPS,
        r"minutes|mitigat|fix|resol|remed|recover|diagnos|triage|steps?|procedure|actions?|what to do",
        r"处理|处置|止血|排查|诊断|恢复|步骤|应急|解决|前五分钟",
    ),
)

_NUMBERED: Final = re.compile(r"\s*\d+[.)]\s")
_FENCE: Final = re.compile(r"```.*?```", re.DOTALL)


def section_of(text: str, heading_path: tuple[str, ...]) -> Section:
    """Return where a statement belongs, from its words and then from the nearest heading that tells.

    A numbered step of a procedure stays one, whatever it warns of: the others lean on it.
    """
    by_heading = _by_heading(heading_path)
    if by_heading is Section.STEPS and _NUMBERED.match(text):
        return Section.STEPS
    prose = _FENCE.sub("", text)
    return next((section for section, rule in _LINE_RULES if rule.search(prose)), by_heading)


def _by_heading(heading_path: tuple[str, ...]) -> Section:
    for heading in reversed(heading_path):
        for section, rule in _HEADING_RULES:
            if rule.search(heading):
                return section
    return Section.CONTEXT
