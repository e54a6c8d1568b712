"""How are the XML parts of an office package read without trusting them?"""

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import lxml.etree

from shared.errors import InvalidDocument

_LOOKED_AT_BYTES = 65_536  # a document type stands before the first element
_XML_ENDINGS = (".xml", ".rels", ".vml")
READING_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    lxml.etree.LxmlError,
)  # what a decoding library lets out of a damaged package


def refuse_declarations(data: bytes, damaged: str) -> None:
    """Raises InvalidDocument when a part declares a document type: office programs write none."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        for info in package.infolist():
            if not info.filename.lower().endswith(_XML_ENDINGS):
                continue
            with package.open(info) as member:
                head = member.read(_LOOKED_AT_BYTES)
            if b"<!DOCTYPE" in head.replace(b"\0", b""):  # two bytes a letter in UTF-16
                raise InvalidDocument(damaged)


def tree_of(content: bytes) -> Any:
    """The root element of a part. Raises lxml.etree.LxmlError; entities are never resolved."""
    parser = lxml.etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return lxml.etree.fromstring(content, parser)


def part_tree(package: zipfile.ZipFile, name: str) -> Any:
    """The root element of a part, or None where the package has no such part."""
    try:
        content = package.read(name)
    except KeyError:
        return None
    return tree_of(content)


def local_name(element: Any) -> str:
    """The element's name without its namespace: strict and transitional files differ in that alone."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def related_parts(package: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """The relations of a part: id -> (last word of its type, name of the part it points to)."""
    folder, base = posixpath.split(part)
    tree = part_tree(package, posixpath.join(folder, "_rels", f"{base}.rels"))
    relations = {}
    for element in () if tree is None else tree:
        if not isinstance(element.tag, str) or element.get("TargetMode") == "External":
            continue
        target = element.get("Target") or ""
        path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
        relations[element.get("Id") or ""] = (
            (element.get("Type") or "").rpartition("/")[2],
            posixpath.normpath(path),
        )
    return relations


def streamed(package: zipfile.ZipFile, part: str, names: Sequence[str]) -> Iterator[Any]:
    """The elements of these names in a large part, each when it ends; who takes one clears it."""
    tags = [f"{{*}}{name}" for name in names]
    with package.open(part) as member:
        for _, element in lxml.etree.iterparse(
            member, events=("end",), tag=tags, resolve_entities=False, no_network=True, load_dtd=False
        ):
            yield element


def declared_title(package: zipfile.ZipFile) -> str:
    """The title in the package's core properties, empty where there is none to read."""
    try:
        tree = part_tree(package, "docProps/core.xml")
    except lxml.etree.LxmlError:
        return ""
    for element in () if tree is None else tree:
        if local_name(element) == "title":
            return element.text or ""
    return ""


def counted(count: int, noun: str) -> str:
    """`1 hidden row is`, `3 hidden rows are`: the start of a warning."""
    return f"1 {noun} is" if count == 1 else f"{count} {noun}s are"
