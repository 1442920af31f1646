import { type Options, placeOptions } from '../../base/option.ts';

/** Share of a core that a bill keeps busy. */
export const utilizationOption = {
  type: 'share',
  min: 0.05,
  max: 1,
  default: 0.7,
  label: 'Target CPU utilization',
  help: 'As busy as a core may be',
  hint: null,
} as const;

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
  utilization: { ...utilizationOption, group: ofBill.group },
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

export const priceOptions = placeOptions('prices', priceTable);
export const billOptions = [...placeOptions('load', billLoadTable), ...priceOptions];
