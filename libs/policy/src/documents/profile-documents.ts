import { deepFreeze } from '@wrongstack/contracts';
import type { PolicyDocument, PolicyRule } from './policy-document.js';

export const PROFILES = ['guide', 'balanced', 'strict'] as const;
export type Profile = (typeof PROFILES)[number];

/**
 * The three profiles that a person can choose from, as ordinary user-tier documents. `guide` adds nothing.
 * `balanced` names no path and does not act on `fs.read`: reading outside the project keeps its own question.
 */
const RULES: Readonly<Record<Profile, readonly PolicyRule[]>> = {
  guide: [],
  balanced: [
    {
      id: 'read-only-commands',
      effect: 'allow',
      actions: ['shell.arbitrary', 'shell.restricted'],
      when: { command: { argv: ['set:readOnlyCommands'] } },
      because: 'The balanced profile runs commands that only read, inside the project',
    },
  ],
  strict: [
    {
      id: 'confirm-writes',
      effect: 'confirm',
      actions: ['fs.write', 'fs.write.outside-project'],
      because: 'The strict profile asks before every write',
    },
    {
      id: 'confirm-hosts',
      effect: 'confirm',
      actions: ['net.outbound'],
      because: 'The strict profile asks before every host',
    },
  ],
};

export function profileDocument(profile: Profile): PolicyDocument {
  return deepFreeze<PolicyDocument>({
    apiVersion: 'policy.wrongstack/v1',
    kind: 'CapabilityPolicy',
    metadata: {
      id: `profile-${profile}`,
      revision: 1,
      title: `The ${profile} profile`,
      scope: { tier: 'user' },
    },
    rules: RULES[profile],
  });
}
