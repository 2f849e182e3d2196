import { ControlProblem, type ControlClient } from '@wrongstack/adapters/control';
import { sha256 } from '@wrongstack/contracts';
import { diffPolicies, parsePolicyDocument, type PolicyChange } from '@wrongstack/policy';
import type { CommonOptions } from '../../commands/common-options.js';
import { EXIT } from '../../exit-codes.js';
import { usageError } from '../../report-error.js';
import { readPolicyText } from '../load-documents.js';
import { printChanges } from '../policy-changes.js';
import { withCentre } from './open.js';

interface Pushed {
  readonly file: string;
  readonly id: string;
  readonly outcome: 'created' | 'saved' | 'unchanged';
  readonly etag: string | null;
}

/** Policies as code: each file becomes the draft of its policy. Publishing is another step, with tests, and maybe another person. */
export function policyPush(files: readonly string[], options: CommonOptions): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    if (files.length === 0) throw usageError('no file', 'wstack policy push payments.yaml');
    // All of them are read and checked before the first is sent.
    const documents = await Promise.all(files.map(parsed));
    const pushed: Pushed[] = [];
    for (const one of documents) pushed.push(await pushOne(centre.client, one, signal));
    if (output.json) output.writeJson(pushed);
    else for (const { file, id, outcome } of pushed) output.say(`${outcome} ${id} · ${file}`);
    return EXIT.done;
  });
}

async function pushOne(
  client: ControlClient,
  { file, text, id }: PolicyFile,
  signal: AbortSignal,
): Promise<Pushed> {
  const draft = await orNull(client.draft(id, signal));
  if (draft !== null) {
    if (draft.text === text) return { file, id, outcome: 'unchanged', etag: draft.etag };
    const saved = await client.saveDraft(id, text, draft.etag, signal);
    return { file, id, outcome: 'saved', etag: saved.etag };
  }
  const known = (await client.policies(signal)).some((policy) => policy.id === id);
  if (known) {
    const saved = await client.saveDraft(id, text, null, signal);
    return { file, id, outcome: 'saved', etag: saved.etag };
  }
  const created = await client.createPolicy(text, sha256(text), signal);
  return { file, id, outcome: 'created', etag: created.draft?.etag ?? null };
}

/** What a file changes over the newest published text on the server, or over its draft with `--draft`. */
export function policyServerDiff(
  files: readonly string[],
  options: CommonOptions & { readonly draft?: boolean },
): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    const file = await parsed(files[0] ?? '');
    const before = await serverText(centre.client, file.id, options.draft === true, signal);
    const old =
      before === null ? null : await parsePolicyDocument(before, { file: `${file.id} on the server` });
    const now = await parsePolicyDocument(file.text, { file: file.file });
    const changes: readonly PolicyChange[] = diffPolicies(old, now);
    if (output.json) output.writeJson(changes);
    else printChanges(changes, output);
    return EXIT.done;
  });
}

async function serverText(
  client: ControlClient,
  id: string,
  draft: boolean,
  signal: AbortSignal,
): Promise<string | null> {
  if (draft) return (await orNull(client.draft(id, signal)))?.text ?? null;
  const policy = (await client.policies(signal)).find((one) => one.id === id);
  if (policy?.activeRevision == null) return null;
  return (await client.revision(id, policy.activeRevision, signal)).text;
}

interface PolicyFile {
  readonly file: string;
  readonly text: string;
  readonly id: string;
}

async function parsed(file: string): Promise<PolicyFile> {
  const text = await readPolicyText(file);
  const { metadata } = await parsePolicyDocument(text, { file });
  return { file, text, id: metadata.id };
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ControlProblem && error.status === 404) return null;
    throw error;
  }
}
