import { answerWord, fatigueOf } from './fatigue.js';

const prompts = (answers: Readonly<Record<string, number>>) => ({
  asked: 0,
  byAnswer: Object.entries(answers).map(([answer, count]) => ({ answer, count })),
});

describe('prompt fatigue', () => {
  it('is many questions that nearly all get a yes', () => {
    expect(fatigueOf(prompts({ once: 30, always: 15, no: 4, never: 1, parked: 70 }))).toEqual({
      yes: 45,
      answered: 50,
      tiring: true,
    });
  });

  it('is not a handful of them, nor many that are weighed', () => {
    expect(fatigueOf(prompts({ once: 10 })).tiring).toBe(false);
    expect(fatigueOf(prompts({ once: 30, no: 20 })).tiring).toBe(false);
    expect(fatigueOf(prompts({}))).toEqual({ yes: 0, answered: 0, tiring: false });
  });

  it('shows answers that it does not know as they are', () => {
    expect([answerWord('once'), answerWord('shrugged'), answerWord('toString')]).toEqual([
      'Yes, once',
      'shrugged',
      'toString',
    ]);
  });
});
