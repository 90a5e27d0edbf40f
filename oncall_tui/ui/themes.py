"""Our two themes. Textual's own stay available, the terminal's colours (``ansi-dark``) among them."""

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="oncall-dark",
    dark=True,
    primary="#7fb4ca",
    secondary="#a3b8cc",
    accent="#d7a65f",
    success="#8fb573",
    warning="#e0a050",
    error="#e06c75",
    foreground="#d5dae1",
    background="#13171c",
    surface="#13171c",
    panel="#1c2229",
    variables={
        "block-cursor-background": "#26323c",
        "block-cursor-foreground": "#f0f3f6",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#1c242b",
        "block-cursor-blurred-foreground": "#d5dae1",
        "border": "#7fb4ca",
        "border-blurred": "#39434d",
        "footer-background": "#1c2229",
        "footer-key-foreground": "#d7a65f",
        "footer-description-foreground": "#aab3bd",
        "input-selection-background": "#7fb4ca 30%",
        "scrollbar": "#39434d",
        "scrollbar-hover": "#55616d",
        "scrollbar-active": "#7fb4ca",
        "scrollbar-background": "#13171c",
        "scrollbar-background-hover": "#13171c",
        "scrollbar-background-active": "#13171c",
    },
)

LIGHT: Final = Theme(
    name="oncall-light",
    dark=False,
    primary="#1d6680",
    secondary="#3d566e",
    accent="#8a5a00",
    success="#3b6e22",
    warning="#8f5500",
    error="#b3261e",
    foreground="#1f2429",
    background="#faf9f6",
    surface="#faf9f6",
    panel="#edebe5",
    variables={
        "block-cursor-background": "#dfe8ec",
        "block-cursor-foreground": "#14181c",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#ecefee",
        "block-cursor-blurred-foreground": "#1f2429",
        "border": "#1d6680",
        "border-blurred": "#c3c0b8",
        "footer-background": "#edebe5",
        "footer-key-foreground": "#8a5a00",
        "footer-description-foreground": "#4a5157",
        "input-selection-background": "#1d6680 25%",
        "scrollbar": "#c3c0b8",
        "scrollbar-hover": "#a5a299",
        "scrollbar-active": "#1d6680",
        "scrollbar-background": "#faf9f6",
        "scrollbar-background-hover": "#faf9f6",
        "scrollbar-background-active": "#faf9f6",
    },
)

THEMES: Final = (DARK, LIGHT)
