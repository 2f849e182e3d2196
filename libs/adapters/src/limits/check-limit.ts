import { WrongStackError } from '@wrongstack/contracts';

/** Throws `rate_limit.bad_limit`: with a limit that is none, nobody could say what was counted. */
export function checkLimit(max: number, perSeconds: number, now: number): void {
  if (max >= 0 && perSeconds > 0 && Number.isFinite(now)) return;
  throw new WrongStackError('rate_limit.bad_limit', `rate limit ${max} per ${perSeconds} s is not a limit`);
}
