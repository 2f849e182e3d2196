import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { ControlPlane } from '../control/control-plane.js';
import { closedSignal, sendEvents, STILL_THERE, type StreamEvent } from '../http/event-stream.js';
import type { Reply } from '../http/reply.js';
import { Route } from '../http/route.handler.js';
import { ROLLOUT_REPORT, rolloutReport, type RolloutReport } from './rollout-report.js';
import { unknownPolicy, unknownRevision } from './unknown-policy.js';

/** How often a chart moves. */
const LOOK_EVERY_MS = 5_000;
/** Counting is work: whoever looks within this time of another sees the same. */
const KEPT_MS = 2_000;
const MOST_KEPT = 100;
const NUMBER = { n: { type: 'integer', minimum: 1, maximum: 1_000_000_000 } };
const HOURS = { hours: { type: 'integer', minimum: 1, maximum: 24 * 7, default: 6 } };
const PROBLEMS = { 404: 'No such policy or revision.' };

interface Asked {
  readonly policy: string;
  readonly number: number;
  readonly hours: number;
}

/** How staged revisions go. */
@Controller('v1/policies/:id/revisions/:n/rollout')
export class RolloutsController {
  readonly #kept = new Map<string, { readonly at: number; readonly report: Promise<RolloutReport> }>();

  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(PublicationWatch) private readonly watch: PublicationWatch,
  ) {}

  @Route('GET', '', {
    summary: 'Decisions of those who have the revision and of the others, now and over time',
    ability: ['read', 'Publication'],
    params: NUMBER,
    query: HOURS,
    answers: { 200: { description: 'How it goes.', schema: ROLLOUT_REPORT } },
    problems: PROBLEMS,
  })
  show(
    @Param('id') policy: string,
    @Param('n') number: string,
    @Query() { hours }: { readonly hours: number },
  ): Promise<RolloutReport> {
    return this.#report({ policy, number: Number(number), hours });
  }

  @Route('GET', 'events', {
    summary: 'The same as it changes',
    ability: ['read', 'Publication'],
    params: NUMBER,
    query: HOURS,
    answers: {
      200: {
        description:
          'Events `rollout`, each the whole report: the first at once, then whenever it is another.',
        mediaType: 'text/event-stream',
        schema: { type: 'string' },
      },
    },
    problems: PROBLEMS,
  })
  async events(
    @Param('id') policy: string,
    @Param('n') number: string,
    @Query() { hours }: { readonly hours: number },
    @Res() reply: Reply,
  ): Promise<void> {
    const asked = { policy, number: Number(number), hours };
    // What is not there is an answer like any other, and no stream.
    await this.#report(asked);
    const closed = closedSignal(reply);
    return sendEvents(reply, this.#changes(asked, closed), closed);
  }

  async *#changes(asked: Asked, closed: AbortSignal): AsyncGenerator<StreamEvent | typeof STILL_THERE> {
    let told = '';
    while (!closed.aborted) {
      const { news } = this.watch;
      const report = await this.#report(asked);
      // The steps move with the clock: what is counted in them is what may be news.
      const now = JSON.stringify({
        ...report,
        series: report.series.map(({ from: _, ...counts }) => counts),
      });
      if (now === told) yield STILL_THERE;
      else yield { name: 'rollout', id: this.control.clock.now(), data: report };
      told = now;
      // What is halted or taken further is seen at once.
      if (this.watch.news === news) await this.watch.next(LOOK_EVERY_MS, closed);
    }
  }

  #report(asked: Asked): Promise<RolloutReport> {
    const { clock } = this.control;
    const key = JSON.stringify([asked, this.watch.news]);
    const known = this.#kept.get(key);
    if (known !== undefined && Math.abs(clock.now() - known.at) < KEPT_MS) return known.report;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    const report = this.#read(asked);
    this.#kept.set(key, { at: clock.now(), report });
    report.catch(() => this.#kept.delete(key));
    return report;
  }

  async #read({ policy, number, hours }: Asked): Promise<RolloutReport> {
    const { store, clock } = this.control;
    const record = await store.policies.get(policy);
    if (record === null) throw unknownPolicy();
    const revision = await store.policies.revision(policy, number);
    if (revision === null) throw unknownRevision();
    return rolloutReport(store, record, revision, hours, clock.now());
  }
}
