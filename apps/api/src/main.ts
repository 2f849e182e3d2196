import { messageOf } from '@wrongstack/contracts';
import { createApplication } from './create-application.js';
import { readEnvironment } from './environment.js';

async function main(): Promise<void> {
  const { host, port } = readEnvironment();
  const app = await createApplication();
  await app.listen(port, host);
  process.stdout.write(`wrongstack api listening on ${await app.getUrl()}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`wrongstack api: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
