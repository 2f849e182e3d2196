import type { Extension } from '@codemirror/state';
import { useEffect, useState } from 'react';
import type { Checked } from './checks.js';
import { useLanguage } from './use-language.js';

/** What the editor knows about policies: names to complete, and where the problems are. The code for it comes with the editor. */
export function usePolicyLanguage(problems: Checked['problems']): readonly Extension[] {
  const language = useLanguage();
  const [extensions, setExtensions] = useState<readonly Extension[]>(NONE);
  useEffect(() => {
    let current = true;
    void import('./policy-extensions.js').then(({ policyExtensions }) => {
      if (current) setExtensions(policyExtensions(language, problems));
    });
    return () => {
      current = false;
    };
  }, [language, problems]);
  return extensions;
}

const NONE: readonly Extension[] = [];
