import { badInput } from '../read-input.js';

const NAME = String.raw`[A-Za-z0-9_][\w.-]*`;
const VERSION = String.raw`(?:@|==|>=|<=|~=|!=|<|>)[\w.^~<>=*|+-]+`;
const NODE = new RegExp(`^(?:@${NAME}/)?${NAME}(?:@[\\w.^~<>=*|+-]+)?$`);
const PYTHON = new RegExp(`^${NAME}(?:\\[[\\w,.-]+\\])?(?:${VERSION})?$`);
const GO = new RegExp(`^${NAME}(?:/${NAME}|/~${NAME})*(?:@[\\w.+-]+)?$`);
const CARGO = new RegExp(`^${NAME}(?:@[\\w.^~<>=*+-]+)?$`);

/**
 * Names of packages in a registry, with a version or without. URLs, git addresses, folders and archives are what an
 * installer also takes, and fetch code from wherever they say: those go through bash, where they are seen.
 */
export function refusePackages(packages: readonly string[], runnerId: string): void {
  const form = runnerId === 'pip' ? PYTHON : runnerId === 'go' ? GO : runnerId === 'cargo' ? CARGO : NODE;
  for (const name of packages) {
    if (!form.test(name) || /\.(?:tgz|tar|tar\.gz|zip|whl)$/i.test(name) || name.includes('..')) {
      throw badInput(
        'packages',
        `holds ${JSON.stringify(name)}, which is no package name of a registry: use bash for others`,
      );
    }
  }
}
