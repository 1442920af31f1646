import { reservedHeaders } from '../../../shared/scenario/scenario.ts';

type Header = readonly [name: string, value: string];

/** Whether the load generator writes the header itself. */
export function isOfConnection([name]: Header): boolean {
  return (reservedHeaders as readonly string[]).includes(name.toLowerCase());
}

/** Why a run cannot send the same request, as a sentence; null when it can, even if it leaves the header out. */
export function connectionProblem([name, value]: Header, body: string | null): string | null {
  switch (name.toLowerCase()) {
    case 'content-length':
      return value === String(new TextEncoder().encode(body ?? '').length)
        ? null
        : `The header ${name} is not the length of the body.`;
    case 'connection':
      return isPolicy(value) ? null : `The header ${name} asks for another protocol.`;
    case 'upgrade':
      return `The header ${name} asks for another protocol.`;
    default:
      return null;
  }
}

/** A note on a header whose omission changes the request; null for any other. */
export function connectionNote([name, value]: Header, host: string): string | null {
  switch (name.toLowerCase()) {
    case 'host':
      return value.toLowerCase() === host.toLowerCase()
        ? null
        : `The header ${name} differs from the host in the address. A run takes it from its target: give that name as the address, and if it is not in DNS, add it to /etc/hosts.`;
    case 'connection':
      return /close/i.test(value) ? leftOut(name) : null;
    case 'te':
    case 'trailer':
      return leftOut(name);
    case 'transfer-encoding':
    case 'expect':
      return `The header ${name} is left out, because a run sends each body whole, with its length.`;
    default:
      return null;
  }
}

function leftOut(name: string): string {
  return `The header ${name} is left out, because the connection policy of a run decides it.`;
}

function isPolicy(value: string): boolean {
  return /^(keep-alive|close)$/i.test(value);
}
