import { groupNames, keyNames } from '../../base/cipher-suites.ts';
import { type Options, placeOptions } from '../../base/option.ts';
import { tlsVersions } from '../../base/tls.ts';

const ofLoad = { hint: null, group: 'Load' } as const;
const ofServer = { hint: null, group: 'Server' } as const;

/** Load for the capacity planner. */
export const loadTable = {
  visitsPerS: {
    type: 'number',
    above: 0,
    max: 1e7,
    default: 100,
    label: 'Visits per second',
    help: 'Visits per second',
    ...ofLoad,
  },
  requestsPerVisit: {
    type: 'number',
    min: 1,
    max: 10_000,
    default: 20,
    label: 'Requests per visit',
    help: 'Requests of one visit',
    ...ofLoad,
  },
  pageBytes: {
    type: 'number',
    min: 0,
    max: 1e10,
    default: 25_000,
    scale: 1000,
    unit: 'kB',
    label: 'Response size',
    help: 'Bytes of one response, on average',
    ...ofLoad,
  },
  returningShare: {
    type: 'share',
    min: 0,
    max: 1,
    default: 0.5,
    label: 'Returning visitors',
    help: 'Share of the visits that come with a session of an earlier one',
    ...ofLoad,
  },
  keepAlive: {
    type: 'flag',
    default: true,
    labels: { true: 'Kept alive', false: 'One per request' },
    label: 'Connections',
    help: 'Whether connections stay open; otherwise, every request has its own',
    ...ofServer,
  },
  connectionsPerVisit: {
    type: 'number',
    min: 1,
    max: 1000,
    default: 2,
    when: { option: 'keepAlive', is: 'true' },
    label: 'Connections per visit',
    help: 'Opened at once by one visit; counts with keep-alive only. HTTP/2 needs one',
    ...ofServer,
  },
  resumption: {
    type: 'flag',
    default: true,
    labels: { true: 'Resumed', false: 'Never resumed' },
    label: 'Sessions',
    help: 'Whether the server resumes sessions',
    ...ofServer,
  },
  version: {
    type: 'choice',
    choices: tlsVersions,
    labels: { 'TLSv1.3': 'TLS 1.3', 'TLSv1.2': 'TLS 1.2' },
    default: 'TLSv1.3',
    label: 'Protocol',
    help: 'What most visitors agree on',
    ...ofServer,
  },
  key: {
    type: 'choice',
    choices: keyNames,
    default: 'RSA-2048',
    label: 'Key',
    help: 'Key of the certificate',
    ...ofServer,
  },
  group: {
    type: 'choice',
    choices: groupNames,
    default: 'X25519MLKEM768',
    label: 'Key agreement',
    help: 'Group in which most visitors agree on a key',
    ...ofServer,
  },
  utilisation: {
    type: 'share',
    min: 0.05,
    max: 1,
    default: 0.7,
    label: 'Target CPU utilization',
    help: 'As busy as a core may be',
    ...ofServer,
  },
} as const satisfies Options;

const ownFigure = {
  type: 'number',
  min: 0,
  max: 1e12,
  placeholder: 'as measured',
  hint: null,
  group: 'Your own figures',
} as const;

/** Typed figures, which take precedence over measured ones. */
export const ownTable = {
  requestUs: {
    ...ownFigure,
    unit: 'µs',
    label: 'Request',
    help: 'Server CPU of one request without TLS at full load, in microseconds',
  },
  connectionUs: {
    ...ownFigure,
    unit: 'µs',
    label: 'Connection',
    help: 'Server CPU of accepting a connection, in microseconds',
  },
  fullUs: {
    ...ownFigure,
    unit: 'µs',
    label: 'Full handshake',
    help: 'The server’s part of a full handshake with the key and group of the load, in microseconds',
  },
  resumedUs: {
    ...ownFigure,
    unit: 'µs',
    label: 'Resumed handshake',
    help: 'The server’s part of a resumed handshake, in microseconds',
  },
  nsPerByte: { ...ownFigure, unit: 'ns', label: 'Byte', help: 'Encrypting one byte, in nanoseconds' },
  signsPerS: {
    ...ownFigure,
    label: 'Signatures per second',
    help: 'Signatures per second with the load’s key',
  },
} as const satisfies Options;

const ofBill = { type: 'number', min: 0, max: 1e7, hint: null, group: 'Load' } as const;

/** Load for the bill of a run; the rest comes from the run itself. */
export const billLoadTable = {
  requestsPerS: {
    ...{ ...ofBill, default: 1000 },
    label: 'Requests per second',
    help: 'Requests per second, on average over a month',
  },
  responseBytes: {
    ...{ ...ofBill, max: 1e10, default: null, scale: 1000, unit: 'kB', placeholder: 'as measured' },
    label: 'Response size',
    help: 'Bytes of one response, on average',
    usual: 'as measured',
  },
  fullPerS: {
    ...{ ...ofBill, default: 0 },
    label: 'Full handshakes per second',
    help: 'Full handshakes per second; counts where the run kept its connections open',
  },
  resumedPerS: {
    ...{ ...ofBill, default: 0 },
    label: 'Resumed handshakes per second',
    help: 'Resumed handshakes per second; counts where the run kept its connections open',
  },
  utilisation: { ...loadTable.utilisation, group: ofBill.group },
} as const satisfies Options;

const ofPrices = { type: 'number', min: 0, max: 1000, unit: '$', hint: null, group: 'Prices' } as const;

/** List prices; `priceSources` says whose. */
export const priceTable = {
  vcpuHour: {
    ...{ ...ofPrices, default: 0.04048 },
    label: 'vCPU-hour',
    help: 'Price of one vCPU for an hour, in dollars; the default is that of AWS Fargate',
  },
  egressGb: {
    ...{ ...ofPrices, default: 0.09 },
    label: 'GB of egress',
    help: 'Price of one GB (10⁹ bytes) sent to the Internet, in dollars; the default is that of AWS EC2',
  },
} as const satisfies Options;

/** Sources of the default prices. */
export const priceSources = [
  { title: 'AWS Fargate, Linux/x86, per vCPU-hour', href: 'https://aws.amazon.com/fargate/pricing/' },
  {
    title: 'EC2 data transfer to the Internet, first 10 TB a month',
    href: 'https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer',
  },
] as const;
export const pricesOf = 'list prices for US East (N. Virginia), June 2026';

export const loadOptions = placeOptions('load', loadTable);
export const ownOptions = placeOptions('figures.own', ownTable);
export const priceOptions = placeOptions('prices', priceTable);
export const capacityOptions = [...loadOptions, ...ownOptions, ...priceOptions];
const billLoadOptions = placeOptions('load', billLoadTable);
export const billOptions = [...billLoadOptions, ...priceOptions];
