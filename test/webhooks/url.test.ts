import { describe, expect, test } from 'vitest';
import { webhookUrlProblem } from '../../src/webhooks/url.js';

const simulator = { port: 4010 };
const simulatorItselfError = 'the webhook URL points to the simulator itself';

describe('a webhook URL is refused', () => {
  test.each([
    ['', 'the webhook URL is not a valid URL'],
    ['receiver.example/hook', 'the webhook URL is not a valid URL'],
    ['http://', 'the webhook URL is not a valid URL'],
    ['http://receiver.example:70000/', 'the webhook URL is not a valid URL'],
    ['ftp://receiver.example/', 'the webhook URL must begin with http:// or https://'],
    ['file:///etc/passwd', 'the webhook URL must begin with http:// or https://'],
    ['javascript:alert(1)', 'the webhook URL must begin with http:// or https://'],
    ['http://user:password@receiver.example/', 'the webhook URL contains credentials'],
    ['http://user@receiver.example/', 'the webhook URL contains credentials'],
    ['http://:password@receiver.example/', 'the webhook URL contains credentials'],
    [`http://receiver.example/${'a'.repeat(1_977)}`, 'the webhook URL is longer than 2000 characters'],
    [`http://127.0.0.1:9/billing-sim-listen#${'a'.repeat(2_100)}`, 'the webhook URL is longer than 2100 characters'],
    ['http://localhost:4010/', simulatorItselfError],
    ['https://LOCALHOST.:4010/hook', simulatorItselfError],
    ['http://sim.localhost:4010/', simulatorItselfError],
    ['http://127.0.0.1:4010/api/v1/deposits', simulatorItselfError],
    ['http://127.255.0.3:4010/', simulatorItselfError],
    ['http://127.1:4010/', simulatorItselfError],
    ['http://2130706433:4010/', simulatorItselfError],
    ['http://[::1]:4010/', simulatorItselfError],
    ['http://0.0.0.0:4010/', simulatorItselfError],
    ['http://[::]:4010/', simulatorItselfError],
  ])('%j: %s', (url, problem) => {
    expect(webhookUrlProblem(url, simulator)).toBe(problem);
  });

  test.each([
    ['http://localhost/', 80],
    ['https://localhost/', 443],
  ])('%j, if the simulator has the default port of the scheme', (url, port) => {
    expect(webhookUrlProblem(url, { port })).toBe(simulatorItselfError);
  });
});

describe('a webhook URL is accepted', () => {
  test.each([
    'http://localhost:4011/',
    'http://127.0.0.1/',
    'https://receiver.example/hook?key=1#part',
    'http://receiver.example:4010/',
    'http://localhost.example:4010/',
    'http://128.0.0.1:4010/',
    'http://bücher.example/hook',
    `http://receiver.example/${'a'.repeat(1_976)}`,
    `http://127.0.0.1:65535/billing-sim-listen#http://receiver.example/${'a'.repeat(1_976)}`,
  ])('%j', (url) => {
    expect(webhookUrlProblem(url, simulator)).toBeUndefined();
  });

  test('on this machine, if the simulator is not listening', () => {
    expect(webhookUrlProblem('http://localhost:4010/', { port: undefined })).toBeUndefined();
  });
});
