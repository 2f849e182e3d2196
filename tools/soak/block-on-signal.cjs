// `node --require tools/soak/block-on-signal.cjs program`: on SIGUSR2 the event loop stands still for SOAK_BLOCK_MS, as it does
// in a computation that never yields. The program runs on afterwards; its children and its sockets' kernel side never stop.
const { SOAK_BLOCK_MS } = process.env;
process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(SOAK_BLOCK_MS));
});
