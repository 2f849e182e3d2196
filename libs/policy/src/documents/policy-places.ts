import { join } from 'node:path';
import type { PolicyTier } from '@wrongstack/contracts';

export interface LocalPolicyPlaces {
  /** `~/.wrongstack`. */
  readonly agentHome: string;
  /** Where only an administrator writes: `/etc/wrongstack`. Null = the platform has none. */
  readonly managedFolder: string | null;
}

/** A folder, the files in it that are policies, and the tiers that they may claim there. */
export interface PolicyPlace {
  readonly folder: string;
  readonly isPolicy: (name: string) => boolean;
  /** Not a policy, and probably meant as one: a folder, another ending. Named to the person, since it restricts nothing. */
  readonly looksMeant: (name: string) => boolean;
  readonly tiers: readonly PolicyTier[];
  readonly whose: string;
}

// In any case: on half of the platforms these are the same file, and on the others a restriction must not hang on it.
const SINGLE = /^policy\.(?:ya?ml|json)$/i;
const NUMBERED = /^policy.*\.(?:ya?ml|json)$/i;
const ENDING = /\.(?:ya?ml|json)$/i;
const CALLED_POLICY = /^polic(?:y|ies)/i;

/** The administrator's, the person's own, and the project's; each exactly once. */
export function policyPlaces(
  { agentHome, managedFolder }: LocalPolicyPlaces,
  /** Null where the project's folder is the person's own. */
  ofProject: string | null,
): readonly PolicyPlace[] {
  const mine = { tiers: ['user'] as const, whose: 'your own' };
  const places: PolicyPlace[] = [
    { folder: agentHome, isPolicy: isSingle, looksMeant: isNamedSo, ...mine },
    { folder: join(agentHome, 'policy.d'), isPolicy: isListed, looksMeant: isMeant, ...mine },
  ];
  if (ofProject !== null) {
    places.push({
      folder: ofProject,
      isPolicy: isSingle,
      // There is no such folder in a project, and nobody would notice.
      looksMeant: (name) => isNamedSo(name) || name === 'policy.d',
      tiers: ['project'],
      whose: "a project's",
    });
  }
  if (managedFolder === null) return places;
  return [
    {
      folder: managedFolder,
      isPolicy: (name) => NUMBERED.test(name),
      looksMeant: (name) => isMeant(name) && name !== 'managed.json',
      tiers: ['org', 'team', 'orgDefault'],
      whose: 'a managed',
    },
    ...places,
  ];
}

function isSingle(name: string): boolean {
  return SINGLE.test(name);
}

/** Editors leave `.#policy.yaml` and the like behind, which nobody means as a policy. */
function isListed(name: string): boolean {
  return !name.startsWith('.') && ENDING.test(name);
}

function isNamedSo(name: string): boolean {
  return isMeant(name) && CALLED_POLICY.test(name) && name !== 'policy.d';
}

/** Neither hidden, nor what an editor leaves behind, nor a read-me. */
function isMeant(name: string): boolean {
  return !/^(?:[.#]|readme)|~$/i.test(name);
}
