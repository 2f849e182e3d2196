import { Body, Controller, Inject, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { BundleRevision, FleetFilter, Heartbeat, Page } from '@wrongstack/contracts/control';
import { type Heartbeat as HeartbeatBody, heartbeatSchema } from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import type { Schema } from '../http/route-contract.js';
import { Caller, Route } from '../http/route.handler.js';
import { DRIFT, DRIFTS, FLEET_STATES, MACHINE } from './fleet-schemas.js';
import { TakeHeartbeat } from './take-heartbeat.command.js';

/** Three heartbeats missed, and then some. */
const SILENT_MS = 15 * 60_000;
/** What tokens and signed times forgive. */
const CLOCK_OFF_MS = 60_000;
const REASONS = ['behind', 'silent', 'stale', 'expired', 'undetermined', 'clock'] as const;
const NAME: Schema = { type: 'string', minLength: 1, maxLength: 200 };

interface FleetQuery extends PageQuery {
  readonly team?: string;
  readonly version?: string;
  readonly state?: (typeof FLEET_STATES)[number];
  readonly silentMinutes?: number;
}

type Drift = (typeof DRIFTS)[number];

/** One machine: what it said last, whose it is, and where it is not as it should be. */
interface Machine extends Heartbeat {
  readonly name: string | null;
  readonly owner: string | null;
  readonly drift: readonly Drift[];
}

/** Who runs what. */
@Controller('v1')
export class FleetController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('POST', 'heartbeats', {
    summary: 'Say which version and which policy you run',
    ability: ['create', 'Heartbeat'],
    body: heartbeatSchema,
    idempotency: 'own',
    answers: { 204: { description: 'Heard.' } },
  })
  async heartbeat(@Caller() caller: Principal, @Body() body: HeartbeatBody): Promise<void> {
    await this.commands.execute(new TakeHeartbeat(caller, body));
  }

  @Route('GET', 'fleet', {
    summary: 'All machines, with version, bundle revision and policy state',
    ability: ['read', 'Fleet'],
    query: {
      ...PAGE_QUERY,
      ...{ team: NAME, version: NAME },
      state: { enum: FLEET_STATES },
      silentMinutes: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    },
    answers: { 200: { description: 'By agent.', schema: pageSchema(MACHINE) } },
  })
  async list(@Query() query: FleetQuery): Promise<Page<Machine>> {
    const { team, version, state, silentMinutes } = query;
    return this.#page(
      {
        ...(team === undefined ? {} : { team }),
        ...(version === undefined ? {} : { version }),
        ...(state === undefined ? {} : { policyState: state }),
        ...(silentMinutes === undefined ? {} : { silentSince: this.#ago(silentMinutes * 60_000) }),
      },
      query,
    );
  }

  @Route('GET', 'fleet/drift', {
    summary: 'Machines that are not as they should be, and how many run what',
    ability: ['read', 'Fleet'],
    query: {
      ...PAGE_QUERY,
      reason: { enum: REASONS, default: 'behind' },
    },
    answers: {
      200: {
        description: 'Where the fleet is not as it should be.',
        schema: DRIFT,
      },
    },
  })
  async drift(
    @Query()
    query: PageQuery & { readonly reason: (typeof REASONS)[number] },
  ): Promise<object> {
    const { fleet } = this.control.store;
    const current = await this.#current();
    const filters: Readonly<Record<typeof query.reason, FleetFilter>> = {
      behind: { belowRevision: current },
      silent: { silentSince: this.#ago(SILENT_MS) },
      stale: { policyState: 'stale' },
      expired: { policyState: 'expired' },
      undetermined: { policyState: 'undetermined' },
      clock: { clockOffMs: CLOCK_OFF_MS },
    };
    const { items, next } = await this.#page(filters[query.reason], query);
    const counts = {
      version: await fleet.counts('version', {}),
      policyState: await fleet.counts('policyState', {}),
      revision: await fleet.counts('revision', {}),
    };
    return { current, counts, items, next };
  }

  async #page(filter: FleetFilter, page: PageQuery): Promise<Page<Machine>> {
    const { store } = this.control;
    const current = await this.#current();
    const { items, next } = await store.fleet.list(filter, page);
    const machines = items.map(async (heartbeat): Promise<Machine> => {
      const agent = await store.agents.get(heartbeat.agent);
      const drift = this.#driftOf(heartbeat, current);
      return { ...heartbeat, name: agent?.name ?? null, owner: agent?.owner ?? null, drift };
    });
    return { items: await Promise.all(machines), next };
  }

  #driftOf(
    { bundle, at, policyState, refused, clockSkewMs }: Heartbeat,
    current: BundleRevision,
  ): readonly Drift[] {
    const behind =
      current.revision > 0 &&
      (bundle === null ||
        bundle.epoch < current.epoch ||
        (bundle.epoch === current.epoch && bundle.revision < current.revision));
    return [
      ...(behind ? (['behind'] as const) : []),
      ...(at < this.#ago(SILENT_MS) ? (['silent'] as const) : []),
      ...(policyState === 'fresh' ? [] : (['state'] as const)),
      ...(refused === null ? [] : (['refused'] as const)),
      ...(Math.abs(clockSkewMs) > CLOCK_OFF_MS ? (['clock'] as const) : []),
    ];
  }

  async #current(): Promise<BundleRevision> {
    return this.control.store.bundleRevision.current();
  }

  #ago(ms: number): string {
    return new Date(this.control.clock.now() - ms).toISOString();
  }
}
