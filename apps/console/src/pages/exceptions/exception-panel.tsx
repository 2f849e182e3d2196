import { Link } from 'wouter';
import { readFacts } from '../../parts/call/call-facts.js';
import { CallTargets } from '../../parts/call/call-targets.js';
import { Fields } from '../../parts/fields.js';
import { HostileText } from '../../parts/hostile-text.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { SidePanel } from '../../parts/side-panel.js';
import { TextBlock } from '../../parts/text-block.js';
import { useMay, useSession } from '../../session/use-session.js';
import { DecideException } from './decide-exception.js';
import { ExceptionStateBadge } from './exception-state.js';
import classes from './exception-panel.module.css';
import type { ExceptionRequest } from './exceptions.js';

interface Props {
  readonly request: ExceptionRequest | null;
  readonly onClose: () => void;
  readonly onDecided: (request: ExceptionRequest) => void;
}

/** One request: which call, which rule, why, and the answer. */
export function ExceptionPanel({ request, onClose, onDecided }: Props) {
  return (
    <SidePanel
      opened={request !== null}
      title={<HostileText text={request === null ? '' : `Exception from ${request.rule}`} />}
      onClose={onClose}
    >
      {request === null ? null : <Request key={request.id} request={request} onDecided={onDecided} />}
    </SidePanel>
  );
}

function Request({ request, onDecided }: { readonly request: ExceptionRequest } & Pick<Props, 'onDecided'>) {
  const may = useMay();
  const { user } = useSession();
  const { title, state, requester, reason, rule, document, revision, createdAt, wantedUntil } = request;
  return (
    <div className={classes['panel']}>
      <TextBlock label="The call" text={title} lines={null} />
      <CallTargets facts={readFacts(request.facts)} />
      <Fields
        rows={[
          ['State', <ExceptionStateBadge key="state" state={state} />],
          ['Why', <HostileText key="why" text={reason} />],
          ['Asked by', <HostileText key="by" text={`${requester.name} (${requester.id})`} />],
          ['Asked', <RelativeTime key="at" at={createdAt} />],
          ['Wanted until', wantedUntil === null ? null : <RelativeTime key="until" at={wantedUntil} />],
          [
            'Denied by',
            <span key="rule">
              <code>
                <HostileText text={rule} />
              </code>{' '}
              in{' '}
              {may('read:Policy') ? (
                <Link href={`/policies/${encodeURIComponent(document)}`}>
                  <HostileText text={document} />
                </Link>
              ) : (
                <HostileText text={document} />
              )}
              , revision {revision}
            </span>,
          ],
        ]}
      />
      <Decided request={request} />
      {state !== 'pending' || !may('decide:ExceptionRequest') ? null : requester.id === user.id ? (
        <p>It is your own request: somebody else has to answer it.</p>
      ) : (
        <DecideException request={request} onDecided={onDecided} />
      )}
    </div>
  );
}

function Decided({ request: { decided } }: { readonly request: ExceptionRequest }) {
  const may = useMay();
  const { fourEyes } = useSession();
  if (decided === null) return null;
  const { by, at, note, published } = decided;
  const where = published === null ? null : `revision ${published.revision} of ${published.policy}`;
  return (
    <Fields
      rows={[
        ['Answered by', <HostileText key="by" text={by} />],
        ['Answered', <RelativeTime key="at" at={at} />],
        ['Note', note === null || note === '' ? null : <HostileText key="note" text={note} />],
        [
          'Written into',
          published === null || where === null ? null : may('read:Policy') ? (
            <Link key="where" href={`/policies/${encodeURIComponent(published.policy)}/publish`}>
              <HostileText text={where} />
            </Link>
          ) : (
            <HostileText key="where" text={where} />
          ),
        ],
        [
          'In force',
          published === null
            ? null
            : fourEyes
              ? 'as soon as somebody else has reviewed that revision'
              : 'with the next policy that the machine receives',
        ],
      ]}
    />
  );
}
