/**
 * What does not come within `ms` fails, and says what it was: a bench that waits for ever tells nobody anything. The work
 * itself goes on, until whoever started it ends it.
 */
export async function within(ms, what, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no end after ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
