"""How large the source is, and how it is divided: files, functions, folders, and words of the old dialect.

Counts only ``src/shoal``. The body of a function is counted without its docstring; cyclomatic complexity is one more
than the number of branches (``if``, loops, handlers, ``and``/``or``, conditions of comprehensions, cases).
"""

import ast
import io
import re
import statistics
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[1] / "src" / "shoal"
_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.match_case, ast.comprehension)
_DIALECT = {"told": r"\btold\b", "so many": r"\bso many\b", "Give": r'"""Give\b'}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def main(_: Path) -> dict[str, Any]:
    """Count."""
    texts = {path: path.read_text() for path in sorted(SOURCE.rglob("*.py"))}
    lines = [len(text.splitlines()) for text in texts.values()]
    functions = [node for text in texts.values() for node in _functions(ast.parse(text))]
    bodies, complexity = [_body_lines(each) for each in functions], [_complexity(each) for each in functions]
    entries = Counter(path.parent for path in texts if path.name != "__init__.py")
    entries.update(path.parent.parent for path in texts if path.name == "__init__.py")
    inside = {folder: count for folder, count in entries.most_common() if folder.is_relative_to(SOURCE)}
    return {
        "files": len(texts),
        "files but for __init__": sum(path.name != "__init__.py" for path in texts),
        "lines": sum(lines),
        "lines of code": sum(map(_code_lines, texts.values())),
        "share of docstrings": round(sum(map(_docstring_lines, texts.values())) / sum(lines), 3),
        "file median": statistics.median(lines),
        "file p90": _p90(lines),
        "longest file": max(lines),
        "functions": len(functions),
        "function p90": _p90(bodies),
        "longest function": max(bodies),
        "mean cyclomatic complexity": round(statistics.mean(complexity), 2),
        "functions of complexity above 10": sum(each > 10 for each in complexity),
        "functions with more than 6 arguments": sum(_arguments(each) > 6 for each in functions),
        "folders": sum(path.name == "__init__.py" for path in texts),
        "largest folder": max(inside.values()),
        "largest folders": {folder.name: count for folder, count in list(inside.items())[:6]},
        "words": {word: sum(len(re.findall(seen, text)) for text in texts.values()) for word, seen in _DIALECT.items()},
    }


def _functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def _body_lines(function: Function) -> int:
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    return 0 if not body else (function.end_lineno or 0) - body[0].lineno + 1


def _complexity(function: Function) -> int:
    found = 1
    for node in ast.walk(function):
        found += isinstance(node, _BRANCHES) + (len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0)
        found += len(node.ifs) if isinstance(node, ast.comprehension) else 0
    return found


def _arguments(function: Function) -> int:
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def _docstring_lines(text: str) -> int:
    places = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    blocks = [node.body for node in ast.walk(ast.parse(text)) if isinstance(node, places)]
    strings = [each for block in blocks for each in block if _is_text(each)]
    return sum((each.end_lineno or 0) - each.lineno + 1 for each in strings)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _code_lines(text: str) -> int:
    blank = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    coded = {line for each in tokens if each.type not in blank for line in range(each.start[0], each.end[0] + 1)}
    return len(coded) - _docstring_lines(text)


def _p90(values: list[int]) -> int:
    return sorted(values)[int(0.9 * len(values))]
