import { relative, sep } from 'node:path';
import { WrongStackError, type Context, type ToolOptions } from '@wrongstack/contracts';
import { realRoot } from './real-root.js';
import { isInside, realTarget, resolveInput } from './resolve-path.js';

export interface Location {
  /** Real path: what is opened. */
  readonly real: string;
  readonly exists: boolean;
  /** Short spelling for messages and cards. */
  readonly display: string;
}

/**
 * Where one call's path leads right now. Whether it may go there was decided before; this refuses when it leads
 * elsewhere than decided. A write through a link that leaves the project is refused here too, because policy denies
 * it in every case: so a folder that turns into a link after the decision is caught even without decided paths.
 */
export async function locate(
  ctx: Context,
  opts: ToolOptions,
  input: string,
  access: 'read' | 'write',
): Promise<Location> {
  const absolute = resolveInput(ctx.cwd, input);
  const { path: real, exists } = await realTarget(absolute);
  if (opts.decidedPaths !== undefined && !opts.decidedPaths.includes(real)) throw pathChanged(input, real);
  if (access === 'write') {
    const root = await realRoot(ctx.projectRoot);
    const spelledInside = isInside(ctx.projectRoot, absolute) || isInside(root, absolute);
    if (spelledInside && !isInside(root, real)) {
      throw new WrongStackError(
        'path.link_leaves_project',
        `${input} leads through a link to ${real}, outside the project: write to the real path instead`,
      );
    }
  }
  return { real, exists, display: displayPath(ctx, absolute) };
}

/** Relative to the working folder when inside it, with `/`; else absolute. */
export function displayPath(ctx: { readonly cwd: string }, absolute: string): string {
  if (!isInside(ctx.cwd, absolute)) return absolute;
  const path = relative(ctx.cwd, absolute);
  return path === '' ? '.' : path.split(sep).join('/');
}

export function pathChanged(input: string, real: string): WrongStackError {
  return new WrongStackError(
    'path.changed',
    `${input} now leads to ${real}, which is not what was decided: nothing was touched, call again`,
  );
}
