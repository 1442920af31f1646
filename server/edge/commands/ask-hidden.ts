import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks on the terminal, and shows nothing of what is typed. Null when the user gives up. */
export async function askHidden(question: string): Promise<string | null> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  const interrupted = new AbortController();
  terminal.once('SIGINT', () => interrupted.abort());
  try {
    return await terminal.question('', { signal: interrupted.signal });
  } catch (error) {
    if (interrupted.signal.aborted) return null;
    throw error;
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
