import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import type { Destination } from './shell/destinations.js';

/** A page: where it is, who gets to see it, and its code, which is loaded when it is opened. */
export interface PageEntry extends Destination {
  readonly page: LazyExoticComponent<ComponentType>;
}

/** Every page there is, in the order of the navigation. A page reads its own part of the address with `useRoute`. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '/overview',
    label: 'Overview',
    icon: 'overview',
    allowed: (may) => may('read:Fleet'),
    page: lazy(() => import('./pages/overview/overview-page.js')),
  },
  {
    path: '/approvals',
    label: 'Approvals',
    icon: 'approvals',
    allowed: (may) => may('read:Approval') || may('decide:Approval'),
    page: lazy(() => import('./pages/approvals/approvals-page.js')),
  },
  {
    path: '/exceptions',
    label: 'Exceptions',
    icon: 'exceptions',
    allowed: (may) => may('read:ExceptionRequest', { own: true }),
    page: lazy(() => import('./pages/exceptions/exceptions-page.js')),
  },
  {
    path: '/audit',
    label: 'Audit',
    icon: 'audit',
    allowed: (may) => may('read:Audit'),
    page: lazy(() => import('./pages/audit/audit-page.js')),
  },
  {
    path: '/policies',
    label: 'Policies',
    icon: 'policies',
    allowed: (may) => may('read:Policy'),
    page: lazy(() => import('./pages/policies/policies-page.js')),
  },
  {
    path: '/fleet',
    label: 'Fleet',
    icon: 'fleet',
    allowed: (may) => may('read:Fleet'),
    page: lazy(() => import('./pages/fleet/fleet-page.js')),
  },
  {
    path: '/tasks',
    label: 'Tasks',
    icon: 'tasks',
    allowed: (may) => may('read:Task', { own: true }),
    page: lazy(() => import('./pages/tasks/tasks-page.js')),
  },
  {
    path: '/identities',
    label: 'Identities',
    icon: 'identities',
    allowed: (may) => may('read:User') || may('read:Token', { own: true }),
    page: lazy(() => import('./pages/identities/identities-page.js')),
  },
  {
    path: '/enrol',
    label: 'Let a machine in',
    icon: 'link',
    listed: false,
    allowed: (may) => may('decide:Enrolment'),
    page: lazy(() => import('./pages/enrol/enrol-page.js')),
  },
];
