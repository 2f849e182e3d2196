import { Controller, Inject, Query } from '@nestjs/common';
import { isoNow } from '@wrongstack/contracts';
import { ControlPlane } from '../control/control-plane.js';
import { Route } from '../http/route.handler.js';
import { OVERVIEW } from './overview-schemas.js';
import { type Overview, overviewOf } from './overview.js';

/** Counting is work: whoever looks within this time of another sees the same. */
const KEPT_MS = 10_000;

@Controller('v1/overview')
export class OverviewController {
  readonly #kept = new Map<number, { readonly at: number; readonly overview: Promise<Overview> }>();

  constructor(@Inject(ControlPlane) private readonly control: ControlPlane) {}

  @Route('GET', '', {
    summary: 'Calls, denials, answers, approvals and machines of the last hours',
    ability: ['read', 'Fleet'],
    query: { hours: { type: 'integer', minimum: 1, maximum: 24 * 31, default: 24 } },
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
}
