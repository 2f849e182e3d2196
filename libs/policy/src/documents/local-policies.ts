import { join } from 'node:path';
import { codeOf, messageOf, type PolicyTier } from '@wrongstack/contracts';
import { PolicyDocuments, type LoadedPolicies, type PolicyFailure } from './policy-documents.js';
import { nodePolicyFiles, type PolicyFiles } from './policy-files.js';
import { parsePolicyDocument } from './parse-policy-document.js';
import type { PolicyDocument } from './policy-document.js';
import { onceATurn } from '../looks/once-a-turn.js';

export interface LocalPolicyPlaces {
  /** `~/.wrongstack`. */
  readonly agentHome: string;
  /** Where only an administrator writes: `/etc/wrongstack`. Null = the platform has none. */
  readonly managedFolder: string | null;
}

/** A folder, the files in it that are policies, and the tiers that they may claim there. */
interface PolicyPlace {
  readonly folder: string;
  readonly isPolicy: (name: string) => boolean;
  readonly tiers: readonly PolicyTier[];
  readonly whose: string;
}

interface CachedFile {
  readonly stamp: string;
  readonly outcome: PolicyDocument | PolicyFailure;
}

const EXTENSION = /\.(?:ya?ml|json)$/;

/**
 * Policy documents of the administrator, the person and the project, read again whenever a file changes. Each call looks
 * anew and nothing is remembered but parsed texts: a file that is put right counts for the next call.
 */
export class LocalPolicies extends PolicyDocuments {
  private readonly cache = new Map<string, CachedFile>();
  private readonly last = new Map<string, { key: string; loaded: LoadedPolicies }>();
  private readonly loadedNow = onceATurn((projectRoot: string) => this.look(projectRoot));

  constructor(
    private readonly places: LocalPolicyPlaces,
    private readonly files: PolicyFiles = nodePolicyFiles,
  ) {
    super();
  }

  override load(projectRoot: string): Promise<LoadedPolicies> {
    return this.loadedNow(projectRoot);
  }

  private async look(projectRoot: string): Promise<LoadedPolicies> {
    const found: { file: string; stamp: string; outcome: CachedFile['outcome'] }[] = [];
    for (const place of await this.placesFor(projectRoot)) {
      for (const file of await this.policiesIn(place)) {
        const cached = typeof file === 'string' ? await this.read(file, place) : null;
        if (cached !== null && typeof file === 'string') found.push({ file, ...cached });
        else if (typeof file !== 'string') found.push({ file: file.file, stamp: file.reason, outcome: file });
      }
    }
    const key = found.map(({ file, stamp }) => `${file}\0${stamp}`).join('\0\0');
    const last = this.last.get(projectRoot);
    if (last?.key === key) return last.loaded;
    const failure = found.map(({ outcome }) => outcome).find(isFailure) ?? null;
    const documents = found
      .map(({ outcome }) => outcome)
      .filter((outcome): outcome is PolicyDocument => !isFailure(outcome));
    const loaded = Object.freeze({ documents: Object.freeze(documents), failure });
    this.last.set(projectRoot, { key, loaded });
    return loaded;
  }

  private async placesFor(projectRoot: string): Promise<PolicyPlace[]> {
    const { agentHome, managedFolder } = this.places;
    const single = (name: string) => /^policy\.(?:ya?ml|json)$/.test(name);
    const mine = { tiers: ['user'] as const, whose: 'your own' };
    const places: PolicyPlace[] = [
      { folder: agentHome, isPolicy: single, ...mine },
      {
        folder: join(agentHome, 'policy.d'),
        isPolicy: (name) => isVisible(name) && EXTENSION.test(name),
        ...mine,
      },
    ];
    const ofProject = join(projectRoot, '.wrongstack');
    // Started in the home folder, both are one: its policies are the person's own.
    if (!(await this.isSame(ofProject, agentHome))) {
      places.push({ folder: ofProject, isPolicy: single, tiers: ['project'], whose: "a project's" });
    }
    if (managedFolder === null) return places;
    return [
      {
        folder: managedFolder,
        isPolicy: (name) => name.startsWith('policy') && EXTENSION.test(name),
        tiers: ['org', 'team', 'orgDefault'],
        whose: 'a managed',
      },
      ...places,
    ];
  }

  private async isSame(one: string, other: string): Promise<boolean> {
    if (one === other) return true;
    const stamp = (folder: string) => this.files.stamp(folder).catch(() => null);
    const [first, second] = await Promise.all([stamp(one), stamp(other)]);
    return first !== null && first === second;
  }

  private async policiesIn(place: PolicyPlace): Promise<(string | PolicyFailure)[]> {
    try {
      const names = await this.files.list(place.folder);
      return names
        .filter(place.isPolicy)
        .sort()
        .map((name) => join(place.folder, name));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      return [{ file: place.folder, reason: `cannot be read (${codeOf(error)}): make it a readable folder` }];
    }
  }

  private async read(file: string, place: PolicyPlace): Promise<CachedFile> {
    let stamp: string;
    try {
      stamp = await this.files.stamp(file);
    } catch (error) {
      this.cache.delete(file);
      const reason = `cannot be read (${codeOf(error)}): make it readable or remove it`;
      return { stamp: reason, outcome: { file, reason } };
    }
    const known = this.cache.get(file);
    if (known?.stamp === stamp) return known;
    const fresh = { stamp, outcome: await this.parse(file, place) };
    this.cache.set(file, fresh);
    return fresh;
  }

  private async parse(file: string, place: PolicyPlace): Promise<PolicyDocument | PolicyFailure> {
    try {
      const document = await parsePolicyDocument(await this.files.read(file), { file });
      const { tier } = document.metadata.scope;
      if (place.tiers.includes(tier)) return document;
      const reason = `claims tier ${tier}, but ${place.whose} policy is of tier ${place.tiers.join(' or ')}: correct metadata.scope.tier`;
      return { file, reason };
    } catch (error) {
      const message = messageOf(error);
      // The message starts with the file already; the failure names it beside.
      return {
        file,
        reason: message.startsWith(file) ? message.slice(file.length).replace(/^:/, 'line ').trim() : message,
      };
    }
  }
}

/** Editors leave `.#policy.yaml` and the like behind, which nobody means as a policy. */
function isVisible(name: string): boolean {
  return !name.startsWith('.');
}

function isFailure(outcome: PolicyDocument | PolicyFailure): outcome is PolicyFailure {
  return 'reason' in outcome;
}
