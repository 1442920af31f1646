import { openSandbox } from '../egress/open-sandbox.ts';
import { recordContext } from './record-context.ts';
import type { Recording, RecordingOptions } from './recording.ts';

/** A browser of its own for one recording. Throws target_not_permitted, browser_failed. */
export async function openRecording(options: RecordingOptions): Promise<Recording> {
  let refused = (): void => {};
  const sandbox = await openSandbox({ ...options, onRefused: () => refused() });
  try {
    options.signal.throwIfAborted();
    const recorded = await recordContext(sandbox, options);
    refused = recorded.refused;
    const close = () => recorded.recording.end('closing');
    options.signal.addEventListener('abort', close, { once: true });
    return recorded.recording;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
