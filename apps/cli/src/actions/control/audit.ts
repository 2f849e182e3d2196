import { verifyAudit } from '@wrongstack/adapters';
import type { AuditRecordView, ChainReport } from '@wrongstack/contracts/wire';
import { WrongStackError } from '@wrongstack/contracts';
import type { CommonOptions } from '../../commands/common-options.js';
import { EXIT } from '../../exit-codes.js';
import { plural } from '../../terminal/format.js';
import { inScene, withCentre } from './open.js';

export interface AuditVerifyOptions extends CommonOptions {
  /** Ask the server about the organisation's chain. */
  readonly server?: boolean;
}

/** Does every chain hold? The local log, or the organisation's with `--server`. Exit 1 where it does not. */
export function auditVerify(_args: readonly string[], options: AuditVerifyOptions): Promise<number> {
  if (options.server === true) return verifyServer(options);
  return inScene(options, async ({ request, output }) => {
    const report = await verifyAudit(request.paths.audit);
    if (output.json) output.writeJson(report);
    else {
      for (const { kind, file, line, message } of report.problems) {
        output.say(`${kind} ${file}${line === null ? '' : `:${line}`} ${message}`);
      }
      output.say(
        `${report.ok ? 'holds' : 'BROKEN'} · ${plural(report.records, 'record')} in ${plural(report.chains, 'chain')}`,
      );
    }
    return report.ok ? EXIT.done : EXIT.failed;
  });
}

function verifyServer(options: CommonOptions): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    const { body } = await centre.client.send({ path: 'audit/verify', timeoutMs: 300_000 }, signal);
    if (!isReport(body))
      throw new WrongStackError('control.bad_answer', 'the server answered with no report');
    if (output.json) output.writeJson(body);
    else if (body.ok) output.say(`holds · ${plural(body.records, 'record')}`);
    else output.say(`BROKEN at record ${body.brokenAt ?? '?'}: ${body.reason ?? 'it does not fit'}`);
    return body.ok ? EXIT.done : EXIT.failed;
  });
}

export interface AuditSearchOptions extends CommonOptions {
  readonly actor?: string;
  readonly tool?: string;
  readonly verdict?: string;
  readonly rule?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
}

/** Records of the organisation, newest first. */
export function auditSearch(_args: readonly string[], options: AuditSearchOptions): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    const query = new URLSearchParams();
    for (const name of ['actor', 'tool', 'verdict', 'rule', 'from', 'to'] as const) {
      const value = options[name];
      if (value !== undefined) query.set(name, value);
    }
    const records = await centre.client.list<AuditRecordView>(
      'audit/records',
      query,
      signal,
      options.limit ?? 100,
    );
    if (output.json) output.writeJson(records);
    else if (records.length === 0) output.say('no records');
    else for (const record of records) output.say(lineOf(record));
    return EXIT.done;
  });
}

function lineOf({ seq, receivedAt, actor, entry, flagged }: AuditRecordView): string {
  const { kind, decision } = entry as {
    readonly kind?: unknown;
    readonly decision?: { readonly verdict?: unknown; readonly facts?: { readonly tool?: unknown } };
  };
  const words = [kind, decision?.facts?.tool, decision?.verdict].filter((word) => typeof word === 'string');
  return `${seq} · ${receivedAt} · ${actor} · ${words.join(' ')}${flagged ? ' · FLAGGED' : ''}`;
}

function isReport(value: unknown): value is ChainReport {
  if (typeof value !== 'object' || value === null) return false;
  const { ok, records } = value as Record<string, unknown>;
  return typeof ok === 'boolean' && typeof records === 'number';
}
