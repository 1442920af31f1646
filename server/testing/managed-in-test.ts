import { twoSidesAndTwin } from '../../shared/base/transport.ts';
import { managedTargetSchema } from '../../shared/target/target.ts';
import { openManaged } from '../targets/managed/open-managed.ts';

/** For tests: a program that starts a server, sends why it could not, and ends. Its arguments are its data directory and the server. */

const [dataDirectory = '', server] = process.argv.slice(2);
const target = managedTargetSchema.parse({ kind: 'managed', server });
const asked = { target, arms: twoSidesAndTwin, transports: ['http', 'https'] as const };
await openManaged(asked, { dataDirectory }, new AbortController().signal).then(
  ({ stop }) => stop(),
  (error: Error) => process.send?.(error.message),
);
process.disconnect();
