import { WrongStackError, type Context, type RichToolOutput, type Tool } from '@wrongstack/contracts';
import { badInput, optionalText, rawInput, shown } from '../read-input.js';
import { noClaims } from '../claims.js';

export interface ModeInput {
  /** Plan is the one way: leaving it is the person's. */
  readonly mode: 'plan';
  readonly reason?: string;
}

export interface ModeToolOptions {
  /**
   * Puts the session into plan mode. The host's to give, since the host alone knows where the mode of a session is
   * kept; it can be called again without harm.
   */
  readonly tighten?: (ctx: Context) => void | Promise<void>;
}

/** What the model asked for, in the session's shared state. */
export const REQUESTED_MODE_KEY = 'requestedMode';

/** Only tightens: there is no input for which more is allowed afterwards than before. */
export function createModeTool(options: ModeToolOptions = {}): Tool<ModeInput, RichToolOutput> {
  return {
    name: 'mode',
    description: 'Switch to plan mode: from then on only reading is allowed, until the person leaves it.',
    inputSchema: {
      type: 'object',
      properties: { mode: { type: 'string', enum: ['plan'] }, reason: { type: 'string' } },
      required: ['mode'],
      additionalProperties: false,
    },
    permission: 'auto',
    mutating: false,
    riskTier: 'safe',
    capabilities: ['session.mode'],
    category: 'Session',
    idempotent: true,
    timeoutMs: 5_000,
    maxOutputBytes: 2_000,
    execute: async (input, ctx, opts) => {
      const raw = rawInput(input);
      if (raw['mode'] !== 'plan') {
        throw badInput('mode', 'must be plan: the person alone can leave plan mode or loosen anything');
      }
      optionalText(raw, 'reason');
      opts.signal.throwIfAborted();
      if (options.tighten === undefined) {
        throw new WrongStackError('mode.unavailable', 'this host has no plan mode: nothing changed');
      }
      await options.tighten(ctx);
      ctx.meta[REQUESTED_MODE_KEY] = 'plan';
      const text = 'plan mode: only reading is allowed now; the person can leave it';
      return { content: [{ type: 'text', text }], meta: { mode: 'plan' } };
    },
    describeCall: noClaims,
    presentCall: (input) => {
      const reason = shown(input, 'reason');
      return {
        card: 'generic',
        kind: 'other',
        title: 'switch to plan mode',
        ...(reason === '' ? {} : { content: [{ type: 'text', text: reason }] }),
      };
    },
    presentResult: (_input, result) => ({
      card: 'generic',
      title: result.isError ? 'plan mode was not switched on' : 'plan mode',
      content: result.content,
    }),
  };
}
