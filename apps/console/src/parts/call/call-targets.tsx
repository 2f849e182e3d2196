import { HostileText } from '../hostile-text.js';
import { Section } from '../section.js';
import { Badge } from '../verdict-badge.js';
import type { CallFacts } from './call-facts.js';
import classes from './call-targets.module.css';

const LOUD = /OUTSIDE|leaves the project|cannot be resolved|unparsed/;

/** What it would touch, as the engine resolved it: links followed, commands taken apart. */
export function CallTargets({ facts }: { readonly facts: CallFacts }) {
  const { commands, paths, hosts, unknown, riskReasons } = facts;
  if (commands.length + paths.length + hosts.length + unknown.length + riskReasons.length === 0) return null;
  return (
    <Section title="What it touches">
      <ul className={classes['list']}>
        {riskReasons.map((reason) => (
          <Target key={`risk ${reason}`} what="risk" name={reason} notes={['DESTRUCTIVE']} loud />
        ))}
        {paths.map(({ path, access, notes }, index) => (
          <Target
            key={index}
            what={access}
            name={path}
            notes={notes}
            loud={notes.some((note) => LOUD.test(note))}
          />
        ))}
        {hosts.map((host) => (
          <Target key={host} what="network" name={host} notes={[]} />
        ))}
        {commands.map(({ text, notes }, index) => (
          <Target
            key={index}
            what="runs"
            name={text}
            notes={notes}
            loud={notes.some((note) => LOUD.test(note))}
          />
        ))}
        {unknown.map((name) => (
          <Target
            key={`unknown ${name}`}
            what="unknown"
            name={name}
            notes={['could not be determined']}
            loud
          />
        ))}
      </ul>
    </Section>
  );
}

interface TargetProps {
  readonly what: string;
  readonly name: string;
  readonly notes: readonly string[];
  readonly loud?: boolean;
}

function Target({ what, name, notes, loud = false }: TargetProps) {
  return (
    <li className={classes['target']}>
      <span className={classes['what']}>{what}</span>
      <code className={classes['name']}>
        <HostileText text={name} />
      </code>
      {notes.length === 0 ? null : (
        <Badge tone={loud ? 'deny' : 'quiet'} {...(loud ? { mark: 'alert' as const } : {})}>
          {notes.join(' · ')}
        </Badge>
      )}
    </li>
  );
}
