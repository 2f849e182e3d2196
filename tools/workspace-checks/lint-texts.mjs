// Lints texts as if they were files of the workspace: [{ file, text }] comes in on stdin, [[ruleId, …], …] goes out.
// A file that does not exist has no types, so only the rules that need none are asked; the typed rules have real files.
import { ESLint } from 'eslint';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import tseslint from 'typescript-eslint';

const root = path.resolve(import.meta.dirname, '../..');
const eslint = new ESLint({
  cwd: root,
  overrideConfig: {
    files: ['**/*.ts', '**/*.tsx'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { parserOptions: { projectService: false, project: false, program: null } },
  },
});

const results = [];
for (const { file, text } of JSON.parse(await readText(process.stdin))) {
  const [result] = await eslint.lintText(text, { filePath: path.join(root, file) });
  results.push(result.messages.map((message) => message.ruleId ?? message.message));
}
process.stdout.write(JSON.stringify(results));
