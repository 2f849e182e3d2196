// `node tools/public-surface.mjs [--write]`: every name that @wrongstack/core promises to authors, with its signature.
// Without --write it prints the text; with it, it replaces libs/core/public-surface.txt. A spec compares the two, so that
// nobody changes what authors build on without seeing it in the diff.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');
const core = path.join(root, 'libs/core');
const ENTRIES = { '@wrongstack/core': 'src/index.ts', '@wrongstack/core/testing': 'src/testing.ts' };

const { config } = ts.readConfigFile(path.join(core, 'tsconfig.lib.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, core);
const files = Object.values(ENTRIES).map((file) => path.join(core, file));
const program = ts.createProgram(files, { ...options, noEmit: true, composite: false, incremental: false });
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });
const FLAGS =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteArrowStyleSignature;

const sections = Object.entries(ENTRIES).map(([name, file]) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(path.join(core, file)));
  const exported = checker.getExportsOfModule(module).map(describe);
  return [`# ${name}`, ...exported.sort()].join('\n\n');
});
const text = `${sections.join('\n\n')}\n`;
if (process.argv.includes('--write')) writeFileSync(path.join(core, 'public-surface.txt'), text);
else process.stdout.write(text);

function describe(exported) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined) throw new Error(`public-surface: ${exported.name} is declared nowhere.`);
  if (ts.isClassDeclaration(declaration)) return classText(exported.name, symbol, declaration);
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration))
    return printer
      .printNode(ts.EmitHint.Unspecified, declaration, declaration.getSourceFile())
      .replace(/^export /, '');
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const signatures = type.getCallSignatures();
  if (signatures.length === 0)
    return `const ${exported.name}: ${checker.typeToString(type, declaration, FLAGS)};`;
  return signatures
    .map(
      (one) =>
        `function ${exported.name}${checker.signatureToString(one, declaration, FLAGS & ~ts.TypeFormatFlags.WriteArrowStyleSignature)};`,
    )
    .join('\n');
}

function classText(name, symbol, declaration) {
  const statics = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const instance = checker.getDeclaredTypeOfSymbol(symbol);
  const heritage = (declaration.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join('');
  const isAbstract = ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract ? 'abstract ' : '';
  const members = [
    ...statics
      .getConstructSignatures()
      .map(
        (one) => `  constructor${checker.signatureToString(one, declaration, 0).replace(/: [^:]*$/, '')};`,
      ),
    ...checker.getPropertiesOfType(instance).filter(isOwnAndPublic(declaration)).map(memberText),
  ];
  return `${isAbstract}class ${name}${heritage} {\n${members.join('\n')}\n}`;
}

function isOwnAndPublic(owner) {
  return (member) =>
    (member.declarations ?? []).some(
      (each) =>
        each.getSourceFile() === owner.getSourceFile() &&
        !(each.name && ts.isPrivateIdentifier(each.name)) &&
        !(ts.getCombinedModifierFlags(each) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)),
    );
}

function memberText(member) {
  const [declaration] = member.declarations;
  const type = checker.getTypeOfSymbolAtLocation(member, declaration);
  const isReadonly = ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly ? 'readonly ' : '';
  const optional = member.flags & ts.SymbolFlags.Optional ? '?' : '';
  return `  ${isReadonly}${member.name}${optional}: ${checker.typeToString(type, declaration, FLAGS)};`;
}
