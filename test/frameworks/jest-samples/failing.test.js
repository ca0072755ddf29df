// ../main.mjs runs these tests with Jest, as an ES module and as CommonJS: the first one must fail, print the log of its
// account and save a trace.
let simulator;
let billing;

beforeAll(async () => {
  const { startSimulator } = await import('billing-sim');
  simulator = await startSimulator();
});
afterAll(() => simulator.close());
beforeEach(async () => {
  billing = await simulator.createAccount();
});
afterEach(() => billing.remove());

test('fails', async () => {
  const { baseUrl, tokens } = billing;
  await fetch(`${baseUrl}/deposits/9`, { headers: { authorization: `Bearer ${tokens.full}` } });
  throw new Error('failed');
});

test('passes', async () => {
  await fetch(`${billing.baseUrl}/payments`);
});

test.failing('is expected to fail', async () => {
  await fetch(`${billing.baseUrl}/payments`);
  throw new Error('expected');
});
