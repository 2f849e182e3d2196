import { useQuery } from '@tanstack/react-query';
import { Explanation } from '../../parts/explanation.js';
import { Fields } from '../../parts/fields.js';
import { HostileText } from '../../parts/hostile-text.js';
import { JsonBlock } from '../../parts/json-block.js';
import { type Json, objectIn, textIn } from '../../parts/json.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Section } from '../../parts/section.js';
import { SidePanel } from '../../parts/side-panel.js';
import { TextBlock } from '../../parts/text-block.js';
import { type AuditRecord, explanation, record } from './audit.js';
import classes from './record-panel.module.css';

/** One record: what was decided and why, and its place in the chain. */
export function RecordPanel({ seq, onClose }: { readonly seq: number | null; readonly onClose: () => void }) {
  return (
    <SidePanel opened={seq !== null} title={seq === null ? '' : `Record ${seq}`} onClose={onClose}>
      {seq === null ? null : <OneRecord seq={seq} />}
    </SidePanel>
  );
}

function OneRecord({ seq }: { readonly seq: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', 'record', seq],
    queryFn: ({ signal }) => record(seq, signal),
    // A record never changes.
    staleTime: Infinity,
  });
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the record" />;
  return <RecordDetails record={data} />;
}

function RecordDetails({ record }: { readonly record: AuditRecord }) {
  const { entry, seq, actor, receivedAt, hash, source, sourceSeq, flagged } = record;
  const ts = textIn(entry['ts']);
  return (
    <div className={classes['details']}>
      {entry['decision'] === undefined ? null : <Decided seq={seq} decision={objectIn(entry['decision'])} />}
      <Section title="The record">
        <Fields
          rows={[
            ['Kind', textIn(entry['kind'])],
            ['Who', <HostileText key="who" text={actor} />],
            ['When', ts === null ? null : new Date(ts).toLocaleString()],
            ['Received', new Date(receivedAt).toLocaleString()],
            ['Session', textOrNull(entry['session'])],
            ['Run', textOrNull(entry['run'])],
            ['Call', textOrNull(entry['call'])],
            ['Shipped as', <code key="source">{`${source} ${sourceSeq}`}</code>],
            ['Chain', flagged ? "did not continue its client's chain" : "continues its client's chain"],
            ['Hash', <code key="hash">{hash}</code>],
          ]}
        />
        <details>
          <summary>As it was recorded</summary>
          <JsonBlock label="The entry" value={entry} />
        </details>
      </Section>
    </div>
  );
}

/** What was decided, and why: the API explains it as it explains any call. */
function Decided({ seq, decision }: { readonly seq: number; readonly decision: Json }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', 'explanation', seq],
    queryFn: ({ signal }) => explanation(seq, signal),
    staleTime: Infinity,
  });
  const command = textIn(objectIn(objectIn(decision['facts'])['command'])['text']);
  return (
    <>
      {command === null ? null : <TextBlock label="The command" text={command} />}
      {error === null ? null : <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading what="the explanation" />
      ) : (
        <Explanation view={data} />
      )}
    </>
  );
}

function textOrNull(value: unknown) {
  const text = textIn(value);
  return text === null ? null : <HostileText text={text} />;
}
