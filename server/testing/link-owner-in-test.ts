import { startLinks } from '../drive/link/start-links.ts';

/** A program that starts links, says the ids of its processes, and stays until it is killed, for the test of what is left then. */

const links = await startLinks();
process.stdout.write(`pids ${links.pids().join(' ')}\n`);
