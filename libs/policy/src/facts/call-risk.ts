import type { CommandFacts, RiskTier, ToolCall } from '@wrongstack/contracts';

export interface CallRisk {
  /** For rules: `unknown` when no tier was ever declared. */
  readonly riskTier: RiskTier | 'unknown';
  readonly callRisk: RiskTier;
  readonly riskReasons: readonly string[];
}

const ORDER: readonly RiskTier[] = ['safe', 'standard', 'destructive'];

/** The stricter of what the tool declares and what this very call would run. */
export function callRiskOf(
  tool: ToolCall['tool'],
  command: CommandFacts | null | 'unknown',
  claimsTrusted: boolean,
): CallRisk {
  const declared = readTier(tool.riskTier);
  if (tool.riskPerCall !== true) {
    const callRisk =
      command === null || command === 'unknown'
        ? (declared ?? 'standard')
        : stricter(declared ?? 'standard', classOf(command));
    const reasons = reasonsOf(command, tool, callRisk);
    return { riskTier: declared === null ? 'unknown' : callRisk, callRisk, riskReasons: reasons };
  }
  // The tier of such a tool is the class of its command: one that cannot be seen could be anything.
  if (command === 'unknown') {
    return {
      riskTier: 'unknown',
      callRisk: 'destructive',
      riskReasons: ['a command that the tool did not describe'],
    };
  }
  const own = command === null ? (declared ?? 'standard') : classOf(command);
  // Claims of a plugin must not talk its declared tier down.
  const callRisk = claimsTrusted ? own : stricter(declared ?? 'standard', own);
  return { riskTier: callRisk, callRisk, riskReasons: reasonsOf(command, tool, callRisk) };
}

/** Ordinary and opaque commands rank as standard; opaque ones are asked about as unparsed. */
function classOf(command: CommandFacts): RiskTier {
  return command.commands.some((one) => one.risk === 'destructive') ? 'destructive' : 'standard';
}

function reasonsOf(
  command: CommandFacts | null | 'unknown',
  tool: ToolCall['tool'],
  callRisk: RiskTier,
): readonly string[] {
  if (callRisk !== 'destructive') return [];
  const named =
    command === null || command === 'unknown'
      ? []
      : command.commands.filter((one) => one.risk === 'destructive').map((one) => one.riskReason ?? one.text);
  return named.length > 0 ? [...new Set(named)] : [`tool ${tool.name} is declared destructive`];
}

function readTier(tier: unknown): RiskTier | null {
  return ORDER.find((known) => known === tier) ?? null;
}

function stricter(a: RiskTier, b: RiskTier): RiskTier {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}
