// `wrongstack/contained-paths`: a path of a model's, joined to a folder, leads wherever its dots and links lead. In a tool
// such a path goes through safeResolve or safeResolveReal (or what is built on them), never through path.join alone.

const PATH = new Set(['path', 'node:path', 'path/posix', 'node:path/posix', 'path/win32', 'node:path/win32']);
const BUILDERS = new Set(['join', 'resolve', 'normalize']);
const CHECKED = new Set(['safeResolve', 'safeResolveReal', 'resolveInput', 'locate', 'realTarget']);
const INPUTS = new Set(['input', 'args']);
const ENTRANCES = new Set(['execute', 'executeStream', 'cleanup', 'describeCall']);

/** @type {import('eslint').Rule.RuleModule} */
export const containedPaths = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      uncontained:
        'Input of a model is joined to a path here: use safeResolve or safeResolveReal, which keep it inside.',
    },
  },
  create(context) {
    const builders = new Set();
    const modules = new Set();
    return {
      ImportDeclaration: (node) => {
        if (!PATH.has(node.source.value)) return;
        for (const specifier of node.specifiers) {
          if (specifier.type !== 'ImportSpecifier') modules.add(specifier.local.name);
          else if (BUILDERS.has(specifier.imported.name)) builders.add(specifier.local.name);
          else modules.add(specifier.local.name);
        }
      },
      CallExpression: (node) => {
        if (!isBuilder(node.callee, builders, modules) || isCheckedAtOnce(node)) return;
        const scope = context.sourceCode.getScope(node);
        if (node.arguments.some((argument) => comesFromInput(argument, scope, 0)))
          context.report({ node, messageId: 'uncontained' });
      },
    };
  },
};

function isBuilder(callee, builders, modules) {
  if (callee.type === 'Identifier') return builders.has(callee.name);
  if (callee.type !== 'MemberExpression' || !BUILDERS.has(nameOf(callee))) return false;
  let owner = callee.object;
  while (owner.type === 'MemberExpression') owner = owner.object;
  return owner.type === 'Identifier' && modules.has(owner.name);
}

function isCheckedAtOnce({ parent }) {
  return parent.type === 'CallExpression' && CHECKED.has(calledName(parent));
}

/** Follows members, templates, spreads, defaults and local variables back to a parameter. */
function comesFromInput(node, scope, depth) {
  if (node === null || node === undefined || depth > 12) return false;
  const from = (other) => comesFromInput(other, scope, depth + 1);
  switch (node.type) {
    case 'Identifier':
      return variableComesFromInput(node.name, scope, depth);
    case 'MemberExpression':
      return from(node.object);
    case 'TemplateLiteral':
      return node.expressions.some(from);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return from(node.left) || from(node.right);
    case 'ConditionalExpression':
      return from(node.consequent) || from(node.alternate);
    case 'CallExpression':
      // A method of a text of the model's (trim, replace) gives another one; a function of ours may have checked it.
      return node.callee.type === 'MemberExpression' && from(node.callee.object);
    case 'SpreadElement':
    case 'AwaitExpression':
      return from(node.argument);
    case 'ChainExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
      return from(node.expression);
    default:
      return false;
  }
}

function variableComesFromInput(name, scope, depth) {
  let variable;
  for (let at = scope; at !== null && variable === undefined; at = at.upper) variable = at.set.get(name);
  const [definition] = variable?.defs ?? [];
  if (definition === undefined) return false;
  if (definition.type === 'Parameter') return isInputParameter(name, definition);
  if (definition.type !== 'Variable') return false;
  const loop = definition.parent.parent;
  const source = loop?.type === 'ForOfStatement' ? loop.right : definition.node.init;
  return comesFromInput(source, variable.scope, depth + 1);
}

function isInputParameter(name, definition) {
  const parameter = definition.node.params.find((each) => covers(each, definition.name));
  if (parameter?.type === 'Identifier' && INPUTS.has(name)) return true;
  const method = definition.node.parent;
  const isEntrance =
    (method?.type === 'Property' || method?.type === 'MethodDefinition') && ENTRANCES.has(method.key.name);
  return isEntrance && parameter === definition.node.params[0];
}

const covers = (node, inner) => node.range[0] <= inner.range[0] && inner.range[1] <= node.range[1];
const nameOf = (member) => (member.computed ? member.property.value : member.property.name);
const calledName = ({ callee }) => (callee.type === 'MemberExpression' ? nameOf(callee) : callee.name);
