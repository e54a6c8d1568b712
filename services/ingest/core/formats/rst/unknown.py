"""What becomes of directives and roles that only other programs know? Their text is kept."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.directives import unchanged

_DIRECTIVE = re.compile(r"^[ \t]*(?:\.\. (?:\|[^|\n]+\| )?)([A-Za-z][\w:.+-]*?) ?::(?:\s|$)", re.MULTILINE)
_ROLE = re.compile(r":([A-Za-z][\w:.+-]*):`|`:([A-Za-z][\w:.+-]*):")
_TARGET = re.compile(r"\A!?(.*?)\s*<[^<>]*>\Z", re.DOTALL)
_CODE = frozenset(
    (
        *("code-block", "sourcecode", "highlight-block", "prompt", "doctest", "testcode", "testoutput"),
        *(
            "testsetup",
            "ipython",
            "productionlist",
            "graphviz",
            "digraph",
            "mermaid",
            "uml",
            "jupyter-execute",
        ),
    )
)
# Instructions to the program that renders, whose arguments are no text of the document.
_SILENT = frozenset(
    (
        *(
            "toctree",
            "index",
            "highlight",
            "currentmodule",
            "module",
            "py:module",
            "py:currentmodule",
            "meta",
        ),
        *(
            "tabularcolumns",
            "literalinclude",
            "include",
            "image",
            "only",
            "ifconfig",
            "default-domain",
            "date",
        ),
        *("automodule", "autoclass", "autofunction", "bibliography", "sectionauthor", "codeauthor"),
    )
)
_WITH_CONTENT = frozenset(("only", "ifconfig"))
_LABELS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
    "seealso": "See also",
    "todo": "To do",
}
_MAX_ARGUMENTS = 1_000_000
# What docutils itself would put in depends on the day it runs.
_OVERRULED = frozenset(("date",))


class _AnyOptions(dict[str, Any]):
    """An option specification in which every option is known."""

    def __missing__(self, name: str) -> Any:
        return unchanged


class AnyDirective(Directive):
    """Keeps the argument as a paragraph and reads the content as more of the same source, or as code."""

    optional_arguments = _MAX_ARGUMENTS
    final_argument_whitespace = True
    option_spec: ClassVar[Any] = _AnyOptions(name=unchanged)
    has_content = True

    def run(self) -> Sequence[nodes.Node]:
        name = self.name.lower()
        words = " ".join(self.arguments)
        content = "\n".join(self.content)
        if name in _OVERRULED:
            return [nodes.Text("")]
        if name.rpartition(":")[2] in _CODE or name in _CODE:
            return [nodes.literal_block(content, content)] if content.strip() else []
        found: list[nodes.Node] = []
        if name not in _SILENT and (words or name in _LABELS):
            label = _LABELS.get(name, "")
            found.append(nodes.paragraph("", "", nodes.Text(" ".join(filter(None, (label, words))))))
        if content.strip() and (name not in _SILENT or name in _WITH_CONTENT):
            holder = nodes.container()
            self.state.nested_parse(self.content, self.content_offset, holder, match_titles=True)
            found.extend(holder.children)
        return found


def register_unknown(source: str, document: nodes.document, language: Any) -> None:
    """Makes docutils read every directive and role that is named in the source and that it does not know."""
    for name in sorted(set(map(str.lower, _DIRECTIVE.findall(source)))):
        known, _ = directives.directive(name, language, document)
        if known is None or name in _OVERRULED or name in ("code", "code-block", "sourcecode"):
            directives.register_directive(name, AnyDirective)
    for pair in sorted(set(_ROLE.findall(source))):
        name = (pair[0] or pair[1]).lower()
        known_role, _ = roles.role(name, language, 0, document.reporter)
        if known_role is None:
            roles.register_local_role(name, _any_role)


def _any_role(name: str, rawtext: str, text: str, lineno: int, inliner: Any, *rest: Any) -> Any:
    """`title <target>` as its title, anything else as it stands; the nodes and no messages."""
    plain = str(nodes.unescape(text))
    found = _TARGET.match(plain)
    words = found.group(1) if found and found.group(1) else plain.lstrip("!~")
    return [nodes.inline(rawtext, words)], []
