"""The completions as a matcher of IPython."""

from typing import Any

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher

from mediakit.completion.open_string import OpenString, open_string


def add_matcher(shell: Any) -> None:
    """Add the matcher to a shell, once."""
    matchers = shell.Completer.custom_matchers
    if match_choices not in matchers:
        matchers.append(match_choices)


@context_matcher()  # type: ignore[untyped-decorator]  # IPython has no types for it
def match_choices(context: CompletionContext) -> SimpleMatcherResult:
    """Return the choices of the text at the cursor. If there are any, file names and magics are not suggested."""
    text = open_string(_source(context))
    words = _choices(text) if text else []
    if not text or not words:
        return {"completions": []}
    matching = [SimpleCompletion(word, type="value") for word in words if word.startswith(text.prefix)]
    return {"completions": matching, "matched_fragment": text.prefix, "suppress": True, "ordered": True}


def _source(context: CompletionContext) -> str:
    lines = context.full_text.split("\n")[: context.cursor_line]
    return "\n".join([*lines, context.line_with_cursor[: context.cursor_position]])


def _choices(text: OpenString) -> list[str]:
    from IPython import get_ipython

    from mediakit.completion.choices import choices

    shell: Any = get_ipython()
    return list(choices(text, {**shell.user_global_ns, **shell.user_ns})) if shell else []
