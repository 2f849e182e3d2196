import { WrongStackError, assertNever, type Context } from '@wrongstack/contracts';
import { applyEdit } from '../fs/apply-edit.js';
import { applyHunks } from './apply-hunks.js';
import type { FileOperation, Hunk, TextChange } from './file-operation.js';
import { splitFile } from './file-lines.js';
import type { FileOverlay, OverlayFile } from './file-overlay.js';

/** Apply one operation to the overlay. Throws before anything is written. */
export async function draftOperation(
  operation: FileOperation,
  overlay: FileOverlay,
  ctx: Context,
): Promise<void> {
  switch (operation.kind) {
    case 'add': {
      const file = await overlay.open(operation.path);
      await refuseOverwrite(file, operation.mayReplace, ctx);
      overlay.create(file, operation.content, operation.executable ? true : undefined);
      return;
    }
    case 'delete': {
      await overlay.refuseLink(operation.path);
      if (operation.content === null) {
        overlay.set(await overlay.leaving(operation.path), null);
        return;
      }
      const file = await overlay.existing(operation.path);
      refuseOtherContent(file.draft.text, operation.content, file.location.display);
      overlay.set(file, null);
      return;
    }
    case 'update':
      return update(operation, overlay, ctx);
    default:
      return assertNever(operation);
  }
}

async function update(
  operation: FileOperation & { readonly kind: 'update' },
  overlay: FileOverlay,
  ctx: Context,
): Promise<void> {
  const source = await overlay.existing(operation.path);
  const text = changedText(source.draft.text, operation.change, source.location.display);
  const draft = { ...source.draft, text, executable: operation.executable ?? source.draft.executable };
  if (operation.to === operation.path) {
    if (text === source.draft.text && operation.executable === undefined) {
      throw new WrongStackError('patch.no_change', `the patch leaves ${source.location.display} as it is`);
    }
    overlay.set(source, draft);
    return;
  }
  const target = await overlay.open(operation.to);
  if (target.location.real === source.location.real) {
    throw new WrongStackError('patch.no_change', `${operation.path} and ${operation.to} are the same file`);
  }
  await refuseOverwrite(target, operation.mayReplace, ctx);
  // A moved script stays a script.
  const mode = Number(source.original?.stat.mode ?? 0n);
  overlay.set(target, {
    ...draft,
    executable: draft.executable ?? ((mode & 0o100) !== 0 ? true : undefined),
  });
  if (operation.how === 'copy') return;
  await overlay.refuseLink(operation.path);
  overlay.set(source, null);
}

function changedText(source: string, change: TextChange, display: string): string {
  if (change.by === 'hunks') return applyHunks(source, change.hunks, display);
  return change.blocks.reduce((text, block) => {
    const request = { oldText: block.search, newText: block.replacement, replaceAll: false };
    return applyEdit(text, request, display).text;
  }, source);
}

/** What a call puts over an existing file must be a file that was looked at, as with `write`. */
async function refuseOverwrite(file: OverlayFile, mayReplace: boolean, ctx: Context): Promise<void> {
  if (file.draft === null) return;
  const { location } = file;
  if (!mayReplace) {
    throw new WrongStackError(
      'patch.exists',
      `${location.display} exists already: the patch says that it is new`,
    );
  }
  if (file.original === null) return;
  const { kind } = await ctx.readState(location.real);
  if (kind !== 'fresh') {
    throw new WrongStackError(
      'fs.unread',
      `${location.display} exists and was never read: read it before overwriting`,
    );
  }
}

/** A diff that deletes a file says what the file holds: another content is another file. */
function refuseOtherContent(source: string, content: Hunk, display: string): void {
  const own = splitFile(source).map((line) => line.text);
  const said = content.lines.map((line) => line.text);
  if (own.length !== said.length || own.some((line, index) => line !== said[index])) {
    throw new WrongStackError(
      'patch.no_match',
      `${display} holds other lines than the patch deletes: read it again`,
    );
  }
}
