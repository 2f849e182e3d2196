// `wrongstack/guarded-network`: a tool reaches the network through the guarded client alone, which checks where an address
// leads. Whoever opens a connection beside it can be sent to the metadata service or into the intranet.

const MODULES =
  /^(?:node:)?(?:http|https|http2|net|tls|dgram)$|^(?:undici|axios|got|node-fetch|ky|ws)(?:\/|$)/;
const GLOBALS = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']);
const HOLDERS = new Set(['globalThis', 'global', 'window', 'self']);
/** Names that only look at an address. */
const HARMLESS = new Set(['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'SocketAddress']);

/** @type {import('eslint').Rule.RuleModule} */
export const guardedNetwork = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { open: '"{{name}}" reaches the network unguarded: use guardedFetch.' },
  },
  create(context) {
    const report = (node, name) => context.report({ node, messageId: 'open', data: { name } });
    const checkModule = (node, source) => {
      const request = source?.type === 'Literal' ? source.value : undefined;
      if (typeof request === 'string' && MODULES.test(request)) report(node, request);
    };
    return {
      ImportDeclaration: (node) => {
        if (node.importKind === 'type' || node.specifiers.length === 0) return;
        const isHarmless = (specifier) =>
          specifier.importKind === 'type' ||
          (specifier.type === 'ImportSpecifier' && HARMLESS.has(specifier.imported.name));
        if (!node.specifiers.every(isHarmless)) checkModule(node, node.source);
      },
      ImportExpression: (node) => checkModule(node, node.source),
      ExportNamedDeclaration: (node) => checkModule(node, node.source),
      ExportAllDeclaration: (node) => checkModule(node, node.source),
      CallExpression: (node) => {
        if (node.callee.type === 'Identifier' && node.callee.name === 'require')
          checkModule(node, node.arguments[0]);
      },
      MemberExpression: (node) => {
        const name = node.computed ? node.property.value : node.property.name;
        if (node.object.type === 'Identifier' && HOLDERS.has(node.object.name) && GLOBALS.has(name))
          report(node, name);
      },
      'Program:exit': (program) => {
        // Only the global one: a parameter or a local of that name is somebody's own. A configuration that declares the
        // name as a global takes its references out of "through", so both places are read.
        const scope = context.sourceCode.getScope(program);
        const declared = scope.variables.filter(({ defs }) => defs.length === 0);
        const references = [...scope.through, ...declared.flatMap((known) => known.references)];
        for (const { identifier } of new Set(references)) {
          if (GLOBALS.has(identifier.name) && identifier.parent.type !== 'TSTypeQuery')
            report(identifier, identifier.name);
        }
      },
    };
  },
};
