// `wrongstack/module-owners`: some packages may be imported by a few named files only. One rule and one table, because
// ESLint's own no-restricted-imports neither sees import() and require() nor merges between configuration blocks.

/** @typedef {{ module: string, files: string[], reason: string }} Owner  `module` also covers its subpaths. */

const covers = (owner, request) => {
  if (owner.module.endsWith('/')) return request.startsWith(owner.module);
  return request === owner.module || request.startsWith(`${owner.module}/`);
};

/** @type {import('eslint').Rule.RuleModule} */
export const moduleOwners = {
  meta: {
    type: 'problem',
    schema: [
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['module', 'reason'],
          properties: { module: { type: 'string' }, reason: { type: 'string' } },
          additionalProperties: false,
        },
      },
    ],
    messages: { foreign: '"{{request}}" may not be imported here: {{reason}}' },
  },
  create(context) {
    const owners = context.options[0] ?? [];
    const check = (node, source) => {
      const request = literalText(source);
      if (request === undefined) return;
      const owner = owners.find((candidate) => covers(candidate, request));
      if (owner) context.report({ node, messageId: 'foreign', data: { request, reason: owner.reason } });
    };
    return {
      ImportDeclaration: (node) => check(node, node.source),
      ExportNamedDeclaration: (node) => check(node, node.source),
      ExportAllDeclaration: (node) => check(node, node.source),
      ImportExpression: (node) => check(node, node.source),
      TSImportType: (node) => check(node, node.source ?? node.argument?.literal),
      TSExternalModuleReference: (node) => check(node, node.expression),
      CallExpression: (node) => {
        const { callee } = node;
        const isRequire =
          (callee.type === 'Identifier' && callee.name === 'require') ||
          (callee.type === 'MemberExpression' &&
            callee.object.type === 'Identifier' &&
            callee.object.name === 'require');
        if (isRequire) check(node, node.arguments[0]);
      },
    };
  },
};

function literalText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}
