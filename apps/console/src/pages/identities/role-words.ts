/** Things of which the same may be done. */
export interface Granted {
  readonly subjects: string;
  readonly actions: string;
}

/** `<action>:<subject>`, many of them, as few lines: what can be done to the same things stands together. */
export function grantsOf(abilities: readonly string[]): readonly Granted[] {
  const bySubject = new Map<string, string[]>();
  for (const ability of abilities) {
    const [action = '', subject = ''] = ability.split(':');
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), action]);
  }
  const byActions = new Map<string, string[]>();
  for (const [subject, actions] of bySubject) {
    const key = actions.join(', ');
    byActions.set(key, [...(byActions.get(key) ?? []), wordsOf(subject)]);
  }
  return [...byActions].map(([actions, subjects]) => ({ subjects: subjects.join(', '), actions }));
}

/** `ExceptionRequest` → `exception request`. */
function wordsOf(subject: string): string {
  return subject.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
