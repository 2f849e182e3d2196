// `wrongstack/no-shell-strings`: a command line built as text and given to a shell is how input becomes code. Programs
// start from an argument vector; the one tool that runs shell text names its shell and passes it as an argument.

const CHILD_PROCESS = new Set(['child_process', 'node:child_process']);
const SHELL_FUNCTIONS = new Set(['exec', 'execSync']);
const STARTERS = new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork']);

/** @type {import('eslint').Rule.RuleModule} */
export const noShellStrings = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      exec: '"{{name}}" runs its text through a shell: use execFile or spawn with an argument list.',
      shell: 'The "shell" option turns arguments into shell text: leave it out.',
    },
  },
  create(context) {
    const modules = new Set();
    return {
      ImportDeclaration: (node) => {
        if (!CHILD_PROCESS.has(node.source.value)) return;
        for (const specifier of node.specifiers) {
          if (specifier.type !== 'ImportSpecifier') modules.add(specifier.local.name);
          else if (SHELL_FUNCTIONS.has(specifier.imported.name)) {
            context.report({ node: specifier, messageId: 'exec', data: { name: specifier.imported.name } });
          }
        }
      },
      ExportNamedDeclaration: (node) => {
        if (!CHILD_PROCESS.has(node.source?.value)) return;
        for (const specifier of node.specifiers) {
          if (SHELL_FUNCTIONS.has(specifier.local.name)) {
            context.report({ node: specifier, messageId: 'exec', data: { name: specifier.local.name } });
          }
        }
      },
      MemberExpression: (node) => {
        const name = node.computed ? node.property.value : node.property.name;
        if (node.object.type === 'Identifier' && modules.has(node.object.name) && SHELL_FUNCTIONS.has(name)) {
          context.report({ node, messageId: 'exec', data: { name } });
        }
      },
      Property: (node) => {
        const key = node.key.name ?? node.key.value;
        if (key !== 'shell' || node.computed || isFalse(node.value)) return;
        if (isTrue(node.value) || isStarterArgument(node.parent))
          context.report({ node, messageId: 'shell' });
      },
    };
  },
};

const isTrue = (node) => node.type === 'Literal' && node.value === true;
const isFalse = (node) => node.type === 'Literal' && node.value === false;

function isStarterArgument(object) {
  const call = object.parent;
  if (call?.type !== 'CallExpression' || !call.arguments.includes(object)) return false;
  const { callee } = call;
  return STARTERS.has(callee.type === 'MemberExpression' ? callee.property.name : callee.name);
}
