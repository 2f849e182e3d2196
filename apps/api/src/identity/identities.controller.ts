import { Body, Controller, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { GroupMapping, Page, UserRecord } from '@wrongstack/contracts/control';
import { whoAmISchema, type WhoAmI } from '@wrongstack/contracts/wire';
import { abilityNames } from '../auth/ability-names.js';
import { type Principal, ROLES } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { ApiProblem } from '../errors/api-problem.js';
import { entityTag, versionIn } from '../http/entity-tag.js';
import { PAGE_QUERY, type PageQuery, pageSchema } from '../http/page.js';
import type { Reply } from '../http/reply.js';
import { Caller, Route } from '../http/route.handler.js';
import { ChangeGroupMappings } from './change-group-mappings.command.js';
import { ChangeSettings } from './change-settings.command.js';
import { ChangeUser, type UserChange } from './change-user.command.js';
import { GROUP_MAPPINGS, ROLE_TABLE, USER, USER_CHANGE } from './identity-schemas.js';
import { checkIssuer } from './issuer.js';
import { readSettings, SETTINGS, type Settings, storedSettings } from './settings.js';
import { whoIs } from './who-is.js';

/** Who there is, and what the organisation has settled. */
@Controller('v1')
export class IdentitiesController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('GET', 'whoami', {
    summary: 'Who you are here',
    ability: 'signed-in',
    answers: { 200: { description: 'You.', schema: whoAmISchema } },
  })
  async whoami(@Caller() caller: Principal): Promise<WhoAmI> {
    return whoIs(this.control, caller);
  }

  @Route('GET', 'users', {
    summary: 'People',
    ability: ['read', 'User'],
    query: PAGE_QUERY,
    answers: { 200: { description: 'People, by id.', schema: pageSchema(USER) } },
  })
  users(@Query() query: PageQuery): Promise<Page<UserRecord>> {
    return this.control.store.identities.users(query);
  }

  @Route('PUT', 'users/:id', {
    summary: 'Make a person known (If-Match: "0"), or change teams, roles or standing',
    ability: ['update', 'User'],
    body: USER_CHANGE,
    concurrency: 'if-match',
    answers: { 200: { description: 'The person as they are now.', schema: USER } },
    problems: { 404: 'No such person.', 409: 'You cannot take the admin role from yourself.' },
  })
  async changeUser(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() change: UserChange,
    @Headers('if-match') tag: string,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<UserRecord> {
    if (!/^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/.test(id))
      throw new ApiProblem(400, 'request.invalid', 'a user id has letters, digits, and . _ @ -');
    if (id === caller.user && (change.disabled || !change.roles.includes('admin')))
      throw new ApiProblem(
        409,
        'user.self',
        'another admin must take this from you: nobody locks the door behind themselves',
      );
    const user = await this.commands.execute(new ChangeUser(caller, id, change, versionIn(tag)));
    reply.header('etag', entityTag(user.etag));
    return user;
  }

  @Route('GET', 'roles', {
    summary: 'What each role may do',
    ability: ['read', 'User'],
    answers: { 200: { description: 'From the table that every route asks.', schema: ROLE_TABLE } },
  })
  roles(): { readonly roles: readonly object[] } {
    const person = { kind: 'user', scopes: null, user: 'anybody' } as const;
    return { roles: ROLES.map((role) => ({ role, ...abilityNames({ ...person, roles: [role] }) })) };
  }

  @Route('GET', 'group-mappings', {
    summary: 'What the groups of the identity provider mean here',
    ability: ['read', 'User'],
    answers: { 200: { description: 'The table.', schema: GROUP_MAPPINGS } },
  })
  async groups(@Res({ passthrough: true }) reply: Reply): Promise<{ mappings: readonly GroupMapping[] }> {
    const { etag, value } = await this.control.store.identities.groupMappings();
    reply.header('etag', entityTag(etag));
    return { mappings: value };
  }

  @Route('PUT', 'group-mappings', {
    summary: 'Replace that table',
    ability: ['update', 'User'],
    body: GROUP_MAPPINGS,
    concurrency: 'if-match',
    answers: { 200: { description: 'The table as it is now.', schema: GROUP_MAPPINGS } },
  })
  async changeGroups(
    @Caller() caller: Principal,
    @Body() body: { readonly mappings: readonly GroupMapping[] },
    @Headers('if-match') tag: string,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<{ mappings: readonly GroupMapping[] }> {
    const { etag, value } = await this.commands.execute(
      new ChangeGroupMappings(caller, body.mappings, versionIn(tag)),
    );
    reply.header('etag', entityTag(etag));
    return { mappings: value };
  }

  @Route('GET', 'settings', {
    summary: 'What the organisation has settled',
    ability: ['read', 'Settings'],
    answers: { 200: { description: 'The settings.', schema: SETTINGS } },
  })
  async settings(@Res({ passthrough: true }) reply: Reply): Promise<Settings> {
    const { etag, value } = await readSettings(this.control.store);
    reply.header('etag', entityTag(etag));
    return value;
  }

  @Route('PUT', 'settings', {
    summary: 'Replace the settings',
    ability: ['update', 'Settings'],
    body: SETTINGS,
    concurrency: 'if-match',
    answers: { 200: { description: 'The settings as they are now.', schema: SETTINGS } },
  })
  async changeSettings(
    @Caller() caller: Principal,
    @Body() settings: Settings,
    @Headers('if-match') tag: string,
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<Settings> {
    if (settings.oidc !== null) checkIssuer(settings.oidc.issuer);
    const { etag } = await this.commands.execute(
      new ChangeSettings(caller, storedSettings(settings), versionIn(tag)),
    );
    reply.header('etag', entityTag(etag));
    return (await readSettings(this.control.store)).value;
  }
}
