"""A server: where it listens, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from planner.errors import InputError, Problem


@dataclass(frozen=True)
class Settings:
    """How a server is run.

    Attributes
    ----------
    host, port : str, int
        Where it listens.
    tokens : tuple of str
        Who bears one of them is answered; empty: everybody is, which is allowed only on the loopback address.
    hosts : tuple of str
        Names by which it may be spoken to besides its address; ``*``: any.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    tokens: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()


def serve(
    settings: Settings, opened: dict[str, object] | None = None, ready: Callable[[str], None] | None = None
) -> None:
    """Listen and answer, until it is told to end.

    Parameters
    ----------
    settings : Settings
        Where, and for whom.
    opened : dict, optional
        With what the board begins; see `planner.serving.http_app.application`.
    ready : callable, optional
        Gets the address once it listens; with port 0 a free one has been taken.

    Raises
    ------
    InputError
        If the extra isn't installed, or it may not listen there without a token.
    """
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise InputError([Problem('needs other packages: pip install "hexplanner[serve]"', "serve")]) from error
    from planner.serving.desk import Desk
    from planner.serving.guard import Guard, is_loopback
    from planner.serving.http_app import application

    local = is_loopback(settings.host)
    if not local and not settings.tokens:
        raise InputError([Problem("an address that others can reach must have a token: --token", "--host")])
    hosts = settings.hosts or (() if local else ("*",))
    app = Guard(application(Desk(), opened), settings.tokens, hosts)
    config = uvicorn.Config(app, host=settings.host, port=settings.port, log_level="warning", access_log=False)
    if ready is None:
        uvicorn.Server(config).run()
        return
    with config.bind_socket() as listening:
        ready(f"http://{settings.host}:{listening.getsockname()[1]}/")
        uvicorn.Server(config).run([listening])
