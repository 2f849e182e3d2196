import { type Document, isMap, isSeq, parseDocument } from 'yaml';

export const EFFECTS = ['allow', 'confirm', 'approve', 'deny', 'oblige'] as const;
export type Effect = (typeof EFFECTS)[number];

/** A rule as the form shows it. What the form has no field for stays in the text, untouched. */
export interface RuleFields {
  readonly id: string;
  readonly effect: Effect;
  readonly actions: readonly string[];
  readonly because: string;
  readonly instead: string;
  /** Words of a command: `terraform apply`. */
  readonly argv: readonly string[];
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
  readonly shadow: boolean;
  /** Members of `when` and of the rule that only the text shows. */
  readonly more: readonly string[];
}

type Field = Exclude<keyof RuleFields, 'more'>;

export type FormText = { readonly rules: readonly RuleFields[] } | { readonly broken: string };

const SHOWN = ['id', 'effect', 'actions', 'because', 'instead', 'when', 'mode'];

/** The rules of a document. Text that is no document is for the editor to mend. */
export function rulesIn(text: string): FormText {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) return { broken: error.message };
  const rules = document.get('rules');
  if (!isSeq(rules)) return { broken: 'the document has no list of rules' };
  return { rules: rules.items.map((item) => fieldsOf(isMap(item) ? (item.toJSON() as Raw) : {})) };
}

interface Raw {
  readonly [member: string]: unknown;
  /** Null where somebody has just written the word. */
  readonly when?: { readonly [member: string]: unknown } | null;
}

function fieldsOf(rule: Raw): RuleFields {
  const when = rule.when ?? {};
  const argv = member(when, 'command', 'argv');
  const nested = Array.isArray(argv) && argv.some(Array.isArray);
  const fields = {
    id: textOf(rule['id']),
    effect: EFFECTS.find((one) => one === rule['effect']) ?? 'deny',
    actions: textsOf(rule['actions']),
    because: textOf(rule['because']),
    instead: textOf(rule['instead']),
    argv: nested ? [] : textsOf(argv),
    paths: textsOf(member(when, 'path', 'some')),
    hosts: textsOf(member(when, 'host', 'some')),
    shadow: rule['mode'] === 'shadow',
  };
  const inWhen = Object.keys(when).filter(
    (name) =>
      !(name === 'command' && !nested && onlyMember(when[name], 'argv')) &&
      !((name === 'path' || name === 'host') && onlyMember(when[name], 'some')),
  );
  const beside = Object.keys(rule).filter((name) => !SHOWN.includes(name));
  return { ...fields, more: [...inWhen.map((name) => `when.${name}`), ...beside] };
}

const PLACES: Readonly<Record<Field, readonly string[]>> = {
  id: ['id'],
  effect: ['effect'],
  actions: ['actions'],
  because: ['because'],
  instead: ['instead'],
  argv: ['when', 'command', 'argv'],
  paths: ['when', 'path', 'some'],
  hosts: ['when', 'host', 'some'],
  shadow: ['mode'],
};

/** The text with one field of one rule changed. Comments, and whatever the form does not show, stay. */
export function withField<Name extends Field>(
  text: string,
  index: number,
  name: Name,
  value: RuleFields[Name],
): string {
  return changed(text, (document) => {
    const place = ['rules', index, ...PLACES[name]];
    const isNothing = value === '' || value === false || (Array.isArray(value) && value.length === 0);
    // An action list must not be empty: it stays as something that the check can complain about.
    if (isNothing && name !== 'id' && name !== 'because' && name !== 'actions') {
      document.deleteIn(place);
      prune(document, place.slice(0, -1));
      return;
    }
    const node = document.createNode(name === 'shadow' ? 'shadow' : value, { flow: true });
    if (document.getIn(place.slice(0, -1)) === undefined)
      document.setIn(place.slice(0, -1), document.createNode({}));
    document.setIn(place, node);
  });
}

export function withRule(text: string, id: string): string {
  return changed(text, (document) => {
    document.addIn(
      ['rules'],
      document.createNode({
        id,
        effect: 'confirm',
        actions: ['shell.arbitrary'],
        because: 'say why, for whoever is asked',
      }),
    );
  });
}

export function withoutRule(text: string, index: number): string {
  return changed(text, (document) => document.deleteIn(['rules', index]));
}

function changed(text: string, change: (document: Document) => void): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) return text;
  change(document);
  return document.toString({ lineWidth: 0 });
}

/** What was emptied with its last member is no condition any more. */
function prune(document: Document, place: readonly (string | number)[]): void {
  if (place.length <= 2) return;
  const node = document.getIn(place);
  if (!isMap(node) || node.items.length > 0) return;
  document.deleteIn(place);
  prune(document, place.slice(0, -1));
}

function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (found, name) => (typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined),
    value,
  );
}

function onlyMember(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).every((one) => one === name);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
