import { resolve } from 'node:path';
import { restore as restoreInto } from '../../life/backup/restore.ts';
import { readConfig } from '../settings/config.ts';
import { verb } from './verb.ts';

const options = verb('restore')
  .description(
    'Restores a backup into an empty data directory. A backup from PostgreSQL also needs DATABASE_URL to name an empty database. Nothing is overwritten.',
  )
  .argument('<file>', 'File that “backup” wrote')
  .requiredOption('--into <directory>', 'Data directory, missing or empty');

export async function restore(args: string[]): Promise<number> {
  const [file] = options.parse(args, { from: 'user' }).processedArgs;
  const directory = resolve(options.opts().into);
  const { databaseUrl: url } = readConfig({ ...process.env, HOST: '' });
  const { results, version, createdAt, notice } = await restoreInto(file, { directory, url });
  if (notice !== null) process.stderr.write(`${notice}\n`);
  const made = new Date(createdAt).toISOString().slice(0, 10);
  process.stdout.write(
    `Restored ${results === 1 ? '1 result' : `${results} results`} from the backup of ${made} (version ${version}). Start the server:\nTLS_TOLL_DATA=${directory} npx tls-toll serve\n`,
  );
  return 0;
}
