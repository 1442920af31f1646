import { answerQuestions } from '../../base/process/asked-process.ts';
import { problemOfError, Reason } from '../../base/text/foreign-errors.ts';
import { type Order, questions, type Started } from './managed-server.ts';
import { endServers, isTakenPort, type KeptServer, startServers } from './start-servers.ts';

/**
 * A process of its own between this program and the servers that it starts. It ends as soon as its parent does, however
 * that ended, and then the servers and their directory are gone: they would not notice by themselves.
 */

const mostAttempts = 3;

const death = Promise.withResolvers<string>();
let kept: KeptServer[] = [];
let directory: string | null = null;
let ending = false;

answerQuestions(
  questions,
  { start, death: () => death.promise },
  {
    reasonOf: (error) =>
      error instanceof Reason
        ? error.message
        : problemOfError('server_failed', 'The server could not be started', error).message,
    beforeExit: end,
  },
);
process.on('SIGTERM', () => void end().then(() => process.exit(0)));

async function end(): Promise<void> {
  ending = true;
  await endAll();
}

async function start(order: Order): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServers(order, {
        onDirectory: (path) => {
          directory = path;
        },
        onServer: (server) => kept.push(server),
        onDeath: (sentence) => death.resolve(sentence),
      });
    } catch (error) {
      await endAll();
      // Between our looking for a free port and its use another program may have taken it.
      if (ending || attempt === mostAttempts || !isTakenPort(error)) throw error;
    }
  }
}

async function endAll(): Promise<void> {
  const ending = kept;
  kept = [];
  await endServers(ending, directory);
  directory = null;
}
