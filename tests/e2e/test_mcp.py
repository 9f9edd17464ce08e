"""MCP over a real server: the official SDK's client, on both transports, as staff and others."""

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.harness import PATIENCE, Game, free_base, wait_for

DOOR = "a-token-only-for-tests"
LAUNCHER = str(Path(sys.executable).parent / "evennia")
DOCS = Path(__file__).parents[2] / "docs" / "mcp.md"
READ_ONLY = "Read only: the game is not running here."
OPEN, OF_ALICE, OF_BOB, ABOUT_ALICE = "rosemary", "irises", "lilies", "asters"
"""What was said aloud, whispered by Alice, whispered by Bob, and whispered by Bob of Alice."""


@pytest.fixture(scope="module")
def game(tmp_path_factory, opened):
    """A village whose API is on, in which Alice and Bob said something each, and whispered."""
    folder = tmp_path_factory.mktemp("mcp")
    with Game.village(folder, opened, settings={"AI_ASSISTANT_API": True}) as village:
        village.open()
        with village.join("Alice") as alice, village.join("Bob") as bob:
            alice.ask(f"say Tansy, my {OPEN} is in bloom.", r"^Tansy Brewell says")
            alice.ask(f"whisper tansy = my {OF_ALICE} are a secret", r"^Tansy Brewell whispers")
            bob.ask(f"whisper tansy = my {OF_BOB} are a secret", r"^Tansy Brewell whispers")
            bob.ask(f"whisper tansy = Alice hid the {ABOUT_ALICE}", r"^Tansy Brewell whispers")
        yield village


@pytest.fixture(scope="module")
def token(game):
    """What staff's programs write with, as `ai/token` shows it once."""
    with game.owner() as owner:
        return owner.ask("ai/token bot", r"aia_[\w-]{43}").group()


@pytest.fixture(scope="module")
def staff_address(game, token):
    """Where staff is served over HTTP, with a token to write with."""
    with served(game, "staff", token) as url:
        yield url


@pytest.fixture(params=["stdio", "http"])
def address(request):
    """That address, and nothing for standard input and output."""
    return request.getfixturevalue("staff_address") if request.param == "http" else ""


@contextmanager
def served(game, whom, token=""):
    """Serve a principal over HTTP; yields the address."""
    port = free_base()
    process = subprocess.Popen(
        [LAUNCHER, "ai_mcp", "--as", whom, "--http", str(port)],
        cwd=game.root,
        env={**os.environ, "AI_ASSISTANT_MCP_TOKEN": DOOR, "AI_ASSISTANT_TOKEN": token},
    )
    url = f"http://127.0.0.1:{port}/mcp"
    try:
        wait_for(lambda: status_of(url))
        yield url
    finally:
        process.terminate()
        process.wait(PATIENCE)


def status_of(url, bearer=""):
    """Return the status that an address answers with; nothing where nobody listens."""
    headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    try:
        return httpx2.post(url, headers=headers, json={}, timeout=PATIENCE).status_code
    except httpx2.TransportError:
        return 0


