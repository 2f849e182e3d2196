import { Controller, Inject } from '@nestjs/common';
import { CANONICAL_CAPABILITIES } from '@wrongstack/contracts';
import { parts } from '@wrongstack/contracts/wire';
import { policySchema } from '@wrongstack/policy';
import { ROLES } from '../auth/principal.js';
import { allPolicies } from '../bundles/live-documents.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiHost } from '../host/api-host.js';
import { Route } from '../http/route.handler.js';

const { anyObject, flag, list, oneOf, open, orNull } = parts;
const TEXT = { type: 'string' } as const;

const TOOL = open({
  name: TEXT,
  owner: { ...TEXT, description: '`core`, or a plugin.' },
  description: TEXT,
  capabilities: list(TEXT, 100),
  mutating: flag,
  riskTier: orNull(oneOf('safe', 'standard', 'destructive')),
  permission: oneOf('auto', 'confirm', 'deny'),
  inputSchema: anyObject,
});
const LANGUAGE = open({
  schema: { ...anyObject, description: 'JSON Schema (draft-07) of policy documents.' },
  capabilities: list(TEXT, 1000),
  roles: list(TEXT, 20),
  teams: { ...list(TEXT, 10_000), description: 'That have machines, or a policy of their own.' },
  sets: { ...list(TEXT, 100), description: 'Built in: usable as `set:<name>` in command.argv.' },
  tools: list(TOOL, 10_000),
});

/** What policies are written with: for an editor that completes, and a form. */
@Controller('v1/policy-language')
export class PolicyLanguageController {
  constructor(
    @Inject(ApiHost) private readonly host: ApiHost,
    @Inject(ControlPlane) private readonly control: ControlPlane,
  ) {}

  @Route('GET', '', {
    summary: 'The schema of documents, and the names that rules and tests can use',
    ability: ['read', 'Policy'],
    answers: { 200: { description: 'The language, with the tools of this server.', schema: LANGUAGE } },
  })
  async show(): Promise<object> {
    return {
      schema: await policySchema(),
      capabilities: [...CANONICAL_CAPABILITIES, 'unknown', '*'],
      roles: [...ROLES],
      teams: await this.#teams(),
      sets: ['readOnlyCommands'],
      tools: this.host.kernel.tools.list().map((tool) => ({
        name: tool.name,
        owner: tool.owner,
        description: tool.description,
        capabilities: tool.capabilities ?? [],
        mutating: tool.mutating,
        riskTier: tool.riskTier ?? null,
        permission: tool.permission,
        inputSchema: tool.inputSchema,
      })),
    };
  }

  async #teams(): Promise<readonly string[]> {
    const { store } = this.control;
    const machines = await store.fleet.counts('team', {});
    const policies = await allPolicies(store);
    const names = [
      ...machines.flatMap(({ value }) => (value === null ? [] : [value])),
      ...policies.flatMap(({ tier, ref }) => (tier === 'team' ? [ref] : [])),
    ];
    return [...new Set(names)].sort();
  }
}
