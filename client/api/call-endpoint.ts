import { type Answer, type Call, callEndpointBy, type Way } from '../../shared/api/call-endpoint.ts';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import { UnreachableError } from './unreachable-error.ts';

/**
 * Calls an endpoint of the server that the page came from. Throws its ProblemError, or UnreachableError when nobody answered.
 */
export function callEndpoint<Called extends Endpoint>(
  endpoint: Called,
  call: Call<Called> = {},
): Promise<Answer<Called>> {
  return callEndpointBy(fromPage, endpoint, call);
}

const fromPage: Way = {
  async send(address, request) {
    try {
      return await fetch(address, request);
    } catch (error) {
      if (request.signal?.aborted) throw error;
      throw new UnreachableError({ cause: error });
    }
  },
  unknownAnswer: ({ status }) => new UnreachableError({ cause: new Error(`status ${status}`) }),
};
