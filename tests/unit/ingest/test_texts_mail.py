"""What does a mail become: its words once, its files as documents, and warnings for the rest?"""

from email.message import EmailMessage

import pytest

from services.ingest.core.document import HEADING, PARAGRAPH, TABLE, ParsedDocument
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.registry import parse
from shared.errors import InvalidDocument
from tests.unit.ingest.reading_files import blocks, read

PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
LONG = "The lock opens at noon, when the tide has turned. " * 10


def mail(subject: str = "Lock times") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ada <ada@example.org>"
    message["To"] = "bo@example.org"
    message["Date"] = "Tue, 01 Oct 2024 12:34:56 -0500"
    message["Subject"] = subject
    return message


def parsed(message: EmailMessage) -> ParsedDocument:
    return read("mail.eml", message.as_bytes())


def words(message: EmailMessage) -> str:
    return parsed(message).text.partition("-0500")[2].strip()


def test_subject_is_the_title_and_envelope_a_paragraph() -> None:
    message = mail("Schleuse: geänderte Zeiten ☸")
    message.set_content("Hello.\n\nBye.")
    document = parsed(message)
    assert document.title == "Schleuse: geänderte Zeiten ☸"
    assert blocks(document) == [
        (HEADING, document.title),
        (PARAGRAPH, "From: Ada <ada@example.org>\nTo: bo@example.org\nDate: Tue, 01 Oct 2024 12:34:56 -0500"),
        (PARAGRAPH, "Hello."),
        (PARAGRAPH, "Bye."),
    ]


@pytest.mark.parametrize(
    ("plain", "expected"),
    [(LONG, LONG.strip()), ("", "Rich words."), ("Your program shows no HTML.", "Rich words.")],
)
def test_alternatives_are_said_once_by_the_plain_one_unless_it_is_a_stub(plain: str, expected: str) -> None:
    message = mail()
    message.set_content(plain)
    message.add_alternative(f"<html><body><p>Rich words.</p><p>{LONG}</p></body></html>", subtype="html")
    found = words(message).replace("\n", " ")
    assert found.startswith(expected)
    assert found.count("when the tide has turned") == 10


def test_quoted_lines_keep_their_marks_in_paragraphs_of_their_own() -> None:
    message = mail()
    message.set_content("Yes.\n> When?\n> At noon?\n>\n> Really?\nNo.\n")
    assert words(message).split("\n\n") == ["Yes.", "> When?\n> At noon?", "> Really?", "No."]


def test_lines_broken_only_to_be_sent_are_joined() -> None:
    message = mail()
    message.set_content("The lock \nopens at noon.\nBye.", params={"format": "flowed"})
    assert words(message) == "The lock opens at noon.\nBye."


def test_files_become_attachments_and_unread_ones_are_named() -> None:
    message = mail()
    message.set_content("See the files.")
    message.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="größe.csv")
    message.add_attachment(b"a,b\n3,4\n", maintype="text", subtype="csv", filename="../größe.csv")
    message.add_attachment(PNG, maintype="image", subtype="png", filename="quay.png")
    inner = mail("Inner: news")
    inner.set_content("Deep words.")
    message.add_attachment(inner)
    document = parsed(message)
    assert [file.name for file in document.attachments] == ["größe.csv", "größe (2).csv", "Inner: news.eml"]
    assert document.attachments[1].data == b"a,b\n3,4\n"
    assert "Deep words." in read("inner.eml", document.attachments[2].data).text
    assert "Deep words." not in document.text
    assert document.warnings == ("Attachment quay.png is not read: An image is not read: put it into a PDF.",)


def test_images_in_the_words_are_left_out_by_name() -> None:
    message = mail()
    message.set_content("<p>Look: <img src='cid:x'></p>", subtype="html")
    message.add_related(PNG, maintype="image", subtype="png", cid="<x>", filename="logo.png")
    document = parsed(message)
    assert document.attachments == ()
    assert document.warnings == ("Images in the mail are not read: logo.png.",)


def test_table_in_a_page_of_a_mail_is_kept() -> None:
    message = mail()
    message.set_content("<table><tr><th>a<th>b<tr><td>1<td>2</table>", subtype="html")
    assert blocks(parsed(message))[-1] == (TABLE, "a | b\n1 | 2")


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "x-unknown", "utf-16", "us-ascii"])
def test_charset_that_is_wrong_does_not_lose_the_words(charset: str) -> None:
    head = f"From: a@example.org\nTo: b@example.org\nContent-Type: text/plain; charset={charset}\n\n"
    assert "Führung über die Brücke" in read("a.eml", head.encode() + "Führung über die Brücke".encode()).text


def test_stray_bytes_in_a_header_are_decoded() -> None:
    assert read("a.eml", "Subject: Führung\nFrom: a@example.org\n\nx".encode()).title == "Führung"


def test_mail_with_nothing_but_files_is_read_for_its_header() -> None:
    message = mail()
    message.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="a.csv")
    assert parsed(message).title == "Lock times"


def test_attachments_beyond_the_limit_are_counted() -> None:
    message = mail()
    message.set_content("x")
    for number in range(4):
        message.add_attachment(b"words", maintype="text", subtype="plain", filename=f"{number}.txt")
    document = parse("a.eml", message.as_bytes(), "message/rfc822", limits=Limits(max_attachments=3))
    assert len(document.attachments) == 3
    assert document.warnings == ("1 more attachments are not read: at most 3 are taken.",)


@pytest.mark.parametrize("depth", [30, 3_000])
def test_parts_nested_without_end_are_refused(depth: int) -> None:
    head = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(depth))
    with pytest.raises(InvalidDocument, match="too deeply"):
        read("a.eml", f"From: a@example.org\nTo: b@example.org\n{head}\n\nwords".encode())
