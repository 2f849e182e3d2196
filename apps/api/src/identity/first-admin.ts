import { isoNow } from '@wrongstack/contracts';
import { recordAction, THE_SERVER } from '../control/action-trail.js';
import type { ControlPlane } from '../control/control-plane.js';
import { newCredential } from './credential.js';

const FIRST_ADMIN = 'admin';
const GOOD_FOR_MS = 24 * 3_600_000;

/**
 * A control plane that has no users yet gets an admin and a token for a day, to be printed once. Null where there is anybody: also on the
 * other replicas that start at the same time, of which one makes the user.
 */
export async function createFirstAdmin(control: ControlPlane): Promise<string | null> {
  const { items } = await control.store.identities.users({ limit: 1 });
  if (items.length > 0) return null;
  return control.store.transaction(async (tx) => {
    const made = await tx.identities.addUser({
      id: FIRST_ADMIN,
      name: 'First admin',
      email: null,
      subject: null,
      teams: [],
      roles: ['admin', 'policyEditor', 'auditor', 'developer'],
      createdAt: isoNow(control.clock),
      disabledAt: null,
    });
    return made ? addAdminToken(control, tx) : null;
  });
}

/** For an operator who has the machine and no token: `--new-admin-token`. */
export async function createAdminToken(control: ControlPlane): Promise<string> {
  return control.store.transaction(async (tx) => {
    const admin = await tx.identities.user(FIRST_ADMIN);
    if (admin?.disabledAt != null) {
      await tx.identities.changeUser({ ...admin, disabledAt: null }, admin.etag);
    }
    return addAdminToken(control, tx);
  });
}

async function addAdminToken(
  { clock }: ControlPlane,
  tx: Parameters<Parameters<ControlPlane['store']['transaction']>[0]>[0],
): Promise<string> {
  const { id, token, secretHash } = newCredential('wst');
  const now = clock.now();
  const at = new Date(now).toISOString();
  await tx.tokens.add({
    id,
    kind: 'api',
    name: 'made on the machine itself',
    secretHash,
    principal: { id: FIRST_ADMIN, kind: 'user' },
    teams: [],
    roles: [],
    scopes: ['*'],
    createdBy: FIRST_ADMIN,
    createdAt: at,
    expiresAt: new Date(now + GOOD_FOR_MS).toISOString(),
    revokedAt: null,
    lastUsedAt: null,
  });
  await recordAction(tx, THE_SERVER, 'token.issued', { token: id, for: FIRST_ADMIN }, at);
  return token;
}
