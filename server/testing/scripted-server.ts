import { untilSignal } from '../edge/commands/serve.ts';
import { readConfig } from '../edge/settings/config.ts';
import { startServer } from '../edge/start/start-server.ts';
import { scriptedApparatus } from './scripted-apparatus.ts';

/** The dashboard as `npm start` opens it, except that its runs are measured by a script. Its argument is their pace. */
const pace = Number(process.argv[2]);
const told = untilSignal();
const server = await startServer({ ...readConfig(process.env), apparatus: scriptedApparatus(pace) });
process.stdout.write(`TLS Toll listens on ${server.url}\n`);
await told;
await server.close();
