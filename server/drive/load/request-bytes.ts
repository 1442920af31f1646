import type { Scenario } from '../../../shared/scenario/scenario.ts';
import type { Listener } from '../../../shared/target/target.ts';
import { hostOf } from '../../base/addresses/origin.ts';
import { assembleRequest } from '../../base/wire/ask.ts';
import { literalRequest } from '../../intake/scenario/user-script.ts';

/** A step as it goes over the wire, assembled once so that sending it costs one write. */
export type WireRequest = { bytes: Buffer; bodyless: boolean };

/** @param close whether every request asks the server to close the connection */
export function assembleRequests(scenario: Scenario, listener: Listener, close: boolean): WireRequest[] {
  return scenario.steps.map((step) => ({
    bytes: assembleRequest(literalRequest(step), hostOf(listener), close),
    bodyless: step.method === 'HEAD',
  }));
}
