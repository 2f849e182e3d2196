import { Controller, Inject, Query } from '@nestjs/common';
import { isoNow } from '@wrongstack/contracts';
import { ControlPlane } from '../control/control-plane.js';
import { Route } from '../http/route.handler.js';
import { OVERVIEW, USAGE_OVER_TIME } from './overview-schemas.js';
import { type Overview, overviewOf } from './overview.js';
import { type UsageFilter, type UsageOverTime, usageOverTime } from './usage-over-time.js';

const HOURS = { type: 'integer', minimum: 1, maximum: 24 * 31, default: 24 } as const;
const NAME = { type: 'string', minLength: 1, maxLength: 200 } as const;

/** Counting is work: whoever looks within this time of another sees the same. */
const KEPT_MS = 10_000;

@Controller('v1/overview')
export class OverviewController {
  readonly #kept = new Map<number, { readonly at: number; readonly overview: Promise<Overview> }>();

  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  @Route('GET', '', {
    summary: 'Calls, denials, answers, approvals and machines of the last hours',
    ability: ['read', 'Fleet'],
    query: { hours: HOURS },
    answers: {
      200: {
        description: 'Counts, the rules that deny most, and a series over time.',
        schema: OVERVIEW,
      },
    },
  })
  overview(@Query() { hours }: { readonly hours: number }): Promise<Overview> {
    const { store, clock } = this.control;
    const known = this.#kept.get(hours);
    if (known !== undefined && Math.abs(clock.now() - known.at) < KEPT_MS) return known.overview;
    const overview = overviewOf(store, hours, isoNow(clock));
    this.#kept.set(hours, { at: clock.now(), overview });
    overview.catch(() => this.#kept.delete(hours));
    return overview;
  }

  @Route('GET', 'usage', {
    summary: 'Tokens and cost of the last hours, of one model or team if wanted',
    ability: ['read', 'Fleet'],
    query: { hours: HOURS, model: NAME, team: NAME },
    answers: {
      200: {
        description: 'As command lines report it, by model and team, and a series over time.',
        schema: USAGE_OVER_TIME,
      },
    },
  })
  usage(@Query() { hours, ...filter }: { readonly hours: number } & UsageFilter): Promise<UsageOverTime> {
    const { store, clock } = this.control;
    return usageOverTime(store.activity, hours, filter, isoNow(clock));
  }
}
