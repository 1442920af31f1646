import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { printNumber } from '../../../shared/base/quantity.ts';
import { backUp, restore as restoreInto } from '../../life/backup/backup-and-restore.ts';
import { readConfig } from '../settings/config.ts';
import { productVersion } from '../settings/product-version.ts';
import { verb } from './verb.ts';

const backupOptions = verb('backup')
  .description(
    'Writes everything that a server stores to one file: results, scenarios, schedules, users, the audit log, and the keys of the local authority. The server can keep running and measuring. Keep the file safe: it contains password hashes and those keys.',
  )
  .argument('<file>', 'File to write; an earlier backup is replaced');

export async function backup(args: string[]): Promise<number> {
  const [file] = backupOptions.parse(args, { from: 'user' }).processedArgs;
  const { dataDirectory: directory, databaseUrl: url } = readConfig({ ...process.env, HOST: '' });
  const { results } = await backUp({ directory, url }, file, productVersion());
  const megabytes = printNumber(statSync(file).size / 1e6, 1);
  process.stdout.write(
    `${file} (${megabytes} MB) contains ${results === 1 ? '1 result' : `${results} results`}.\n`,
  );
  return 0;
}

const restoreOptions = verb('restore')
  .description(
    'Restores a backup into an empty data directory. A backup from PostgreSQL also needs DATABASE_URL to name an empty database. Nothing is overwritten.',
  )
  .argument('<file>', 'File that “backup” wrote')
  .requiredOption('--into <directory>', 'Data directory, missing or empty');

export async function restore(args: string[]): Promise<number> {
  const [file] = restoreOptions.parse(args, { from: 'user' }).processedArgs;
  const directory = resolve(restoreOptions.opts().into);
  const { databaseUrl: url } = readConfig({ ...process.env, HOST: '' });
  const { results, version, createdAt, notice } = await restoreInto(file, { directory, url });
  if (notice !== null) process.stderr.write(`${notice}\n`);
  const made = new Date(createdAt).toISOString().slice(0, 10);
  process.stdout.write(
    `Restored ${results === 1 ? '1 result' : `${results} results`} from the backup of ${made} (version ${version}). Start the server:\nTLS_TOLL_DATA=${directory} npx tls-toll serve\n`,
  );
  return 0;
}
