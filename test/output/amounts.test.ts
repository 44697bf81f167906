import { expect, it } from 'vitest';
import { bytes, formatCount, percent, usd } from '../../src/output/amounts.ts';

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [102_297, '99.9 KB'],
  [102_400, '100 KB'],
  [1_048_063, '1023 KB'],
  [1_048_064, '1 MB'],
  [1024 ** 2, '1 MB'],
  [1024 ** 6, '1024 PB'],
  [-2048, '-2 KB'],
])('%d bytes are %s', (number, text) => expect(bytes(number)).toBe(text));

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [-1_234_567, '-1,234,567'],
  [1234.5, '1,234.5'],
])('the count of %d is %s', (number, text) => expect(formatCount(number)).toBe(text));

it.each([
  [0, '$0'],
  [1200, '$1,200'],
  [12.4, '$12.40'],
  [9.996, '$10.00'],
  [999.999, '$1,000.00'],
  [-1500.25, '-$1,500.25'],
])('a sum of %d is %s', (number, text) => expect(usd(number)).toBe(text));

it.each([
  [0, '0.0%'],
  [0.0004, '<0.1%'],
  [0.0005, '0.1%'],
  [0.621, '62.1%'],
  [1, '100.0%'],
])('a part of %d is %s', (part, text) => expect(percent(part)).toBe(text));
