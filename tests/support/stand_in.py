"""Servers on 127.0.0.1 for tests: a bot over HTTP, and a stand-in for a chat server with all kinds of manners."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from stand_in_player import answer_to, tokens_of

Handle = Callable[[dict[str, Any], dict[str, str]], tuple[int, Any, dict[str, str]]]
"""A request and its headers in; status, body and headers out. A body that is bytes is sent as it is."""


@contextmanager
def served(handle: Handle, port: int = 0) -> Iterator[str]:
    """A server that answers every POST by a function; its address. Port 0 is any that is free."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, body, headers = handle(message, dict(self.headers))
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with suppress(OSError):  # a client that did not want to wait is gone
                self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class ChatServer:
    """A stand-in for a language model: `manner` says how it behaves, `asked` holds every request."""

    def __init__(self, manner: str = "well") -> None:
        self.manner, self.asked, self.keys = manner, [], []  # type: ignore[var-annotated]
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        self._seen: dict[str, int] = {}

    def __call__(self, message: dict[str, Any], headers: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            self.asked.append(message)
            self.keys.append(headers.get("Authorization", ""))
            prompt = message["messages"][1]["content"]
            self._seen[prompt] = self._seen.get(prompt, 0) + 1
            times = self._seen[prompt]
        try:
            if self.manner == "plays":
                answer = answer_to(prompt)
                return 200, completion(answer, tokens_of([one["content"] for one in message["messages"]], answer)), {}
            return self._answer(prompt, times, len(message["messages"]))
        finally:
            with self._lock:
                self.at_once -= 1

    def _answer(self, prompt: str, times: int, messages: int) -> tuple[int, Any, dict[str, str]]:
        good = '{"action": "call"}' if "call" in prompt else '{"action": "check"}'
        if self.manner == "slow":
            time.sleep(0.6)
        if self.manner == "in any order":
            time.sleep((hash(prompt) % 7) / 500)
        if self.manner == "busy" and times == 1:
            return 429, {"error": "too many requests"}, {"Retry-After": "0"}
        if self.manner == "broken":
            return 500, b"<html>no</html>", {}
        if self.manner == "not a completion":
            return 200, b"[1, 2", {}
        if self.manner == "garbage" or (self.manner == "garbage first" and messages == 2):
            return 200, completion("My aunt once folded a raise and called a check."), {}
        if self.manner == "illegal first" and messages == 2:
            return 200, completion('{"action": "raise", "amount": 1}'), {}
        if self.manner == "wordy":
            return 200, completion(f"I think about it. fold? no. So: ```json\n{good}\n```"), {}
        if self.manner == "raises":
            bound = re.search(r"from (\d+) to", prompt)
            if bound:
                return 200, completion(f'{{"action": "raise", "amount": "{bound[1]}"}}'), {}
        return 200, completion(good), {}


def completion(text: str, tokens: tuple[int, int] = (100, 10)) -> dict[str, Any]:
    """A chat completion with some text."""
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return {"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage}
