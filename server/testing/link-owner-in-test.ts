import { startLinks } from '../drive/link/start-links.ts';

/** A program that opens a link, says the ids of its processes and what carries it, and stays until it is killed. */

const links = await startLinks();
const { readBy } = await links.open({ roundTripMs: 1, mbitPerS: null }, [{ address: '127.0.0.1', port: 9 }]);
process.stdout.write(`pids ${links.pids().join(' ')}\nby ${JSON.stringify(await readBy())}\n`);
