import { useEffect } from 'react';

/** The name of the page first: that is what a tab and a screen reader begin with. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · WrongStack`;
  }, [name]);
}
