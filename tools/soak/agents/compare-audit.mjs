import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

/** What was acknowledged, as [source, records], against the organisation's log. Answers what is wrong, a line each. */
export async function compareAudit(api, told) {
  const wrong = [];
  const stored = new Map();
  const headers = { authorization: `Bearer ${api.admin}` };
  const { body } = await fetch(`${api.url}/v1/audit/export`, { headers });
  for await (const line of createInterface({ input: Readable.fromWeb(body) })) {
    const { source, sourceSeq } = JSON.parse(line);
    const seen = stored.get(source) ?? new Set();
    if (seen.has(sourceSeq)) wrong.push(`${source} has ${sourceSeq} twice`);
    stored.set(source, seen.add(sourceSeq));
  }
  for (const [source, records] of told) {
    const seen = stored.get(source) ?? new Set();
    for (let seq = 0; seq < records; seq += 1) if (!seen.has(seq)) wrong.push(`${source} has lost ${seq}`);
  }
  const chain = await api.send('GET', '/v1/audit/verify');
  if (!chain.ok) wrong.push(`the chain is broken at ${chain.brokenAt}: ${chain.reason}`);
  if (chain.flaggedSources.length > 0) wrong.push(`flagged: ${chain.flaggedSources.slice(0, 3)}`);
  return { wrong, records: chain.records };
}
