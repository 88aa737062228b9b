"""The labeling page under load: how long a label takes while the model learns, and memory.

    python -m benchmarks.label_page              # 10,000 and 100,000 texts
    python -m benchmarks.label_page 10000

A real `honeybayes label` is started. Labels are posted one after the other, as a fast person would,
while the worker learns; then it learns from all of them. The times are from the request to the
answer, which contains the next text; each label is on disk by then. Memory is the peak of the two
processes.
"""

import http.client
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

import numpy as np

from honeybayes.tables import load_corpus

SIZES = (10_000, 100_000)
N_LABELS = 200
PAUSE = 0.05  # seconds between two labels
LENGTH = (5, 25)  # words of a text


class Client:
    """Asks a server for JSON."""

    def __init__(self, address):
        [(port, token)] = re.findall(r":(\d+)/#token=(\S+)", address)
        self.connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=300)
        self.headers = {"X-Honeybayes": token, "Content-Type": "application/json"}

    def ask(self, method, path, **fields):
        """Return the answer to a request."""
        body = json.dumps(fields) if method == "POST" else None
        self.connection.request(method, f"/api/{path}", body, self.headers)
        answer = self.connection.getresponse()
        content = json.loads(answer.read())
        assert answer.status == 200, content
        return content

    def timed(self, method, path, **fields):
        """Return the answer, and how long it took in milliseconds."""
        start = time.perf_counter()
        answer = self.ask(method, path, **fields)
        return answer, 1000 * (time.perf_counter() - start)


def write_table(path, n):
    """Write texts of random words of customer messages, most from messages of one class."""
    rng, corpus = np.random.default_rng(0), load_corpus("messages")
    classes = sorted(set(corpus.labels.tolist()))
    pairs = list(zip(corpus.documents, corpus.labels.tolist(), strict=True))
    words = {name: " ".join(text for text, of in pairs if of == name).split() for name in classes}
    with path.open("w", encoding="utf-8") as file:
        file.write("text,truth\n")
        for row in range(n):
            name = classes[row % len(classes)]
            length = rng.integers(*LENGTH)
            own = rng.choice(words[name], length).tolist()
            text = " ".join(own).replace('"', "").replace(",", "")
            file.write(f'"{text} {row}",{name}\n')
    return classes


def peak(pid):
    """Return the largest memory of a process so far, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024


def worker_of(pid):
    """Return the child of a process with the largest memory."""
    of_threads = Path(f"/proc/{pid}/task").glob("*/children")
    return max((child for each in of_threads for child in each.read_text().split()), key=peak)


def measure(n):
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "mail.csv")
        classes = write_table(table, n)
        truth = [line.rpartition(",")[2] for line in table.read_text().splitlines()[1:]]
        start = time.perf_counter()
        options = ["--no-browser", "--port", "0", "--classes", ";".join(classes)]
        server = subprocess.Popen(
            [sys.executable, "-m", "honeybayes", "label", table, *options],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            address = next(line for line in server.stdout if "token=" in line)
            opened = time.perf_counter() - start
            client = Client(address)
            while client.ask("GET", "state")["model"]["status"] != "ready":
                time.sleep(0.2)
            ready = time.perf_counter() - start
            labeled = label(client, classes, truth)
            while (state := client.ask("GET", "state"))["model"]["n_labels"] != N_LABELS:
                assert state["model"]["status"] != "failed", state
                time.sleep(0.2)
            report(n, opened, ready, *labeled, server.pid, client)
        finally:
            server.terminate()
            server.wait()


def label(client, classes, truth):
    """Label texts; return the times, and those of them while the model was learning."""
    answer = client.ask("POST", "next", window="a", besides=[])
    numbers = {each["name"]: each["id"] for each in answer["state"]["classes"]}
    times, while_learning, n_turns = [], [], set()
    for _ in range(N_LABELS):
        item, status = answer["item"], answer["state"]["model"]["status"]
        n_turns.add(answer["state"]["model"]["n_labels"])
        fields = {"row": item["row"], "purpose": item["purpose"], "window": "a", "besides": []}
        fields["class_id"] = numbers[truth[item["row"]]]
        answer, milliseconds = client.timed("POST", "label", **fields)
        times.append(milliseconds)
        if status == "learning" and answer["state"]["model"]["status"] == "learning":
            while_learning.append(milliseconds)
        time.sleep(PAUSE)
    return times, while_learning, len(n_turns)


def report(n, opened, ready, times, while_learning, n_turns, pid, client):
    print(f"{n:,} texts: page after {opened:.1f} s, first answers after {ready:.1f} s")
    for name, each in (("label", times), ("label while the model learns", while_learning)):
        if len(each) > 1:
            most = quantiles(each, n=20)[-1]
            print(f"  {name:<30}{median(each):7.1f} ms median {most:7.1f} ms 95 % ({len(each)})")
    for path in ("state", "texts?search=parcel", "texts?sort=confidence&source=model"):
        each = [client.timed("GET", path)[1] for _ in range(9)]
        print(f"  {path:<36}{median(each):7.1f} ms median")
    server, worker = peak(pid), peak(worker_of(pid))
    print(f"  {n_turns} turns; memory: server {server:.0f} MB, worker {worker:.0f} MB", flush=True)


def main():
    for n in map(int, sys.argv[1:] or SIZES):
        measure(n)


if __name__ == "__main__":
    main()
