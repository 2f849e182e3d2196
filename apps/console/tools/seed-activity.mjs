// What command lines reported of two weeks: prompts, answers, tokens and cost, for the charts of the overview.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 14;
const MODELS = { 'sonnet-4-5': 3, 'haiku-4-5': 0.8 };
const TEAMS = { payments: 1, platform: 0.55 };
/** Of a hundred prompts. */
const ANSWERS = { once: 71, always: 17, no: 6, never: 1, parked: 3, aborted: 2 };

/** More by day than by night, as the decisions are; each hour a little different, and the same with every run. */
function busy(ms) {
  const turn = (2 * Math.PI * (ms % DAY_MS)) / DAY_MS;
  return (1 - 0.9 * Math.cos(turn)) * (0.75 + (((ms / HOUR_MS) * 7919) % 100) / 200);
}

/** A day each. */
export function* activityUntil(now) {
  const latest = Math.floor(now / HOUR_MS) * HOUR_MS;
  for (let day = 0; day < DAYS; day += 1)
    yield Array.from({ length: 24 }, (_, hour) => latest - day * DAY_MS - hour * HOUR_MS).flatMap(reportedIn);
}

function reportedIn(ms) {
  return Object.entries(TEAMS).flatMap(([team, share]) =>
    countsOf(busy(ms) * share).map((count) => ({ hour: new Date(ms).toISOString(), team, ...count })),
  );
}

function countsOf(load) {
  const prompts = Math.round(40 * load);
  const answers = Object.entries(ANSWERS).map(([detail, share]) => ({
    ...{ measure: 'answers', detail, model: null },
    amount: Math.round((prompts * share) / 100),
  }));
  return [
    { measure: 'prompts', detail: '', model: null, amount: prompts },
    ...answers,
    ...Object.entries(MODELS).flatMap(([model, price]) => used(model, price, load)),
  ].filter(({ amount }) => amount > 0);
}

function used(model, price, load) {
  const tokens = (detail, amount) => ({ measure: 'tokens', detail, model, amount: Math.round(amount) });
  const [input, output] = [900_000 * load, 60_000 * load];
  return [
    tokens('input', input / 3),
    tokens('cache_read', (2 * input) / 3),
    tokens('output', output),
    { measure: 'costMicros', detail: '', model, amount: Math.round((input * 0.4 + output * 5) * price) },
  ];
}
