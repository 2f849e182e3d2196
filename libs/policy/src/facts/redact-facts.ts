import { deepFreeze, type CommandFacts, type Facts, type PathFact } from '@wrongstack/contracts';

export type Scrub = (text: string) => string;

/** Facts that may be stored and shown: whatever a caller or a model wrote freely has its secrets masked. */
export function redactFacts(facts: Facts, scrub: Scrub): Facts {
  const optional = (text: string | null): string | null => (text === null ? null : scrub(text));
  const path = (fact: PathFact): PathFact => ({
    ...fact,
    claimed: optional(fact.claimed),
    real: optional(fact.real),
    relative: optional(fact.relative),
  });
  return deepFreeze<Facts>({
    ...facts,
    riskReasons: facts.riskReasons.map(scrub),
    paths: facts.paths === 'unknown' ? facts.paths : facts.paths.map(path),
    command:
      facts.command === null || facts.command === 'unknown'
        ? facts.command
        : redactCommand(facts.command, scrub),
    mcp: facts.mcp === null ? null : { ...facts.mcp, url: optional(facts.mcp.url) },
  });
}

/**
 * A word is masked when it is secret by itself, or when the command line as a whole gives it away: in `--token abc` only
 * the pair shows that `abc` is one.
 */
function redactCommand(command: CommandFacts, scrub: Scrub): CommandFacts {
  const optional = (text: string | null): string | null => (text === null ? null : scrub(text));
  return {
    ...command,
    text: scrub(command.text),
    unparsedReason: optional(command.unparsedReason),
    commands: command.commands.map((one) => {
      const text = scrub(one.text);
      const masked = text !== one.text;
      return {
        ...one,
        text,
        riskReason: optional(one.riskReason),
        through: one.through.map(scrub),
        argv: one.argv.map((word) => {
          if (word === null) return null;
          const scrubbed = scrub(word);
          return scrubbed === word &&
            masked &&
            word.length >= 8 &&
            one.text.includes(word) &&
            !text.includes(word)
            ? '***'
            : scrubbed;
        }),
      };
    }),
  };
}

/** Facts as an approval binds them: without what may differ between asking and running. */
export function stableFacts(facts: Facts): Omit<Facts, 'now' | 'session' | 'background'> {
  const { now: _now, session: _session, background: _background, ...stable } = facts;
  return stable;
}
