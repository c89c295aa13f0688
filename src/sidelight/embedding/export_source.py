"""Read what a Hugging Face encoder's own files say: pooling, prefixes, limits, weights.

Reads JSON and hashes weights. It must not import torch or run anything from the model: pickled
weights and models that need code of their own are refused here, before anything is loaded.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from sidelight.embedding.info import Pooling
from sidelight.errors import ModelError

DEFAULT_MAX_TOKENS = 512  # where a model's files name no limit

_POOLINGS = {
    "mean": Pooling.MEAN,
    "mean_tokens": Pooling.MEAN,
    "mean_sqrt_len_tokens": Pooling.MEAN,  # another length, which normalising takes away again
    "cls": Pooling.CLS,
    "cls_token": Pooling.CLS,
    "max": Pooling.MAX,
    "max_tokens": Pooling.MAX,
    "lasttoken": Pooling.LAST,
}
_QUERY_PROMPTS = ("query", "search_query", "web_search_query", "s2p_query")
_DOCUMENT_PROMPTS = ("document", "passage", "search_document", "corpus")


@dataclass(frozen=True, slots=True)
class SourceModel:
    """An encoder on disk and how it is meant to be used.

    `directory` holds config.json, tokenizer and weights. `lowercase`: Sentence-Transformers
    lowers the text before the tokenizer sees it. `weights` maps file names to hex SHA-256.
    """

    name: str
    directory: Path
    pooling: Pooling
    max_tokens: int
    query_prefix: str
    document_prefix: str
    lowercase: bool
    licence: str
    weights: dict[str, str]


def read_source(root: Path, name: str, *, pooling: Pooling | None = None) -> SourceModel:
    """Return what the files under `root` say; `pooling` overrides theirs.

    Without Sentence-Transformers files the pooling is mean (last token for a causal model).

    Raises:
        ModelError: a file is missing or malformed, the weights are pickled only, the model needs
            its own code, or it has a part that cannot be exported (Dense, weighted mean, ...).
    """
    directory, pooling_directory = _modules(root)
    config = read_json(directory / "config.json")
    if config is None:
        raise ModelError(f"{directory} is no Hugging Face model: config.json is missing")
    _refuse_own_code(name, config, directory)
    return SourceModel(
        name=name,
        directory=directory,
        pooling=pooling or _pooling(name, pooling_directory, config),
        max_tokens=_max_tokens(directory, config),
        **_prompts(root, name, pooling_directory),
        lowercase=bool(_transformer_settings(directory).get("do_lower_case", False)),
        licence=_licence(root),
        weights=_weights(name, directory),
    )


def read_json(path: Path) -> dict[str, Any] | None:
    """Return a JSON object; None where there is no such file. Raises ModelError."""
    data = _load_json(path)
    if data is not None and not isinstance(data, dict):
        raise ModelError(f"{path} is not a JSON object")
    return data


def _load_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ModelError(f"{path} is not JSON: {error}") from error
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from error


def _modules(root: Path) -> tuple[Path, Path | None]:
    """Return the directories of the transformer and of the pooling (None: no modules.json)."""
    modules = _load_json(root / "modules.json")
    if modules is None:
        return root, None
    if not isinstance(modules, list) or not all(isinstance(item, dict) for item in modules):
        raise ModelError(f"{root / 'modules.json'} is not a list of modules")
    places = {
        str(item.get("type", "")).rsplit(".", 1)[-1]: item.get("path", "") for item in modules
    }
    unknown = [kind for kind in places if kind not in ("Transformer", "Pooling", "Normalize")]
    if unknown or "Transformer" not in places or len(places) != len(modules):
        what = ", ".join(str(item.get("type")) for item in modules)
        raise ModelError(
            f"the model is made of {what}; Sidelight runs a Transformer, Pooling and Normalize",
            hint="choose a model without Dense or other modules after the pooling",
        )
    transformer = _inside(root, places["Transformer"])
    return transformer, _inside(root, places["Pooling"]) if "Pooling" in places else None


def _inside(root: Path, relative: Any) -> Path:
    path = PurePosixPath(str(relative))
    if path.is_absolute() or ".." in path.parts:
        raise ModelError(f"{root / 'modules.json'} points outside the model: {relative}")
    return root / path


def _refuse_own_code(name: str, config: dict[str, Any], directory: Path) -> None:
    tokenizer = read_json(directory / "tokenizer_config.json") or {}
    if "auto_map" in config or "auto_map" in tokenizer:
        raise ModelError(
            f"{name} needs code that comes with the model (auto_map, trust_remote_code)",
            hint="Sidelight runs no code from models; choose one that transformers knows itself",
        )
    if config.get("is_encoder_decoder"):
        raise ModelError(
            f"{name} is an encoder-decoder model",
            hint="choose an encoder, such as a BERT, RoBERTa, ModernBERT or MPNet model",
        )


def _pooling(name: str, directory: Path | None, config: dict[str, Any]) -> Pooling:
    settings = None if directory is None else read_json(directory / "config.json")
    if settings is None:
        architectures = " ".join(map(str, config.get("architectures") or ()))
        return Pooling.LAST if "CausalLM" in architectures else Pooling.MEAN
    stated = settings.get("pooling_mode")
    if stated is None:
        modes = [
            key.removeprefix("pooling_mode_")
            for key, value in settings.items()
            if key.startswith("pooling_mode_") and value is True
        ]
    else:
        modes = [str(mode) for mode in (stated if isinstance(stated, list) else [stated])]
    if len(modes) != 1 or modes[0] not in _POOLINGS:
        raise ModelError(
            f"{name} pools by {', '.join(modes) or 'nothing'}; Sidelight can do"
            f" {', '.join(Pooling)}, one at a time",
            hint="--pooling chooses one, with results that differ from the original's",
        )
    return _POOLINGS[modes[0]]


def _transformer_settings(directory: Path) -> dict[str, Any]:
    return read_json(directory / "sentence_bert_config.json") or {}


def _max_tokens(directory: Path, config: dict[str, Any]) -> int:
    """Return the least of the limits that the files state, special tokens included."""
    tokenizer = read_json(directory / "tokenizer_config.json") or {}
    stated = [
        _transformer_settings(directory).get("max_seq_length"),
        tokenizer.get("model_max_length"),
        _positions(config),
    ]
    limits = [int(limit) for limit in stated if _is_limit(limit)]
    return min(limits, default=DEFAULT_MAX_TOKENS)


def _positions(config: dict[str, Any]) -> Any:
    positions = config.get("max_position_embeddings")
    offset = config.get("pad_token_id")
    # RoBERTa and its kin count positions from pad_token_id + 1.
    if config.get("model_type") in ("roberta", "xlm-roberta", "camembert", "mpnet") and (
        isinstance(positions, int) and isinstance(offset, int)
    ):
        return positions - offset - 1
    return positions


def _is_limit(value: Any) -> bool:
    # Transformers writes 10**30 for "no limit".
    return isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value < 1_000_000


def _prompts(root: Path, name: str, pooling: Path | None) -> dict[str, str]:
    settings = read_json(root / "config_sentence_transformers.json") or {}
    prompts = settings.get("prompts") or {}
    if not isinstance(prompts, dict) or not all(isinstance(item, str) for item in prompts.values()):
        raise ModelError(f"{name}: `prompts` in config_sentence_transformers.json is malformed")
    default = str(prompts.get(settings.get("default_prompt_name") or "", ""))
    query = next((prompts[key] for key in _QUERY_PROMPTS if key in prompts), default)
    document = next((prompts[key] for key in _DOCUMENT_PROMPTS if key in prompts), default)
    pooled = {} if pooling is None else read_json(pooling / "config.json") or {}
    if (query or document) and pooled.get("include_prompt") is False:
        raise ModelError(f"{name} leaves its prompts out of the pooling, which Sidelight cannot do")
    return {"query_prefix": query, "document_prefix": document}


def _weights(name: str, directory: Path) -> dict[str, str]:
    files = sorted(directory.glob("*.safetensors"))
    if not files:
        pickled = any(directory.glob("*.bin")) or any(directory.glob("*.pt"))
        raise ModelError(
            f"{name} has " + ("pickled weights only" if pickled else "no weights (*.safetensors)"),
            hint="a pickle can run code when it is loaded; convert the weights to safetensors first"
            if pickled
            else "give the directory that holds config.json and model.safetensors",
        )
    return {file.name: file_sha256(file) for file in files}


def file_sha256(path: Path) -> str:
    """Return the hex SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _licence(root: Path) -> str:
    """Return the `license:` line of the model card's header; "unknown" where there is none."""
    try:
        text = (root / "README.md").read_text("utf-8", errors="replace")
    except OSError:
        return "unknown"
    header = text.split("\n---", 1)[0] if text.startswith("---") else ""
    for line in header.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "license" and value.strip():
            return value.strip().strip("\"'")
    return "unknown"
