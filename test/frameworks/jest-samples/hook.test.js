// ../main.mjs runs this test with Jest, as an ES module and as CommonJS: its hook must fail, print the log of the account
// and save a trace.
let simulator;

beforeAll(async () => {
  const { startSimulator } = await import('billing-sim');
  simulator = await startSimulator();
  const { baseUrl, tokens } = await simulator.createAccount();
  await fetch(`${baseUrl}/deposits/9`, { headers: { authorization: `Bearer ${tokens.full}` } });
  throw new Error('failed');
});
afterAll(() => simulator.close());

test('does not run', () => undefined);