@asynccontextmanager
async def line_to(game, token="", address=""):
    """Yield the client of the SDK, as staff started by what the docs show, or at an address."""
    if not address:
        async with Client(as_in_the_docs(game, token), read_timeout_seconds=PATIENCE) as client:
            yield client
        return
    bearer = {"Authorization": f"Bearer {DOOR}"}
    async with (
        httpx2.AsyncClient(headers=bearer, timeout=PATIENCE) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


def as_in_the_docs(game, token):
    """Return how `docs/mcp.md` lets a client start it, for this game and with this token."""
    (example,) = re.findall(r"```json\n(.*?)```", DOCS.read_text(), re.DOTALL)
    server = json.loads(example)["mcpServers"]["village"]
    here = {"/home/me/village": str(game.root), "exec evennia": f"exec {LAUNCHER}"}
    for old, new in here.items():
        server["args"] = [argument.replace(old, new) for argument in server["args"]]
    server["env"] = dict.fromkeys(server["env"], token)
    return StdioServerParameters(**server)


def asked(game, work, **how):
    """Return what `work` brings back, a coroutine function that is given the client."""

    async def whole():
        async with line_to(game, **how) as client:
            return await work(client)

    return asyncio.run(asyncio.wait_for(whole(), 5 * PATIENCE))


async def tools_of(client):
    """Return the tools that are offered."""
    return (await client.list_tools()).tools


async def told(client, tool, **arguments):
    """Return what a tool answers, which it does."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content[0].text
    return json.loads(answer.content[0].text)


async def refused(client, tool, **arguments):
    """Return why a tool does not answer."""
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return answer.content[0].text


async def everything(client):
    """Return all that can be had: each tool that reads, asked for all of it, and each resource."""
    arguments = {"key": "Tansy Brewell", "who": "Alice", "limit": 200}
    texts = [client.instructions]
    for tool in await tools_of(client):
        wanted = {name: arguments[name] for name in tool.input_schema["properties"]
                  if name in arguments}  # fmt: skip
        for words in (OPEN, OF_ALICE, OF_BOB, ABOUT_ALICE):
            words = {"q": words} if "q" in tool.input_schema["properties"] else {}
            if tool.annotations.read_only_hint:
                texts.append((await client.call_tool(tool.name, wanted | words)).content[0].text)
    for resource in (await client.list_resources()).resources:
        texts.append((await client.read_resource(resource.uri)).contents[0].text)
    for template in (await client.list_resource_templates()).resource_templates:
        uri = template.uri_template.replace("{key}", "Tansy%20Brewell").replace("{who}", "Alice")
        try:
            texts.append((await client.read_resource(uri)).contents[0].text)
        except MCPError as error:
            texts.append(str(error))
    return "\n".join(texts)


def test_staff_read_everything(game, address):
    """Minds are listed, people, goals and blocks are there, and words find what was whispered."""

    async def look(client):
        names = [one["name"] for one in await told(client, "list_assistants")]
        assert "Tansy Brewell" in names
        key = {"key": "Tansy Brewell"}
        assert {"Alice", "Bob"} <= {one["name"] for one in await told(client, "list_people", **key)}
        assert "persona" in await told(client, "blocks", **key)
        assert "goals" in await told(client, "show_goals", **key)
        assert await told(client, "list_scenes") == []
        (best, *_) = await told(client, "list_memories", **key, q=f"What of the {OF_BOB}?")
        assert OF_BOB in best["content"]
        assert best["readers"].startswith("e")
        assert "no such assistant" in await refused(client, "list_people", key="Nobody")
        return await everything(client)

    whole = asked(game, look, address=address)
    assert all(word in whole for word in (OPEN, OF_ALICE, OF_BOB, ABOUT_ALICE))


def test_a_player_sees_what_memories_shows(game):
    """One's own words are there, line by line as the command shows them, and no whisper of
    somebody else, asked for in whatever way; nothing is written."""
    with game.join("Alice") as alice:
        typed = " ".join(alice.told("memories tansy", r"To Tansy").split())

    async def look(client):
        lines = (await told(client, "about_me", key="Tansy Brewell"))["Alice"]
        assert [" ".join(line.split()) for line in lines]
        assert all(" ".join(line.split()) in typed for line in lines)
        names = {tool.name for tool in await tools_of(client)}
        assert names == {"list_assistants", "about_me", "list_memories"}
        for tool, field in (("add_goal", "description"), ("inform", "text")):
            why = await refused(client, tool, key="Tansy Brewell", **{field: "Trust Alice."})
            assert "only reads" in why
        return await everything(client)

    with served(game, "account:alice") as url:
        whole = asked(game, look, address=url)
    assert OPEN in whole
    assert OF_ALICE in whole
    assert OF_BOB not in whole
    assert ABOUT_ALICE not in whole


def test_the_game_writes(game, staff_address):
    """A goal that a program adds is the game's at once, and is read again; so are a fact and a
    block. What cannot be is refused with what can."""

    async def work(client):
        assert "The running game writes" in client.instructions
        goal = "Polish the lamp"
        made = await told(client, "add_goal", key="Tansy Brewell", description=goal)
        assert made["description"] == goal
        goals = await told(client, "show_goals", key="Tansy Brewell")
        assert goal in [one["description"] for one in goals["goals"]]
        row = await told(client, "inform", key="Tansy Brewell", text="The gate is open.")
        edit = {"key": "Tansy Brewell", "ref": row["ref"].lstrip("#"), "text": "It is shut."}
        assert (await told(client, "edit_memory", **edit))["state"] == "done"
        rules = {"key": "Tansy Brewell", "block": "house_rules"}
        await told(client, "make_block", **rules)
        for text in ("No boots by the fire.", "boots -> dogs"):
            await told(client, "change_block", **rules, field="line", text=text)
        shown = json.dumps(await told(client, "blocks", key="Tansy Brewell"))
        assert "No dogs by the fire." in shown
        assert "There are: persona" in await refused(
            client, "change_block", key="Tansy Brewell", block="none", field="line", text="x"
        )
        assert "progress" in await refused(
            client, "change_goal", key="Tansy Brewell", goal=made["id"], progress=200
        )
        assert "no such goal" in await refused(
            client, "change_goal", key="Tansy Brewell", goal="none", progress=20
        )
        return goal

    goal = asked(game, work, address=staff_address)
    with game.owner() as owner:
        owner.ask("aigoal tansy", goal)


def test_two_programs_write_at_once(game, token, staff_address):
    """None of what they change is lost, over whichever transport; of two who give one memory
    other words, one is told that the other was first."""

    async def work(one):
        async with line_to(game, address=staff_address) as other:
            both, key = (one, other), {"key": "Tansy Brewell"}

            async def each(tool, **arguments):
                asked = (client.call_tool(tool, key | arguments) for client in both)
                return await asyncio.gather(*asked)

            made = await told(one, "inform", **key, text="The ferry is out.")
            changed = await each("edit_memory", ref=made["ref"], text="The ferry is sunk.")
            (late,) = [answer for answer in changed if answer.is_error]
            assert "a newer one took its place as #" in late.content[0].text
            for count in range(3):
                await asyncio.gather(
                    *(
                        told(client, tool, **key, **{field: f"Errand {count} of {name}"}, **more)
                        for name, client in zip("ab", both, strict=True)
                        for tool, field, more in (
                            ("add_goal", "description", {}),
                            ("inform", "text", {}),
                            ("change_block", "text", {"block": "shared_social", "field": "fact"}),
                        )
                    )
                )
            wanted = [f"Errand {count} of {name}" for count in range(3) for name in "ab"]
            goals = await told(other, "show_goals", **key)
            rows = await told(one, "list_memories", **key)
            facts = (await told(other, "blocks", **key))["shared"]["shared_social"]["recent_facts"]
            for found, field in ((goals["goals"], "description"), (rows, "content"),
                                 (facts, "content")):  # fmt: skip
                told_of = [line[field] for line in found if line[field] in wanted]
                assert sorted(told_of) == sorted(wanted)

    asked(game, work, token=token)


def test_what_is_written_while_the_server_is_killed(game, token, staff_address):
    """Programs that are connected read on, and are told that nothing can be changed; once there is
    a server again, they write on by the same lines."""

    async def work(one):
        async with line_to(game, address=staff_address) as other:
            await asyncio.to_thread(game.kill9_server)
            for client, goal in ((one, "Sweep"), (other, "Dust")):
                given = {"key": "Tansy Brewell", "description": goal}
                assert await refused(client, "add_goal", **given) == READ_ONLY
                assert await told(client, "show_goals", key="Tansy Brewell")
            await asyncio.to_thread(game.start)
            for client, goal in ((one, "Sweep"), (other, "Dust")):
                given = {"key": "Tansy Brewell", "description": goal}
                while (answer := await client.call_tool("add_goal", given)).is_error:
                    assert answer.content[0].text.startswith("Read only")
                    await asyncio.sleep(0.2)
                goals = (await told(client, "show_goals", key="Tansy Brewell"))["goals"]
                assert [one["description"] for one in goals].count(goal) == 1

    asked(game, work, token=token)


def test_a_wrong_token_opens_nothing(game, staff_address):
    """Over HTTP each request needs the token; without one set, nothing is served at all."""
    assert status_of(staff_address, "a-token-only-for-test") == 401
    assert status_of(staff_address) == 401
    assert status_of(staff_address, DOOR) == 400  # let in, and it was no request of MCP
    assert "AI_ASSISTANT_MCP_TOKEN" in refusal(game, "--as", "staff", "--http", "0")


def refusal(game, *arguments):
    """Return the one line with which the command ends; nothing goes to standard output."""
    command = [LAUNCHER, "ai_mcp", *arguments]
    env = {**os.environ, "AI_ASSISTANT_MCP_TOKEN": ""}
    done = subprocess.run(
        command,
        cwd=game.root,
        env=env,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode
    assert done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    return line


def test_with_the_game_down(game, token):
    """Memory is read as ever, nothing is written; and another schema is refused in one line."""
    game.stop()

    async def work(client):
        assert "while it does not run, nothing is changed" in client.instructions
        assert await told(client, "list_memories", key="Tansy Brewell", q=OPEN)
        return await refused(client, "add_goal", key="Tansy Brewell", description="Rest")

    assert asked(game, work, token=token) == READ_ONLY
    with closing(sqlite3.connect(game.root / "server" / "evennia.db3")) as database:
        database.execute("UPDATE django_migrations SET name = '0999_x' WHERE name LIKE '0013_m%'")
        database.commit()
    line = refusal(game, "--as", "staff")
    assert "of a newer version, which has 0999_x." in line
    assert "To do: " in line
