// `wrongstack/environment-owner`: the process environment is read in one named file per app and passed on as values.

const PROCESS_MODULES = new Set(['process', 'node:process']);

/** @type {import('eslint').Rule.RuleModule} */
export const environmentOwner = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      foreign:
        'The environment is read in apps/<app>/src/environment.ts only: pass the value that is needed.',
    },
  },
  create(context) {
    const report = (node) => context.report({ node, messageId: 'foreign' });
    return {
      MemberExpression: (node) => {
        if (isProcess(node.object) && propertyName(node) === 'env') report(node);
      },
      VariableDeclarator: (node) => {
        if (node.init && isProcess(node.init)) reportPattern(node.id, report);
      },
      AssignmentExpression: (node) => {
        if (isProcess(node.right)) reportPattern(node.left, report);
      },
      ImportDeclaration: (node) => {
        if (!PROCESS_MODULES.has(node.source.value)) return;
        for (const specifier of node.specifiers) {
          if (specifier.type === 'ImportSpecifier' && specifier.imported.name === 'env') report(specifier);
        }
      },
    };
  },
};

function isProcess(node) {
  if (node.type === 'Identifier') return node.name === 'process';
  return node.type === 'MemberExpression' && propertyName(node) === 'process';
}

function propertyName(node) {
  if (!node.computed) return node.property.name;
  return node.property.type === 'Literal' ? node.property.value : undefined;
}

function reportPattern(pattern, report) {
  if (pattern.type !== 'ObjectPattern') return;
  for (const property of pattern.properties) {
    if (property.type === 'Property' && !property.computed && property.key.name === 'env') report(property);
  }
}
