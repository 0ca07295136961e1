"""The ids by which rules are known in reports: ``model/rule``, as the rulebook has it."""

from __future__ import annotations

from planner.rules.rulebook import Rulebook


def rule_id(rulebook: Rulebook, paragraph: str) -> str:
    """Return the id of the rule that a violation's paragraph belongs to.

    Parameters
    ----------
    rulebook : Rulebook
        The rulebook.
    paragraph : str
        A printed paragraph, or what stands for one.

    Returns
    -------
    str
        ``model/rule``: that of the first rule with the paragraph, of a statement with it, or of the rule with the
        longest paragraph by which it begins; where there is none, ``model/`` and the paragraph itself.
    """
    for rule in rulebook.rules:
        if rule.paragraph == paragraph:
            return f"{rulebook.model}/{rule.id}"
    for statement in rulebook.statements:
        if statement.paragraph == paragraph and statement.rule is not None:
            return f"{rulebook.model}/{statement.rule}"
    near = [rule for rule in rulebook.rules if rule.paragraph and paragraph.startswith(rule.paragraph)]
    if near:
        return f"{rulebook.model}/{max(near, key=lambda rule: len(rule.paragraph)).id}"
    return f"{rulebook.model}/{paragraph or 'unnamed'}"
