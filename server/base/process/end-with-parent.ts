import { Worker } from 'node:worker_threads';

/**
 * Ends this process once its parent is gone, also while its own thread is kept busy and hears of nothing: a thread beside it
 * looks once a second.
 */
export function endWithParent(): void {
  new Worker(new URL('./parent-watch.ts', import.meta.url), {
    workerData: process.ppid,
    execArgv: ['--disable-warning=ExperimentalWarning'],
  }).unref();
}
