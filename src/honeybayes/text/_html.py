"""Tags and entities of HTML."""

import re
from html import unescape

# Names of frequent tags only: "<grin>" and "<ann@example.org>" are no HTML.
SIGN = re.compile(
    r"</?(?:a|b|body|br|center|code|div|em|font|form|h[1-6]|head|hr|html|i|img|li|ol|p|pre|span"
    r"|strong|table|td|title|tr|u|ul)(?:\s[^<>]*)?/?>|&(?:amp|lt|gt|quot|nbsp|#\d+|#x[\da-f]+);",
    re.IGNORECASE,
)
# A comment, a script or a style that does not end reaches to the end of the text.
TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)"
    r"|</?[a-z][a-z\d]*(?:[\s/][^<>]*)?>|<![a-z][^<>]*>",
    re.IGNORECASE | re.DOTALL,
)


def remove_html(text: str) -> str:
    """Return a text with spaces instead of tags, and with the characters that entities stand for.

    Tags that are written with entities, such as "&lt;br&gt;" in a text about HTML, stay.
    """
    return unescape(TAG.sub(" ", text))
