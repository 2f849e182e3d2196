/**
 * Three-valued logic. `unknown` is not a weak `no`: a rule that restricts treats it as a match, a rule that allows does
 * not, so a fact that nobody could establish never loosens anything.
 */
export type Truth = 'yes' | 'no' | 'unknown';

export function truthOf(value: boolean): Truth {
  return value ? 'yes' : 'no';
}

export function not(value: Truth): Truth {
  switch (value) {
    case 'yes':
      return 'no';
    case 'no':
      return 'yes';
    case 'unknown':
      return 'unknown';
  }
}

export function both(left: Truth, right: Truth): Truth {
  if (left === 'no' || right === 'no') return 'no';
  return left === 'unknown' || right === 'unknown' ? 'unknown' : 'yes';
}

export function either(left: Truth, right: Truth): Truth {
  if (left === 'yes' || right === 'yes') return 'yes';
  return left === 'unknown' || right === 'unknown' ? 'unknown' : 'no';
}
