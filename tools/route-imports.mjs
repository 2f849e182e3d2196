// Rewrites every import() of a bundle into a call of `__importModule`. Code that V8 takes from a cache has lost its
// link to Node's module loader, so import() would work in the first run and throw in all later ones.
import ts from 'typescript';

const BANNER = 'const __importModule=module.importModule??((name)=>import(name));\n';

export function routeImports(code) {
  const places = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      places.push(node.expression.end);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('bundle.cjs', code, ts.ScriptTarget.ES2023, false, ts.ScriptKind.JS));

  let routed = code;
  for (const end of places.sort((a, b) => b - a)) {
    routed = `${routed.slice(0, end - 'import'.length)}__importModule${routed.slice(end)}`;
  }
  return BANNER + routed;
}
