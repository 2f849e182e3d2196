import { useSyncExternalStore } from 'react';
import { type SessionState, session } from './session.js';
import type { SessionView } from './session-view.js';

export function useSessionState(): SessionState {
  return useSyncExternalStore(session.state.subscribe, session.state.read);
}

/** The person at this screen. Only below the frame, which is shown to nobody else. */
export function useSession(): SessionView {
  const state = useSessionState();
  if (state.is === 'signed-in' || state.is === 'ended') return state.session;
  throw new Error('nobody is signed in here');
}

/** Is this ever allowed? What it is about decides the rest, and the API has the last word. */
export type May = (ability: string, more?: { readonly own: true }) => boolean;

export function useMay(): May {
  const { abilities, ownAbilities } = useSession();
  return (ability, more) =>
    abilities.includes(ability) || (more?.own === true && ownAbilities.includes(ability));
}
