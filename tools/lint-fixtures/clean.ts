type Verdict = 'allow' | 'deny';

export async function label(verdict: Verdict): Promise<string> {
  switch (verdict) {
    case 'allow':
      return Promise.resolve('allowed');
    case 'deny':
      return Promise.resolve('denied');
  }
}
