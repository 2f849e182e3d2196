import type { Role } from './principal.js';

/** What the control plane keeps. One name a kind of thing that a route is about. */
export const SUBJECTS = [
  'Token',
  'User',
  'Settings',
  'Agent',
  'Enrolment',
  'Policy',
  'Publication',
  'Replay',
  'Bundle',
  'Approval',
  'ExceptionRequest',
  'Audit',
  'Fleet',
  'Heartbeat',
  'ToolCall',
  'Task',
  'Run',
  'Queue',
  'Metrics',
  'Usage',
] as const;
export type Subject = (typeof SUBJECTS)[number];

export const ACTIONS = [
  'read',
  'create',
  'update',
  'delete',
  'publish',
  'review',
  'decide',
  'use',
  'export',
] as const;
export type Action = (typeof ACTIONS)[number];

/** What a route does to what. */
export type Ability = readonly [Action, Subject];

/** `mine`: only what belongs to the person. Whether it does is asked with the loaded thing, never by its kind. */
export interface Allowance {
  readonly actions: readonly Action[];
  readonly subjects: readonly Subject[];
  readonly mine?: true;
}

/**
 * Whatever roles an agent carries for its owner: its token lives for an hour on a machine on which a model works, and must not make
 * another that lives on.
 */
export const NEVER_AN_AGENTS: readonly Subject[] = ['Token', 'Agent', 'Enrolment', 'User', 'Settings'];

const ALL: readonly Action[] = ACTIONS;

/** Whoever works with the control plane does so from `wstack` as well: a machine of one's own, and tokens. */
const OWN_MACHINES: readonly Allowance[] = [
  { actions: ['read', 'create', 'delete'], subjects: ['Token', 'Agent'], mine: true },
  { actions: ['read', 'decide'], subjects: ['Enrolment'] },
];

/** Everything that anybody may do, in one table. What is not here nobody may. */
export const ROLE_ABILITIES: Readonly<Record<Role, readonly Allowance[]>> = {
  // Admins rule who may what; they review what editors wrote, and answer no approvals by being admins.
  admin: [
    { actions: ALL, subjects: ['Token', 'User', 'Settings', 'Agent', 'Enrolment', 'Queue', 'Metrics'] },
    {
      actions: ['read', 'create', 'update', 'delete', 'publish', 'review'],
      subjects: ['Policy', 'Publication', 'Replay'],
    },
    {
      actions: ['read', 'export'],
      subjects: ['Approval', 'ExceptionRequest', 'Audit', 'Fleet', 'Bundle', 'Task', 'Run', 'Usage'],
    },
    { actions: ['decide'], subjects: ['ExceptionRequest'] },
    { actions: ['delete'], subjects: ['Task', 'Run'] },
  ],
  policyEditor: [
    {
      actions: ['read', 'create', 'update', 'delete', 'publish', 'review'],
      subjects: ['Policy', 'Publication', 'Replay'],
    },
    { actions: ['read'], subjects: ['Bundle', 'Fleet', 'Audit', 'ExceptionRequest'] },
    { actions: ['decide'], subjects: ['ExceptionRequest'] },
    ...OWN_MACHINES,
  ],
  approver: [{ actions: ['read', 'decide'], subjects: ['Approval'] }, ...OWN_MACHINES],
  auditor: [
    {
      actions: ['read', 'export'],
      subjects: [
        'Audit',
        'Approval',
        'ExceptionRequest',
        'Policy',
        'Publication',
        'Fleet',
        'Bundle',
        'Metrics',
        'Usage',
      ],
    },
    ...OWN_MACHINES,
  ],
  developer: [
    {
      actions: ['read', 'create', 'delete'],
      subjects: ['Token', 'Agent', 'Approval', 'ExceptionRequest', 'Task', 'Run'],
      mine: true,
    },
    { actions: ['create'], subjects: ['ToolCall', 'Metrics'] },
    { actions: ['read', 'decide'], subjects: ['Enrolment'] },
    { actions: ['read'], subjects: ['Bundle'] },
    { actions: ['use'], subjects: ['Approval'], mine: true },
    { actions: ['read'], subjects: ['Usage'], mine: true },
  ],
  agent: [
    { actions: ['read', 'create', 'delete'], subjects: ['Approval', 'ExceptionRequest', 'Task'], mine: true },
    { actions: ['use'], subjects: ['Approval'], mine: true },
    { actions: ['read'], subjects: ['Usage'], mine: true },
    { actions: ['create'], subjects: ['ToolCall', 'Heartbeat', 'Audit', 'Metrics'] },
    { actions: ['read'], subjects: ['Bundle'] },
  ],
};
