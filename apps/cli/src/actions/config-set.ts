import { bootRequest } from '../app/boot-request.js';
import { valueOf } from '../app/config-value.js';
import { checkConfiguredNames } from '../app/configured-names.js';
import { updateUserConfig } from '../app/user-config.js';
import type { CommonOptions } from '../commands/common-options.js';
import { EXIT } from '../exit-codes.js';
import { createOutput } from '../output.js';
import { escapeText } from '../terminal/escape-text.js';

/** Change one key of the person's own file. Nothing is written unless the whole file is then valid. */
export async function configSet(
  [key = '', value = '']: readonly string[],
  options: CommonOptions,
): Promise<number> {
  const request = bootRequest(options, false);
  const { environment, paths } = request;
  const output = createOutput(options, environment);
  const keys = key.split('.');
  const wanted = valueOf(value);
  await checkConfiguredNames(request, keys, wanted);
  const written = await updateUserConfig(paths.userConfig, keys, wanted);
  if (output.json) output.writeJson({ key, value: written, file: paths.userConfig });
  else output.say(`${key} = ${JSON.stringify(written)} · ${escapeText(paths.userConfig)}`);
  return EXIT.done;
}
