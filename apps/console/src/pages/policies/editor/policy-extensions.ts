import { autocompletion } from '@codemirror/autocomplete';
import { type Diagnostic, linter } from '@codemirror/lint';
import type { Extension, Text } from '@codemirror/state';
import { visibleText } from '../../../parts/visible-text.js';
import type { Checked, PolicyLanguage } from './checks.js';
import { policyCompletion } from './policy-completion.js';

/** Completion by the schema, and a mark at the line of each problem. */
export function policyExtensions(
  language: PolicyLanguage | null,
  problems: Checked['problems'],
): readonly Extension[] {
  const marks = linter(({ state }) => problems.map((problem) => diagnosticOf(state.doc, problem)), {
    delay: 0,
  });
  if (language === null) return [marks];
  const { capabilities, roles, sets, tools } = language;
  const complete = policyCompletion(language.schema, {
    actions: capabilities,
    role: roles,
    tool: tools.map(({ name }) => name),
    argv: sets.map((name) => `set:${name}`),
  });
  return [marks, autocompletion({ override: [complete] })];
}

/** The whole line where no column is known, and the first line where none is: a text that grew shorter has fewer. */
function diagnosticOf(text: Text, { line, column, message }: Checked['problems'][number]): Diagnostic {
  const at = text.line(Math.min(Math.max(line ?? 1, 1), text.lines));
  const from = column === null ? at.from : Math.min(at.from + column - 1, at.to);
  return { from, to: at.to, severity: 'error', message: visibleText(message) };
}
