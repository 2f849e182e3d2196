import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import type { ControlPorts, ExceptionRequest } from '@wrongstack/contracts/control';
import { requireAbility } from '../auth/caller.js';
import type { Principal } from '../auth/principal.js';
import { PublicationWatch } from '../bundles/publication-watch.js';
import { recordAction } from '../control/action-trail.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { ApiHost } from '../host/api-host.js';
import { readSettings } from '../identity/settings.js';
import { checkText, publishText } from '../policies/publish-text.js';
import { EVERYBODY } from '../policies/put-in-force.js';
import { revisionToExcept, textWithException } from './exception-text.js';
import { unknownException } from './exception-views.js';

/** Grants, as a dated exception in the denying rule's own document, or refuses. */
export class DecideExceptionRequest extends Command<ExceptionRequest> {
  constructor(
    readonly by: Principal,
    readonly id: string,
    readonly grant: boolean,
    /** Null = as long as it was asked for. */
    readonly until: string | null,
    readonly note: string | null,
  ) {
    super();
  }
}

const LONGEST_MS = 90 * 24 * 3_600_000;

@CommandHandler(DecideExceptionRequest)
export class DecideExceptionRequestHandler implements ICommandHandler<DecideExceptionRequest> {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApiHost) private readonly host: ApiHost,
    @Inject(PublicationWatch) private readonly watch: PublicationWatch,
  ) {}

  async execute({ by, id, grant, until, note }: DecideExceptionRequest): Promise<ExceptionRequest> {
    const { store, clock } = this.control;
    const request = await store.exceptionRequests.get(id);
    if (request === null) throw unknownException();
    requireAbility(by, 'decide', 'ExceptionRequest', { owner: request.requester }, unknownException());
    if (request.requester === by.user)
      throw new ApiProblem(403, 'exception.own_request', 'somebody other than the requester must decide');
    const at = isoNow(clock);
    if (!grant)
      return store.transaction((tx) =>
        decided(tx, by, request, { is: 'refused', note, published: null }, at),
      );
    const granted = await this.#grant(by, request, endOf(request, until, clock.now()), note, at);
    this.watch.published();
    return granted;
  }

  async #grant(
    by: Principal,
    request: ExceptionRequest,
    until: string,
    note: string | null,
    at: string,
  ): Promise<ExceptionRequest> {
    const { store } = this.control;
    const { document } = request.rule;
    const policy = await store.policies.get(document);
    if (policy === null)
      throw new ApiProblem(409, 'exception.not_central', `${document} is no policy of this control plane`);
    const newest = await store.policies.revision(document, policy.newestRevision);
    const active = revisionToExcept(policy, await store.policies.liveRevisions(), newest);
    const text = await textWithException(active, request, until);
    await checkText(this.control, this.host.kernel.tools.list(), document, text);
    const { value } = await readSettings(store);
    return store.transaction(async (tx) => {
      const revision = await publishText(
        tx,
        by,
        {
          policy: document,
          text,
          expectedRevision: policy.newestRevision,
          note: `exception ${request.id} for ${request.requester} until ${until}`,
          rollout: EVERYBODY,
        },
        value.fourEyes,
        at,
      );
      const published = { policy: document, revision: revision.number };
      return decided(tx, by, request, { is: 'granted', note, published }, at);
    });
  }
}

/** In the future, and not for ever. */
function endOf({ wantedUntil }: ExceptionRequest, until: string | null, now: number): string {
  const end = until ?? wantedUntil;
  if (end === null)
    throw new ApiProblem(422, 'exception.no_end', 'an exception ends: say until when it should hold');
  const time = Date.parse(end);
  if (!(time > now && time <= now + LONGEST_MS))
    throw new ApiProblem(422, 'exception.end', 'until must lie in the future, and at most 90 days from now');
  return new Date(time).toISOString();
}

async function decided(
  tx: ControlPorts,
  by: Principal,
  { id }: ExceptionRequest,
  decision: {
    readonly is: 'granted' | 'refused';
    readonly note: string | null;
    readonly published: { readonly policy: string; readonly revision: number } | null;
  },
  at: string,
): Promise<ExceptionRequest> {
  const outcome = await tx.exceptionRequests.decide(id, { ...decision, by: by.user, at });
  if (!outcome.ok) {
    if (outcome.reason === 'unknown') throw unknownException();
    throw new ApiProblem(409, 'exception.closed', `the request was ${outcome.request.state.is} already`);
  }
  const { is, published } = decision;
  await recordAction(tx, by, `exception.${is}`, { exception: id, published }, at);
  return outcome.request;
}
