type Verdict = 'allow' | 'deny' | 'ask';

export function label(verdict: Verdict): string {
  switch (verdict) {
    case 'allow':
      return 'allowed';
    case 'deny':
      return 'denied';
  }
  return 'forgotten';
}
