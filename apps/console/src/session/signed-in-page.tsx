import { useEffect } from 'react';
import { usePageTitle } from '../shell/page-title.js';
import { session } from './session.js';

/** Where the identity provider comes back to in the window that was opened for it: tells the others, and goes. */
export function SignedInPage() {
  usePageTitle('Signed in');
  useEffect(() => {
    session.announce();
    window.close();
  }, []);
  return (
    <main className="alone">
      <h1>You are signed in</h1>
      <p>Close this window and go on in the other one.</p>
    </main>
  );
}
