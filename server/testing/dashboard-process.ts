import { z } from 'zod';
import { chromiumInTest } from './chromium-in-test.ts';
import { openServerInTest } from './server-in-test.ts';

/**
 * For tests: the whole server as a process of its own, such as on another host, which asks it what its parent sends. Its arguments
 * are a directory for its data, and the hosts that its environment allows.
 */

const [directory, ...targets] = process.argv.slice(2);
const server = await openServerInTest(directory, { targets, chromiumPath: chromiumInTest });
const questionSchema = z.strictObject({
  id: z.int(),
  method: z.string(),
  path: z.string(),
  type: z.string(),
  body: z.string().nullable(),
});

process.on('message', async (message) => {
  const { id, method, path, type, body } = questionSchema.parse(message);
  const headers = { 'Content-Type': type, Origin: server.url };
  const response = await fetch(`${server.url}${path}`, { method, headers, body });
  process.send?.({ id, status: response.status, text: await response.text() });
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
