import { Link } from 'wouter';
import { Fields } from '../../parts/fields.js';
import { HostileText } from '../../parts/hostile-text.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { SidePanel } from '../../parts/side-panel.js';
import { Badge } from '../../parts/verdict-badge.js';
import { driftWord, type Machine } from './fleet.js';
import classes from './machine-panel.module.css';

const ADVICE: Readonly<Record<Machine['drift'][number], string>> = {
  behind:
    'It holds an older bundle. It pulls by itself; if it stays behind, look at its network or run wstack policy pull there.',
  silent: 'It has said nothing for a while. It may be switched off: nothing runs there then, either.',
  state: 'Its policies are not fresh. What it may do without the centre depends on the grace of its bundle.',
  refused: 'It would not take the bundle it was offered. Look at the reason before anything else.',
  clock: 'Its clock disagrees with the server’s. Set it right: grants, tokens and time windows end by it.',
};

/** One machine: all that it said last, and what to do where it is not as it should be. */
export function MachinePanel({ machine, onClose }: { machine: Machine | null; onClose: () => void }) {
  return (
    <SidePanel
      opened={machine !== null}
      title={<HostileText text={machine?.name ?? machine?.agent ?? ''} />}
      onClose={onClose}
    >
      {machine === null ? null : <MachineDetails machine={machine} />}
    </SidePanel>
  );
}

function MachineDetails({ machine }: { readonly machine: Machine }) {
  const { agent, owner, team, version, platform, bundle, policyState, drift, at, spooled, clockSkewMs } =
    machine;
  return (
    <div className={classes['details']}>
      {drift.map((one) => (
        <div key={one} className={classes['drift']}>
          <Badge tone={one === 'refused' ? 'deny' : 'confirm'} mark="alert">
            {driftWord(one)}
          </Badge>
          <p>{ADVICE[one]}</p>
        </div>
      ))}
      <Fields
        rows={[
          ['Agent', <code key="agent">{agent}</code>],
          ['Owner', <HostileText key="owner" text={owner ?? 'nobody that is known here'} />],
          ['Team', team === null ? null : <HostileText key="team" text={team} />],
          ['Version', <HostileText key="version" text={`${version} on ${platform}`} />],
          [
            'Bundle',
            bundle === null
              ? 'none'
              : `revision ${bundle.revision}, epoch ${bundle.epoch}, for ${bundle.scope}`,
          ],
          ['Policy state', policyState],
          ['Refused', machine.refused === null ? null : <code key="refused">{machine.refused}</code>],
          ['Last word', <RelativeTime key="at" at={at} />],
          ['To be shipped', spooled === 0 ? 'nothing' : `${Math.ceil(spooled / 1024)} KiB of its log`],
          ['Its clock', Math.abs(clockSkewMs) < 2000 ? 'right' : `${Math.round(clockSkewMs / 1000)} s off`],
        ]}
      />
      {owner === null ? null : (
        <Link href={`/audit?actor=${encodeURIComponent(owner)}`}>What it did, in the audit log</Link>
      )}
    </div>
  );
}
