import { Controller, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import {
  MAX_WAIT_SECONDS,
  POLICY_VERSIONS_HEADER,
  type SignedText,
  signedTextSchema,
  TIMESTAMP_HEADER,
} from '@wrongstack/contracts/wire';
import { abilitiesOf } from '../auth/compile-ability.js';
import type { Principal } from '../auth/principal.js';
import { ApiProblem } from '../errors/api-problem.js';
import { closedSignal, sendEvents, STILL_THERE, type StreamEvent } from '../http/event-stream.js';
import type { Reply } from '../http/reply.js';
import { Caller, Route } from '../http/route.handler.js';
import { scopeOf } from '../identity/who-is.js';
import { KeyRing } from '../keys/key-ring.js';
import { BundlePress, type PressedBundle } from './bundle-press.js';
import { PublicationWatch } from './publication-watch.js';

const QUIET_MS = 15_000;

/** What clients must enforce, signed. */
@Controller('v1')
export class BundlesController {
  constructor(
    @Inject(BundlePress) private readonly press: BundlePress,
    @Inject(KeyRing) private readonly keys: KeyRing,
    @Inject(PublicationWatch) private readonly watch: PublicationWatch,
  ) {}

  /** Signed by the root key, so it needs no other protection. */
  @Route('GET', 'keys', {
    summary: 'The keys that sign, vouched for by the root key',
    ability: 'public',
    answers: { 200: { description: 'The key document.', schema: signedTextSchema } },
  })
  async keyDocument(@Res({ passthrough: true }) reply: Reply): Promise<SignedText> {
    const { document, epoch } = await this.keys.signer();
    reply.header('etag', `"${epoch}"`);
    return document;
  }

  /** With `If-None-Match` and `wait`, answers as soon as there is another one, or 304 when the time is over. */
  @Route('GET', 'bundles/:scope', {
    summary: 'What this scope must enforce now',
    ability: ['read', 'Bundle'],
    query: { wait: { type: 'integer', minimum: 0, maximum: MAX_WAIT_SECONDS, description: 'Seconds.' } },
    answers: {
      200: { description: 'The bundle.', schema: signedTextSchema },
      304: { description: 'What you have is the newest; the timestamp says so, signed.' },
    },
    problems: { 403: 'Not your scope.', 404: 'Nothing was ever published.' },
  })
  async bundle(
    @Caller() caller: Principal,
    @Param('scope') scope: string,
    @Query() { wait = 0 }: { readonly wait?: number },
    @Headers('if-none-match') tag: string | undefined,
    @Headers(POLICY_VERSIONS_HEADER) versions: string | undefined,
    @Res() reply: Reply,
  ): Promise<void> {
    requireScope(caller, scope);
    const closed = closedSignal(reply);
    const until = Date.now() + wait * 1000;
    for (;;) {
      const bundle = await this.#for(caller, scope, versions);
      const left = until - Date.now();
      if ((bundle === null || bundle.tag === tag) && left > 0 && !closed.aborted) {
        await this.watch.next(left, closed);
        continue;
      }
      if (bundle === null) throw new ApiProblem(404, 'bundle.none', 'nothing was published yet');
      reply.header(TIMESTAMP_HEADER, await this.press.timestamp(scope)).header('etag', bundle.tag);
      reply.header('cache-control', 'no-cache');
      if (bundle.tag === tag) reply.status(304).send('');
      else reply.status(200).header('content-type', 'application/json; charset=utf-8').send(bundle.text);
      return;
    }
  }

  /** Only that there is something new: the bundle itself is fetched as ever. */
  @Route('GET', 'bundles/:scope/events', {
    summary: 'Tells when there is another bundle',
    ability: ['read', 'Bundle'],
    answers: {
      200: {
        description: 'Events `bundle` with the new tag.',
        mediaType: 'text/event-stream',
        schema: { type: 'string' },
      },
    },
    problems: { 403: 'Not your scope.' },
  })
  async events(
    @Caller() caller: Principal,
    @Param('scope') scope: string,
    @Headers('last-event-id') last: string | undefined,
    @Res() reply: Reply,
  ): Promise<void> {
    requireScope(caller, scope);
    const closed = closedSignal(reply);
    return sendEvents(reply, this.#news(caller, scope, last, closed), closed);
  }

  async *#news(
    caller: Principal,
    scope: string,
    last: string | undefined,
    closed: AbortSignal,
  ): AsyncGenerator<StreamEvent | typeof STILL_THERE> {
    for (let told = last; !closed.aborted;) {
      const bundle = await this.#for(caller, scope, undefined);
      const tag = bundle?.tag.slice(1, -1);
      if (bundle !== null && tag !== undefined && tag !== told) {
        told = tag;
        yield { name: 'bundle', id: tag, data: { tag: bundle.tag, revision: bundle.revision } };
      } else yield STILL_THERE;
      await this.watch.next(QUIET_MS, closed);
    }
  }

  #for(
    { user, teams }: Principal,
    scope: string,
    versions: string | undefined,
  ): Promise<PressedBundle | null> {
    const asked = (versions ?? 'policy.wrongstack/v1').split(',', 10).map((version) => version.trim());
    return this.press.bundleFor(scope, { id: user, teams }, asked);
  }
}

/** One's own, or any for those who may see the fleet. */
function requireScope(caller: Principal, scope: string): void {
  if (scope === scopeOf(caller.teams) || abilitiesOf(caller).mayAny('read', 'Fleet')) return;
  throw new ApiProblem(403, 'auth.forbidden', `your scope is ${scopeOf(caller.teams)}`);
}
