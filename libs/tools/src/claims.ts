import type { ClaimContext, PathClaim, ToolClaims } from '@wrongstack/contracts';

/** Claims of a call that reaches these paths, and no command and no host. */
export function pathClaims(paths: readonly PathClaim[], { cwd }: ClaimContext): ToolClaims {
  return { paths, command: null, cwd, urls: [] };
}

/** Claims of a call that reaches nothing of the project's: what it works on is the agent's own, or answers for itself. */
export function noClaims(_input: unknown, ctx: ClaimContext): ToolClaims {
  return pathClaims([], ctx);
}
