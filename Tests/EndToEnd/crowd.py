"""Many readers who come back from the provider at the same time."""

import asyncio
import concurrent.futures
import http.client
import time
import urllib.parse

from demo_site import NAVIGATE

def ask(port, method, target, headers, body=None):
    """The answer to one request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, target, body, {"Connection": "close", **headers})
        answer = connection.getresponse()
        answer.read()
        return answer
    finally:
        connection.close()


def target_of(url):
    parts = urllib.parse.urlsplit(url)
    return parts.path + ("?" + parts.query if parts.query else "")


def begin(site, account):
    """Somebody who has picked an account: the callback's target, and the cookies of their browser."""
    local = {"Host": f"localhost:{site.site_port}"}
    begun = ask(site.site_port, "GET", "/", NAVIGATE | local)
    cookie = begun.headers["Set-Cookie"].partition(";")[0]
    picked = ask(
        site.entra_port, "POST", target_of(begun.headers["Location"]),
        {"Host": f"localhost:{site.entra_port}", "Content-Type": "application/x-www-form-urlencoded"},
        urllib.parse.urlencode({"account": account}),
    )
    return target_of(picked.headers["Location"]), cookie


def gather(site, account, count):
    """So many people who have picked an account and have not come back yet."""
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        return list(threads.map(lambda _: begin(site, account), range(count)))


async def call_back(site, person, delay):
    """Status, and seconds until it came."""
    target, cookie = person
    await asyncio.sleep(delay)
    start = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", site.site_port)
    lines = [
        f"GET {target} HTTP/1.1", f"Host: localhost:{site.site_port}", f"Cookie: {cookie}",
        "Sec-Fetch-Mode: navigate", "Connection: close", "", "",
    ]
    writer.write("\r\n".join(lines).encode())
    answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1]), time.monotonic() - start, answer


def return_within_a_second(site, people, meanwhile=None):
    """All of them come back, evenly within one second; the answers in the order in which they came.

    `meanwhile` is asked every 50 ms on a thread of its own for as long as that takes, and what it
    returned is the second result.
    """

    async def all_of_them():
        calls = [call_back(site, person, index / len(people)) for index, person in enumerate(people)]
        pending = asyncio.gather(*calls)
        others = []
        while meanwhile and not pending.done():
            others.append(await asyncio.to_thread(meanwhile))
            await asyncio.sleep(0.05)
        return await pending, others

    # A browser of another test may have left a loop on this thread.
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, all_of_them()).result()
