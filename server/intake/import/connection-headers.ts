import { reservedHeaders } from '../../../shared/scenario/scenario.ts';

type Header = readonly [name: string, value: string];

/** Whether the load generator writes the header itself. */
export function isOfConnection([name]: Header): boolean {
  return (reservedHeaders as readonly string[]).includes(name.toLowerCase());
}

/** Why a run cannot send the same request, as a sentence; null when it can, even if it leaves the header out. */
export function connectionProblem([name, value]: Header, host: string, body: string | null): string | null {
  switch (name.toLowerCase()) {
    case 'host':
      return value.toLowerCase() === host.toLowerCase()
        ? null
        : `The header ${name} differs from the host in the address. A run takes it from its target.`;
    case 'content-length':
      return value === String(new TextEncoder().encode(body ?? '').length)
        ? null
        : `The header ${name} is not the length of the body.`;
    case 'connection':
      return isPolicy(value) ? null : `The header ${name} asks for another protocol.`;
    case 'transfer-encoding':
    case 'upgrade':
    case 'expect':
      return `The header ${name} changes how the message is framed. A run frames its requests itself.`;
    default:
      return null;
  }
}

/** A note on a header whose omission changes the request; null for any other. */
export function connectionNote([name, value]: Header): string | null {
  const lower = name.toLowerCase();
  const differs = lower === 'te' || lower === 'trailer' || (lower === 'connection' && /close/i.test(value));
  return differs
    ? `The header ${name} is left out, because the connection policy of a run decides it.`
    : null;
}

function isPolicy(value: string): boolean {
  return /^(keep-alive|close)$/i.test(value);
}
