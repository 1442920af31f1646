import { workerData } from 'node:worker_threads';

/** The thread of `endWithParent`: a process whose parent is gone belongs to another one. */
setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, 1000);
