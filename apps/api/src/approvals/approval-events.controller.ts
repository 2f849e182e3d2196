import { Controller, Headers, Inject, Res } from '@nestjs/common';
import { isoNow } from '@wrongstack/contracts';
import { abilitiesOf } from '../auth/compile-ability.js';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { closedSignal, sendEvents, STILL_THERE, type StreamEvent } from '../http/event-stream.js';
import type { Reply } from '../http/reply.js';
import { Caller, Route } from '../http/route.handler.js';
import { approvalView, PeoplesNames } from './approval-views.js';
import { type ApprovalChange, ApprovalWatch } from './approval-watch.js';

const QUIET_MS = 15_000;

/** Changes of requests as they happen. The id of an event is its place in the audit log, so none is missed or told twice. */
@Controller('v1/approvals/events')
export class ApprovalEventsController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(ApprovalWatch) private readonly watch: ApprovalWatch,
  ) {}

  @Route('GET', '', {
    summary: 'Tells what is asked, answered, used, withdrawn and over',
    ability: ['read', 'Approval'],
    answers: {
      200: {
        description: 'Events `approval` with `action` and the request as it is now. `Last-Event-ID` resumes.',
        mediaType: 'text/event-stream',
        schema: { type: 'string' },
      },
    },
  })
  async events(
    @Caller() caller: Principal,
    @Headers('last-event-id') last: string | undefined,
    @Res() reply: Reply,
  ): Promise<void> {
    const from = last === undefined ? await this.watch.head() : placeIn(last);
    const closed = closedSignal(reply);
    return sendEvents(reply, this.#changes(caller, from, closed), closed);
  }

  async *#changes(
    caller: Principal,
    from: number,
    closed: AbortSignal,
  ): AsyncGenerator<StreamEvent | typeof STILL_THERE> {
    // Said at once, so that a client knows that it is heard.
    yield STILL_THERE;
    for (let told = from; !closed.aborted && !this.watch.stopped;) {
      // Taken before the log is read: what is appended meanwhile is read next time.
      const head = await this.watch.head();
      for await (const change of this.watch.since(told, closed)) {
        told = change.seq;
        const event = await this.#eventOf(caller, change);
        if (event !== null) yield event;
      }
      told = Math.max(told, head);
      yield STILL_THERE;
      await this.watch.next(QUIET_MS, closed);
    }
  }

  /** Null where it is none of the caller's business. */
  async #eventOf(caller: Principal, { seq, action, approval }: ApprovalChange): Promise<StreamEvent | null> {
    const { store, clock } = this.control;
    const request = await store.approvals.get(approval, isoNow(clock));
    if (request === null) return null;
    if (!abilitiesOf(caller).may('read', 'Approval', { owner: request.requester })) return null;
    const view = await approvalView(request, new PeoplesNames(store), caller);
    return { name: 'approval', id: seq, data: { action, approval: view } };
  }
}

function placeIn(last: string): number {
  if (/^\d{1,15}$/.test(last)) return Number(last);
  throw new ApiProblem(400, 'request.invalid', 'Last-Event-ID must be the id of an event of this stream');
}
