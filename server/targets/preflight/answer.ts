import type { Step } from '../../../shared/scenario/scenario.ts';
import type { PreflightSide } from '../../../shared/target/preflight.ts';
import type { DroppedCookie } from '../../intake/scenario/cookie-jar.ts';
import type { SchemeLink } from './find-scheme-links.ts';

/** A step's response, and what is needed besides to judge it. */
export type Answer = {
  step: Step;
  response: PreflightSide['responses'][number];
  /** From sending it on an open connection. */
  firstByteUs: number;
  /** Of the side. */
  origin: string;
  /** As it was sent. */
  path: string;
  /** In lower case; of cookies the names only. */
  headers: [name: string, value: string][];
  secureCookies: string[];
  /** Cookies that the scenario's jar does not keep. */
  droppedCookies: DroppedCookie[];
  /** Of the body as text; null when it is none. */
  textLength: number | null;
  /** Of the body as text, without the address of its own side; null when it is no text. */
  neutralSha256: string | null;
  /** Addresses of the other scheme, and whether a policy asks for it. */
  links: SchemeLink[];
  upgrades: boolean;
  /** Taken from this response for later steps. */
  variables: { name: string; value: string }[];
  /** What a check or a rule finds wrong. */
  problem: string | null;
  /** The server closes the connection after this response. */
  closes: boolean;
};
