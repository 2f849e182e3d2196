import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { isoNow } from '@wrongstack/contracts';
import { type DeviceEnrolment } from '@wrongstack/contracts/control';
import {
  type DecideEnrolment as DecideBody,
  decideEnrolmentSchema,
  type EnrolledAgent,
  enrolledAgentSchema,
  type EnrolmentView,
  enrolmentViewSchema,
  type PollEnrolment,
  pollEnrolmentSchema,
  type StartedEnrolment,
  startedEnrolmentSchema,
  type StartEnrolment as StartBody,
  startEnrolmentSchema,
} from '@wrongstack/contracts/wire';
import type { Principal } from '../auth/principal.js';
import { ControlPlane } from '../control/control-plane.js';
import { RootKey } from '../control/root-key.js';
import { ApiProblem } from '../errors/api-problem.js';
import { Caller, Route } from '../http/route.handler.js';
import { ClaimEnrolment } from './claim-enrolment.command.js';
import { DecideEnrolment } from './decide-enrolment.command.js';
import { StartEnrolment } from './start-enrolment.command.js';

/** Devices that want to be let in: one shows a code, a person who is signed in elsewhere confirms it. */
@Controller('v1/enrolments')
export class EnrolmentsController {
  constructor(
    @Inject(ControlPlane) private readonly control: ControlPlane,
    @Inject(RootKey) private readonly root: RootKey,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Route('POST', '', {
    summary: 'Ask to be let in; answers with the code to show',
    ability: 'public',
    body: startEnrolmentSchema,
    answers: { 201: { description: 'The codes.', schema: startedEnrolmentSchema } },
  })
  start(@Body() body: StartBody): Promise<StartedEnrolment> {
    return this.commands.execute(new StartEnrolment(body));
  }

  @Route('POST', 'token', {
    summary: 'Ask whether one was let in',
    ability: 'public',
    body: pollEnrolmentSchema,
    answers: { 200: { description: 'The new agent.', schema: enrolledAgentSchema } },
    problems: { 400: 'enrolment.pending, enrolment.denied or enrolment.expired.' },
  })
  async claim(@Body() { deviceCode }: PollEnrolment): Promise<EnrolledAgent> {
    const identity = await this.commands.execute(new ClaimEnrolment(deviceCode));
    return { ...identity, rootKey: this.root.publicKey };
  }

  @Route('GET', ':userCode', {
    summary: 'The device behind a code, before one confirms it',
    ability: ['read', 'Enrolment'],
    answers: { 200: { description: 'The device.', schema: enrolmentViewSchema } },
    problems: { 404: 'No device waits with this code.' },
  })
  async show(@Param('userCode') userCode: string): Promise<EnrolmentView> {
    const enrolment = await this.control.store.agents.enrolmentByUserCode(userCode.toUpperCase());
    if (enrolment === null) throw new ApiProblem(404, 'enrolment.unknown', 'no device waits with this code');
    return viewOf(enrolment, isoNow(this.control.clock));
  }

  @Route('POST', ':userCode/decision', {
    summary: 'Let the device in as your agent, or not',
    ability: ['decide', 'Enrolment'],
    body: decideEnrolmentSchema,
    answers: { 200: { description: 'The device.', schema: enrolmentViewSchema } },
    problems: { 404: 'No device waits with this code.', 409: 'Decided already.', 410: 'Expired.' },
  })
  async decide(
    @Caller() caller: Principal,
    @Param('userCode') userCode: string,
    @Body() { approve, team }: DecideBody,
  ): Promise<EnrolmentView> {
    const enrolment = await this.commands.execute(
      new DecideEnrolment(caller, userCode.toUpperCase(), approve, team),
    );
    return viewOf(enrolment, isoNow(this.control.clock));
  }
}

function viewOf(
  { userCode, device, createdAt, expiresAt, state }: DeviceEnrolment,
  now: string,
): EnrolmentView {
  const { name, host, version, platform } = device;
  return {
    userCode,
    client: { name, host: host ?? 'unknown', version: version ?? 'unknown', platform: platform ?? 'unknown' },
    createdAt,
    expiresAt,
    state: state.is === 'pending' && expiresAt <= now ? 'expired' : state.is,
  };
}
