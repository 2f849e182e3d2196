import { placeAt } from './place-in-text.js';

const ABOVE = `apiVersion: x
metadata:
  id: a
rules:
  - id: one
    effect: deny
`;
const at = (text: string) => {
  const { path, inValue } = placeAt(text);
  return `${path.join(' ')}${inValue ? ' =' : ''}`;
};

describe('the place of a cursor in a policy', () => {
  it.each([
    ['', ''],
    ['metadata:\n  ', 'metadata'],
    ['metadata:\n  id: a\n  scope: { ', 'metadata scope'],
    ['metadata:\n  scope: { tier: ', 'metadata scope tier ='],
    ['metadata:\n  scope: { tier: org, ', 'metadata scope'],
    ['metadata:\n  scope: { tier: org }\n', ''],
    [`${ABOVE}    `, 'rules -'],
    [`${ABOVE}    effect: `, 'rules - effect ='],
    [`${ABOVE}  - `, 'rules -'],
    [`${ABOVE}    actions: [`, 'rules - actions - ='],
    [`${ABOVE}    actions: [fs.read, `, 'rules - actions - ='],
    [`${ABOVE}    actions:\n      - `, 'rules - actions -'],
    [`${ABOVE}    when: { command: { argv: [kubectl, `, 'rules - when command argv - ='],
    [`${ABOVE}    when: { command: { argv: [kubectl] }, `, 'rules - when'],
    [`${ABOVE}    when:\n      path:\n        `, 'rules - when path'],
    [`${ABOVE}tests:\n- call:\n    `, 'tests - call'],
    [`${ABOVE}    because: "a: { [" # `, 'rules -'],
    [`${ABOVE}\n\n    `, 'rules -'],
  ])('%j', (text, place) => {
    expect(at(text)).toBe(place);
  });
});
