import { statSync } from 'node:fs';
import { printNumber } from '../../../shared/base/quantity.ts';
import { backUp } from '../../life/backup/postgres-tools.ts';
import { readConfig } from '../settings/config.ts';
import { productVersion } from '../settings/product-version.ts';
import { verb } from './verb.ts';

const options = verb('backup')
  .description(
    'Writes everything that a server stores to one file: results, scenarios, schedules, users, the audit log, and the keys of the local authority. The server can keep running and measuring. Keep the file safe: it contains password hashes and those keys.',
  )
  .argument('<file>', 'File to write; an earlier backup is replaced');

export async function backup(args: string[]): Promise<number> {
  const [file] = options.parse(args, { from: 'user' }).processedArgs;
  const { dataDirectory: directory, databaseUrl: url } = readConfig({ ...process.env, HOST: '' });
  const { results } = await backUp({ directory, url }, file, productVersion());
  const megabytes = printNumber(statSync(file).size / 1e6, 1);
  process.stdout.write(
    `${file} (${megabytes} MB) contains ${results === 1 ? '1 result' : `${results} results`}.\n`,
  );
  return 0;
}
