// `wrongstack/reasoned-disable`: a rule is switched off with a reason beside it, `-- because …`, or not at all.

const DIRECTIVE = /^\s*eslint-disable/;

/** @type {import('eslint').Rule.RuleModule} */
export const reasonedDisable = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      bare: 'Say why the rule is switched off: // eslint-disable-next-line the-rule -- the reason.',
    },
  },
  create(context) {
    return {
      Program: () => {
        for (const comment of context.sourceCode.getAllComments()) {
          if (!DIRECTIVE.test(comment.value) || /\s--+\s+\S/.test(comment.value)) continue;
          // Reported at its first character: the directive itself speaks for the lines below.
          context.report({ loc: comment.loc.start, messageId: 'bare' });
        }
      },
    };
  },
};
