"""What the browser gets: simcord's page with a toolbar of the playground's own and none of the workbench.

Imports simcord, aiohttp and the bot's icon.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import ClassVar, Final

from aiohttp import web
from simcord.preview import Preview
from simcord.preview._media import MediaInfo, MediaWorker, _process_media
from simcord.preview._server import PreviewServer

from bot.ui.kit.pictures import draw_icon

_FOLDER: Final = Path(__file__).parent
#: Replacements in simcord's own files: what is looked for, and what stands there instead.
_CHANGES: Final = {
    "/": (
        ("<title>SimCord Preview</title>", "<title>Lastlap playground</title>"),
        (
            "</head>",
            '<link rel="icon" href="/icon.png"><link rel="stylesheet" href="/playground.css"></head>',
        ),
        ("</body>", '<script type="module" src="/playground.js"></script></body>'),
    ),
    # A page asks for news twice a second. Here it asks again at once, saying what it has, and is answered
    # when there is something newer: every move is there sooner, and nothing is drawn up for nobody.
    "/app.js": (
        ("createSession({", "createSession({ interval: 20,"),
        ('request("/api/state"', "request(`/api/state?known=${state.publishedRevision}`"),
    ),
    # A page keeps what was chosen in a menu, even once an edit of the message says otherwise.
    "/selects.js": (
        ("export function renderSelect(", "const shownBefore = new Map();\nexport function renderSelect("),
        (
            "  const draft = draftValue(key);\n",
            """\
  if (component.type === TYPE.STRING_SELECT) {
    const now = optionDefaults(entries), before = shownBefore.get(key);
    if (before !== undefined && before !== String(now)) options.onReconcileDraft?.(key, now);
    shownBefore.set(key, String(now));
  }
  const draft = draftValue(key);
""",
        ),
    ),
}
#: How long a question for news is left open, in seconds.
HELD_FOR: Final = 0.5
#: A change of simcord's files must not pass unnoticed: each replacement is found exactly this often.
_ONCE: Final = 1


class Server(PreviewServer):
    """Serves simcord's page with these changes."""

    _OWN: ClassVar[dict[str, tuple[str, str]]] = {
        "/playground.js": ("page.js", "application/javascript"),
        "/playground.css": ("page.css", "text/css"),
    }
    #: simcord makes a route of each of these and hands it to `_static`.
    _STATIC_FILES = PreviewServer._STATIC_FILES | dict.fromkeys((*_OWN, "/icon.png"), "")  # noqa: SLF001

    def __init__(self, preview: Preview, port: int) -> None:
        super().__init__(preview, port)
        self._news = asyncio.Event()

    async def _static(self, request: web.Request) -> web.Response:
        """Serve a file, the playground's own or a changed one of simcord's."""
        if request.headers.get("Host", "") not in self._allowed_hosts():
            raise web.HTTPForbidden
        path = request.path
        if path == "/icon.png":
            return web.Response(body=draw_icon(), content_type="image/png", headers=self._SECURITY_HEADERS)
        if path in self._OWN:
            name, kind = self._OWN[path]
            text = (_FOLDER / name).read_text(encoding="utf-8")
            return web.Response(text=text, content_type=kind, headers=self._SECURITY_HEADERS)
        response: web.Response = await super()._static(request)
        for old, new in _CHANGES.get(path, ()):
            assert response.text is not None
            assert response.text.count(old) == _ONCE, f"simcord's {path} is another one: {old}"
            response.text = response.text.replace(old, new)
        return response

    async def _state(self, request: web.Request) -> web.Response:
        """Answer a page when there is something newer than it knows, or after a while."""
        page = self.preview._pages.get(request.headers.get("X-Simcord-Context", ""))  # noqa: SLF001
        if page is not None and request.query.get("known") == str(page.revision):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HELD_FOR):
                    await self._news.wait()
        response: web.Response = await super()._state(request)
        return response

    async def close(self) -> None:
        """Stop serving, without waiting for questions that are held."""
        self.tell()
        await super().close()

    def tell(self) -> None:
        """Answer all questions for news."""
        self._news.set()
        self._news = asyncio.Event()


class Pictures(MediaWorker):
    """Decodes the project's own pictures in this process.

    simcord starts a process for each, since pictures from anywhere are not to be trusted, and refuses a ninth
    at once: a hand has more.
    """

    def __init__(self) -> None:
        super().__init__()
        self._decoded: dict[str, MediaInfo] = {}

    async def validate(self, key: str, blob: bytes, *, media_time: float | None = None) -> MediaInfo:
        """Decode a picture, once."""
        if key not in self._decoded:
            self._decoded[key] = _process_media(blob, 0.0)
        return self._decoded[key]
