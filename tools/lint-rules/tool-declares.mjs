// `wrongstack/tool-declares`: the policy decides by what a tool says of itself, so a tool that changes things says who is
// asked, and every tool says what it can do. A field that is spread in counts as said: nobody can see it from here.

const RUNS = new Set(['execute', 'executeStream']);
const TAKES = new Set(['inputSchema', 'parameters']);

/** @type {import('eslint').Rule.RuleModule} */
export const toolDeclares = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      permission:
        'A tool that changes things needs "permission": say auto, confirm or deny, or set "mutating" to false.',
      capabilities: 'A tool needs "capabilities": rules about them cannot see what it does.',
    },
  },
  create: (context) => ({
    ObjectExpression: (node) => {
      const fields = new Map();
      for (const property of node.properties) {
        if (property.type === 'SpreadElement') return;
        if (!property.computed) fields.set(property.key.name ?? property.key.value, property.value);
      }
      if (!isTool(fields)) return;
      if (!fields.has('permission') && !isFalse(fields.get('mutating')))
        context.report({ node, messageId: 'permission' });
      if (!fields.has('capabilities')) context.report({ node, messageId: 'capabilities' });
    },
  }),
};

function isTool(fields) {
  const has = (names) => [...names].some((name) => fields.has(name));
  return fields.has('name') && fields.has('description') && has(TAKES) && has(RUNS);
}

const isFalse = (node) => node?.type === 'Literal' && node.value === false;
