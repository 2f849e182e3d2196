import { join } from 'node:path';
import { codeOf, messageOf, nothingAt } from '@wrongstack/contracts';
import { PolicyDocuments, type LoadedPolicies, type PolicyFailure } from './policy-documents.js';
import { nodePolicyFiles, type PolicyFiles, type Stamp } from './policy-files.js';
import { type LocalPolicyPlaces, policyPlaces, type PolicyPlace } from './policy-places.js';
import { parsePolicyDocument } from './parse-policy-document.js';
import type { PolicyDocument } from './policy-document.js';
import { onceATurn } from '../looks/once-a-turn.js';

interface CachedFile {
  readonly stamp: string;
  readonly text: string | null;
  readonly outcome: PolicyDocument | PolicyFailure;
}

interface Listing {
  readonly stamp: string;
  readonly names: readonly string[];
}

/**
 * Policy documents of the administrator, the person and the project, read again whenever a file changes. Each call looks
 * anew and nothing is remembered but what a stamp vouches for: a file that is put right counts for the next call.
 */
export class LocalPolicies extends PolicyDocuments {
  private readonly cache = new Map<string, CachedFile>();
  private readonly listings = new Map<string, Listing>();
  private readonly last = new Map<string, { found: readonly Found[]; loaded: LoadedPolicies }>();
  private readonly loadedNow = onceATurn((projectRoot: string) => this.look(projectRoot), 'tick');

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
    const found: Found[] = [];
    for (const place of await this.placesFor(projectRoot)) {
      for (const file of await this.policiesIn(place)) {
        found.push(typeof file === 'string' ? await this.read(file, place) : failed(file));
      }
    }
    const last = this.last.get(projectRoot);
    if (last !== undefined && sameOutcomes(last.found, found)) return last.loaded;
    const failure = found.map(({ outcome }) => outcome).find(isFailure) ?? null;
    const documents = found
      .map(({ outcome }) => outcome)
      .filter((outcome): outcome is PolicyDocument => !isFailure(outcome));
    const loaded = Object.freeze({ documents: Object.freeze(documents), failure });
    this.last.set(projectRoot, { found, loaded });
    return loaded;
  }

  /**
   * What lies in the folders of policies, looks as if it were meant as one and is none: a folder, another ending. Empty
   * where a folder cannot be read: that is a failure, and denies.
   */
  async unread(projectRoot: string): Promise<readonly string[]> {
    const unread: string[] = [];
    for (const { folder, isPolicy, looksMeant } of await this.placesFor(projectRoot)) {
      const names = await this.namesIn(folder).catch(() => []);
      unread.push(
        ...names.filter((name) => !isPolicy(name) && looksMeant(name)).map((name) => join(folder, name)),
      );
    }
    return unread;
  }

  private async placesFor(projectRoot: string): Promise<readonly PolicyPlace[]> {
    const ofProject = join(projectRoot, '.wrongstack');
    // Started in the home folder, both are one: its policies are the person's own.
    const own = await this.isSame(ofProject, this.places.agentHome);
    return policyPlaces(this.places, own ? null : ofProject);
  }

  private async isSame(one: string, other: string): Promise<boolean> {
    if (one === other) return true;
    const first = await this.stampOf(one);
    return first !== null && first === (await this.stampOf(other));
  }

  private async stampOf(folder: string): Promise<string | null> {
    return this.files.stamp(folder).then(
      ({ text }) => text,
      () => null,
    );
  }

  private async policiesIn(place: PolicyPlace): Promise<(string | PolicyFailure)[]> {
    try {
      return (await this.namesIn(place.folder))
        .filter(place.isPolicy)
        .sort()
        .map((name) => join(place.folder, name));
    } catch (error) {
      if (codeOf(error) === 'ENOENT' && nothingAt(place.folder)) return [];
      return [{ file: place.folder, reason: `cannot be read (${codeOf(error)}): make it a readable folder` }];
    }
  }

  /** The names are the same for as long as the folder's stamp is. */
  private async namesIn(folder: string): Promise<readonly string[]> {
    const { text: stamp, settled } = await this.files.stamp(folder);
    const known = this.listings.get(folder);
    if (known?.stamp === stamp) return known.names;
    const names = await this.files.list(folder);
    if (settled) this.listings.set(folder, { stamp, names });
    return names;
  }

  private async read(file: string, place: PolicyPlace): Promise<Found> {
    let stamp: Stamp;
    try {
      stamp = await this.files.stamp(file);
    } catch (error) {
      this.cache.delete(file);
      return failed({ file, reason: `cannot be read (${codeOf(error)}): make it readable or remove it` });
    }
    const known = this.cache.get(file);
    if (known?.stamp === stamp.text) return { file, outcome: known.outcome };
    const text = await this.files.read(file).catch((error: unknown) => failureOf(file, error));
    // Read again while a change could hide in the same stamp; what says the same is the same document.
    const outcome =
      known !== undefined && typeof text === 'string' && text === known.text
        ? known.outcome
        : typeof text === 'string'
          ? await this.parse(text, file, place)
          : text;
    this.cache.set(file, {
      stamp: stamp.settled ? stamp.text : '',
      text: typeof text === 'string' ? text : null,
      outcome,
    });
    return { file, outcome };
  }

  private async parse(
    text: string,
    file: string,
    place: PolicyPlace,
  ): Promise<PolicyDocument | PolicyFailure> {
    try {
      const document = await parsePolicyDocument(text, { file });
      const { tier } = document.metadata.scope;
      if (place.tiers.includes(tier)) return document;
      const reason = `claims tier ${tier}, but ${place.whose} policy is of tier ${place.tiers.join(' or ')}: correct metadata.scope.tier`;
      return { file, reason };
    } catch (error) {
      return failureOf(file, error);
    }
  }
}

interface Found {
  readonly file: string;
  readonly outcome: PolicyDocument | PolicyFailure;
}

function failed(failure: PolicyFailure): Found {
  return { file: failure.file, outcome: failure };
}

function failureOf(file: string, error: unknown): PolicyFailure {
  const message = messageOf(error);
  // The message starts with the file already; the failure names it beside.
  const reason = message.startsWith(file)
    ? message.slice(file.length).replace(/^:/, 'line ').trim()
    : message;
  return { file, reason };
}

/** A document is the same object for as long as its file says the same; a failure says why each time. */
function sameOutcomes(before: readonly Found[], now: readonly Found[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ file, outcome }, index) => {
      const other = now[index];
      if (other === undefined || other.file !== file) return false;
      if (isFailure(outcome) && isFailure(other.outcome)) return outcome.reason === other.outcome.reason;
      return outcome === other.outcome;
    })
  );
}

function isFailure(outcome: PolicyDocument | PolicyFailure): outcome is PolicyFailure {
  return 'reason' in outcome;
}
