import {
  type RegisteredTool,
  type RiskTier,
  type Tool,
  type ToolPermission,
  WrongStackError,
} from '@wrongstack/contracts';

const PERMISSION_ORDER: readonly ToolPermission[] = ['auto', 'confirm', 'deny'];
const RISK_ORDER: readonly RiskTier[] = ['safe', 'standard', 'destructive'];

/**
 * A wrapper may only tighten: permission and risk tier at least the original's, its capabilities included, its claims
 * kept. Throws `tool.wrap_loosens` and names the field.
 */
export function assertTightens(original: RegisteredTool, wrapped: Tool): void {
  // A wrapper may be plain JavaScript that forgot its return.
  if (typeof wrapped !== 'object' || (wrapped as unknown) === null)
    throw new WrongStackError('tool.invalid', `tool ${original.name}: what wraps it must return a tool`);
  if (wrapped.name !== original.name) throw loosens(original, 'name', 'must stay the same');
  if (
    rank(PERMISSION_ORDER, wrapped.permission, 'confirm') <
    rank(PERMISSION_ORDER, original.permission, 'confirm')
  ) {
    throw loosens(
      original,
      'permission',
      `is ${original.permission} and cannot become ${wrapped.permission}`,
    );
  }
  if (rank(RISK_ORDER, wrapped.riskTier, 'standard') < rank(RISK_ORDER, original.riskTier, 'standard')) {
    throw loosens(
      original,
      'riskTier',
      `is ${original.riskTier ?? 'standard'} and cannot become ${wrapped.riskTier ?? 'standard'}`,
    );
  }
  if (original.mutating && !wrapped.mutating) throw loosens(original, 'mutating', 'cannot become false');
  if (original.riskPerCall === true && wrapped.riskPerCall !== true)
    throw loosens(original, 'riskPerCall', 'cannot be dropped');
  for (const capability of original.capabilities ?? []) {
    if (!(wrapped.capabilities ?? []).includes(capability)) {
      throw loosens(original, 'capabilities', `must still include ${capability}`);
    }
  }
}

/**
 * The wrapped tool with the union of both claims: a wrapper can claim more, never less. Where either does not say, the
 * claim is missing, which policies read as unknown.
 */
export function withUnitedClaims(original: RegisteredTool, wrapped: Tool): Tool {
  const outer = wrapped.describeCall?.bind(wrapped);
  const inner = original.describeCall;
  if (inner === undefined || outer === undefined || outer === inner)
    return inner === undefined
      ? { ...wrapped, describeCall: () => ({}) }
      : { ...wrapped, describeCall: inner };
  return {
    ...wrapped,
    describeCall(input: unknown, ctx) {
      const first = inner(input, ctx);
      const second = outer(input, ctx);
      return {
        ...(first.paths && second.paths && { paths: [...first.paths, ...second.paths] }),
        ...(first.urls && second.urls && { urls: [...first.urls, ...second.urls] }),
        // Two different commands cannot be told as one: unknown.
        ...(sameCommand(first.command, second.command) && { command: first.command }),
        ...(first.cwd !== undefined && first.cwd === second.cwd && { cwd: first.cwd }),
      };
    },
  };
}

function sameCommand(a: unknown, b: unknown): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

function rank<T>(order: readonly T[], value: T | undefined, missing: T): number {
  return order.indexOf(value ?? missing);
}

function loosens(tool: RegisteredTool, field: string, fault: string): WrongStackError {
  return new WrongStackError('tool.wrap_loosens', `wrapping ${tool.name}: ${field} ${fault}`, {
    path: `/${field}`,
  });
}
