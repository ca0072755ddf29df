import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dashboard } from './dashboard.mjs';
import { createSeededFolder, newFolder, seed, sizeOf } from './data.mjs';
import { alternate, compare, load, loadUntilKilled, median } from './load.mjs';
import { peers as allPeers } from './peers.mjs';
import {
  bareExpress,
  bareProxy,
  getJson,
  launch,
  pause,
  receiver,
  runForJson,
  runProxy,
  simulator,
  validatingProxy,
} from './servers.mjs';
import { contract } from './suite.mjs';
import { atLeast, atMost } from './table.mjs';

const smallCount = 100;
const largeCount = 100_000;

/**
 * Each function measures one thing, with the settings `bench` (see main.mjs), and returns table rows. Rows with a
 * `server` belong to the table of peers. In comparisons, `one` is usually the simulator and `other` what it is compared
 * with.
 */
export const measurements = {
  page,
  read,
  write,
  scale,
  start,
  library,
  memory,
  seeding,
  journal,
  pauses,
  expiry,
  hanging,
  waiting,
  faults,
  proxy,
  prism,
  contract,
  dashboard,
  peers,
};

async function page(bench) {
  const ours = await launch(simulator(bench.cli, await createSeededFolder(bench, smallCount)), bench.workFolder);
  const bare = await launch(bareExpress(await savePage(bench, ours)), bench.workFolder);
  const [one, other] = await alternate([ours.page, bare.page], bench.rounds);
  return [comparisonRow('page of 25 invoices vs bare Express', one, other, atLeast(2.8))];
}

async function read(bench) {
  const ours = await launch(simulator(bench.cli, newFolder(bench)), bench.workFolder);
  const { url, method, headers, body } = ours.write;
  const { data } = await (await fetch(url, { method, headers, body })).json();
  const deposit = { ...ours.page, url: `${url}/${data.id}` };
  const bare = await launch(bareExpress(save(bench, 'deposit', await getJson(deposit))), bench.workFolder);
  const [one, other] = await alternate([deposit, bare.page], bench.rounds);
  return [comparisonRow('one deposit vs bare Express', one, other, atLeast(2.8))];
}

async function write(bench) {
  const data = newFolder(bench);
  const ours = await launch(simulator(bench.cli, data), bench.workFolder);
  const bare = await launch(bareExpress(), bench.workFolder);
  const countBefore = await countDeposits(ours);
  const [one, other] = await alternate([ours.write, bare.write], bench.rounds);
  const acknowledged = one.answered + (await loadUntilKilled(ours.write, ours.kill));
  const restarted = await launch(simulator(bench.cli, data), bench.workFolder);
  const storedCount = (await countDeposits(restarted)) - countBefore;
  if (storedCount < acknowledged)
    throw new Error(`of ${acknowledged} acknowledged deposits only ${storedCount} survived kill -9`);
  return [
    comparisonRow('new deposit, stored, vs bare Express echo', one, other, atLeast(2)),
    {
      figure: 'deposits that survive kill -9 under load',
      measured: `${count(acknowledged)} acknowledged, ${count(storedCount)} kept; started again in ${milliseconds([restarted.firstResponseMs])}`,
    },
  ];
}

async function proxy(bench) {
  const service = await launch(simulator(bench.cli, await createSeededFolder(bench, smallCount)), bench.workFolder);
  const { origin } = new URL(service.page.url);
  const ours = await launch(validatingProxy(bench.cli, origin), bench.workFolder);
  const bare = await launch(bareProxy(origin), bench.workFolder);
  const results = await alternate([ours.page, bare.page], bench.rounds);
  const [rates, bareRates] = results.map(ratesOf);
  return [
    {
      figure: 'time of a page through the proxy vs through a proxy that only forwards',
      // The ratio of times is the inverse of the ratio of rates.
      ...compare(bareRates, rates),
      target: atMost(2),
      measured: `${perSecond(rates)} vs ${perSecond(bareRates)} (${processorTimesOf(results)})`,
    },
  ];
}

/** Measures first responses. The simulator loads Prism for its first stateless response; the proxy loads it at startup. */
async function prism(bench) {
  const stateless = [];
  const throughProxy = [];
  for (let round = 0; round < bench.launches; round++) {
    const service = await launch(simulator(bench.cli), bench.workFolder);
    stateless.push(await measureResponseMs(service.page, { prefer: 'code=200' }));
    const proxied = await runProxy(bench.cli, new URL(service.page.url).origin, bench.workFolder);
    throughProxy.push(await measureResponseMs({ ...service.page, url: `${proxied.baseUrl}/invoices` }));
    await proxied.stop();
    await service.stop();
  }
  const row = (figure, times) => ({ figure, measured: `${Math.round(median(times))} ms (for reference only)` });
  return [
    row('first stateless response (header Prefer)', stateless),
    row('first response through the proxy', throughProxy),
  ];
}

/** Returns the milliseconds until a response is read. */
async function measureResponseMs({ url, headers }, extraHeaders = {}) {
  const startedAt = performance.now();
  const response = await fetch(url, { headers: { ...headers, ...extraHeaders } });
  await response.text();
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return performance.now() - startedAt;
}

async function scale(bench) {
  const large = await launch(simulator(bench.cli, await createSeededFolder(bench, largeCount)), bench.workFolder);
  const small = await launch(simulator(bench.cli, await createSeededFolder(bench, smallCount)), bench.workFolder);
  const { last_page } = (await getJson(large.page)).data;
  const lastPage = { ...large.page, url: `${large.page.url}?page=${last_page}` };
  const pairs = [
    ['page', large.page, small.page],
    ['last page', lastPage, small.page],
    ['statistics', large.stats, small.stats],
    ['new deposit', large.write, small.write],
  ];
  const rows = [];
  for (const [name, one, other] of pairs) {
    const results = await alternate([one, other], bench.fewRounds);
    rows.push(comparisonRow(`${name} at ${count(largeCount)} invoices vs at ${smallCount}`, ...results, atLeast(0.95)));
  }
  return rows;
}

async function start(bench) {
  const small = await createSeededFolder(bench, smallCount);
  const large = await createSeededFolder(bench, largeCount);
  const servers = [
    bareExpress(),
    simulator(bench.cli),
    simulator(bench.cli, newFolder(bench)),
    simulator(bench.cli, small),
    simulator(bench.cli, large),
    bareExpress(undefined, join(await createSeededFolder(bench, largeCount), 'db.json')),
  ];
  const times = servers.map(() => []);
  for (let round = 0; round < bench.launches; round++) {
    for (const [index, server] of servers.entries()) {
      const running = await launch(server, bench.workFolder);
      times[index].push(running.firstResponseMs);
      await running.stop();
    }
  }
  const [bare, inMemory, onDisk, withSmallFile, withLargeFile, bareWithLargeFile] = times;
  const row = (name, ours, target, other = bare, otherName = 'bare Express') => ({
    figure: `first response, ${name}, vs ${otherName}`,
    ...compare(ours, other),
    target,
    measured: `${milliseconds(ours)} vs ${milliseconds(other)}`,
  });
  const largeName = `${count(largeCount)} invoices on disk`;
  return [
    row('--memory', inMemory, atMost(1.3)),
    row('demo seed on disk', onDisk, atMost(1.3)),
    row(`${smallCount} invoices on disk`, withSmallFile, atMost(1.3)),
    // No target: starting bare Express and parsing the file takes almost five times as long as starting it.
    row(largeName, withLargeFile, undefined),
    row(largeName, withLargeFile, atMost(1.3), bareWithLargeFile, 'bare Express that parses the same file'),
  ];
}

async function library(bench) {
  const measured = await runForJson('library.mjs', [dirname(bench.cli), String(4 * bench.rounds)], bench.workFolder);
  const row = (what, times, bound) => ({
    figure: `${what} vs ${bound} ms`,
    ...compare(
      times,
      times.map(() => bound),
    ),
    target: atMost(1),
    measured: `${median(times).toFixed(2)} ms`,
  });
  return [
    row('startSimulator(), second and later in a process', measured.starts, 10),
    row('createAccount() of the library', measured.accounts, 2),
    row('new account by the control API', measured.accountsOverHttp, 2),
  ];
}

async function memory(bench) {
  const ours = { starts: [], sizes: [] };
  const bare = { starts: [], sizes: [] };
  for (let round = 0; round < bench.fewLaunches; round++) {
    await measureStart(simulator(bench.cli, newFolder(bench)), ours, bench);
    await measureStart(bareExpress(), bare, bench);
  }
  return [
    {
      figure: 'resident memory after start vs bare Express',
      ...compare(ours.sizes, bare.sizes),
      target: atMost(1.3),
      measured: `${megabytes(ours.sizes)} vs ${megabytes(bare.sizes)}`,
    },
  ];
}

async function seeding(bench) {
  const { folder, seconds } = await seed(bench, largeCount);
  const measured = `${seconds.toFixed(1)} s, ${megabytes([sizeOf(folder).all])} on disk`;
  return [{ figure: `seed --invoices ${largeCount}`, measured }];
}

/** Measures whether the latency and the journal bytes of a new deposit grow with the data. The figures have no target. */
async function journal(bench) {
  const folders = [await createSeededFolder(bench, largeCount), await createSeededFolder(bench, smallCount)];
  const servers = [];
  for (const folder of folders) servers.push(await launch(simulator(bench.cli, folder), bench.workFolder));
  const growth = [];
  for (const [index, folder] of folders.entries()) {
    const bytesBefore = sizeOf(folder).journal;
    const { answered } = await load(servers[index].write, { amount: 1_000 });
    growth.push((sizeOf(folder).journal - bytesBefore) / answered);
  }
  const results = await alternate(
    servers.map((server) => server.write),
    bench.fewRounds,
  );
  const [large, small] = results.map(({ rounds }) => rounds);
  const [largeP99, smallP99] = [large, small].map((rounds) => rounds.map(({ p99 }) => p99));
  const worst = (rounds) => milliseconds([Math.max(...rounds.map((round) => round.worst))]);
  return [
    {
      figure: `99th percentile of a new deposit at ${count(largeCount)} invoices vs at ${smallCount}`,
      ...compare(largeP99, smallP99),
      measured: `${milliseconds(largeP99)} vs ${milliseconds(smallP99)}; the slowest ${worst(large)} vs ${worst(small)}`,
    },
    {
      figure: `journal bytes per deposit at ${count(largeCount)} invoices vs at ${smallCount}`,
      ratio: growth[0] / growth[1],
      measured: growth.map((bytes) => `${Math.round(bytes)} B`).join(' vs '),
    },
  ];
}

/** The longest pause that is allowed while a checkpoint (db.json) or a snapshot is written. */
const maxPauseMs = 100;

async function pauses(bench) {
  const folder = await createSeededFolder(bench, largeCount);
  const measured = await runForJson('pause.mjs', [folder], bench.workFolder);
  const row = (what, name) => ({
    figure: `longest pause ${what} with ${count(largeCount)} invoices vs ${maxPauseMs} ms`,
    ...compare([measured[name]], [maxPauseMs]),
    target: atMost(1),
    measured: `${milliseconds([measured[name]])}; idle ${milliseconds([measured.idle])}`,
  });
  return [
    row('while db.json is rewritten', 'compaction'),
    row('while a snapshot is saved', 'snapshot'),
    row('while the simulator stops', 'stop'),
  ];
}

/** Number of deposits that expire in one advance. */
const expiringCount = 10_000;

/**
 * Lets deposits expire in memory and on disk, without and with a receiver, and in an earlier build if one is given.
 * `target` is the wanted number of expiries per second; expire.mjs explains its arguments.
 */
async function expiry(bench) {
  const url = await receiver(bench.workFolder);
  const setups = [
    { name: 'in memory, no receiver', createArgs: () => ['-'], target: 60_000 },
    { name: 'on disk, no receiver', createArgs: () => [newFolder(bench)], target: 40_000 },
    { name: 'in memory, each delivered to a receiver on loopback', createArgs: () => ['-', url], target: 5_000 },
    { name: 'on disk, each delivered to a receiver on loopback', createArgs: () => [newFolder(bench), url] },
  ];
  const builds = [bench.cli, bench.before].filter(Boolean);
  const rows = [];
  for (const { name, createArgs, target } of setups) {
    const results = builds.map(() => []);
    for (let round = 0; round < bench.fewRounds; round++) {
      for (const [index, cli] of builds.entries()) {
        const args = [dirname(cli), String(expiringCount), ...createArgs()];
        results[index].push(await runForJson('expire.mjs', args, bench.workFolder));
      }
    }
    const [ours, before] = results;
    rows.push(...expiryRows({ name, target, ours, before }));
  }
  return rows;
}

/** @param before results of the earlier build; undefined if there is none */
function expiryRows({ name, target, ours, before }) {
  const rates = ours.map(({ milliseconds: durationMs }) => (expiringCount / durationMs) * 1000);
  const cost = (results) => results.map(({ processorTime }) => (processorTime / expiringCount) * 1000);
  const figure = `${count(expiringCount)} deposits expire in one advance, ${name}`;
  const microseconds = (results) => Math.round(median(cost(results)));
  const measured = `${perSecond(rates)}, ${microseconds(ours)} µs of processor time each`;
  const targetRates = rates.map(() => target);
  const rows = [
    // The target is a rate; the ratio is to that rate.
    target === undefined
      ? { figure, measured }
      : {
          figure,
          ...compare(rates, targetRates),
          target: atLeast(1),
          measured: `${measured}; target ${count(target)}/s`,
        },
  ];
  if (before) {
    rows.push({
      figure: `processor time of an expiry ${name}, vs the earlier build`,
      ...compare(cost(ours), cost(before)),
      measured: `${microseconds(ours)} vs ${microseconds(before)} µs`,
    });
  }
  return rows;
}

async function hanging(bench) {
  const url = await receiver(bench.workFolder, 'hang');
  const one = await launch(simulator(bench.cli, undefined, url), bench.workFolder);
  const other = await launch(simulator(bench.cli), bench.workFolder);
  const rows = [];
  for (const [name, kind] of [
    ['new deposit', 'write'],
    ['page', 'page'],
  ]) {
    const results = await alternate([one[kind], other[kind]], bench.rounds);
    rows.push(comparisonRow(`${name} with a receiver that hangs vs without one`, ...results, atLeast(0.95)));
  }
  return rows;
}

async function waiting(bench) {
  const args = ['100000', await receiver(bench.workFolder, 'hang')];
  const { growthBytes, bodyBytes } = await runForJson('wait.mjs', args, bench.workFolder, ['--expose-gc']);
  return [
    {
      figure: 'memory of 100,000 waiting deliveries vs the bytes of their bodies',
      ratio: growthBytes / bodyBytes,
      target: atMost(3),
      measured: `${megabytes([growthBytes])} vs ${megabytes([bodyBytes])}`,
    },
  ];
}

/**
 * Measures the same requests on three simulators: with faults that match only other requests, with one fault that counts
 * every request, and without faults.
 */
async function faults(bench) {
  const servers = {
    none: await launch(simulator(bench.cli), bench.workFolder),
    others: await launch(simulator(bench.cli), bench.workFolder),
    counting: await launch(simulator(bench.cli), bench.workFolder),
    ...(bench.before === undefined ? {} : { before: await launch(simulator(bench.before), bench.workFolder) }),
  };
  for (const match of Array.from({ length: 25 }, () => matchersOfOtherRequests).flat()) {
    await servers.others.addFault({ effect: 'status=503', match });
  }
  await servers.counting.addFault({ effect: 'status=503', match: { nth: 1_000_000 } });

  const rows = [];
  for (const [name, kind] of [
    ['page', 'page'],
    ['new deposit', 'write'],
  ]) {
    const results = await alternate(
      Object.values(servers).map((server) => server[kind]),
      bench.rounds,
    );
    const [none, others, counting, before] = results;
    rows.push(comparisonRow(`${name} with 100 faults for other requests vs no faults`, others, none, atLeast(0.9)));
    rows.push(comparisonRow(`${name} with a fault that counts every request vs no faults`, counting, none));
    if (before) rows.push(comparisonRow(`${name} without faults vs the earlier build`, none, before, atLeast(0.98)));
  }
  return rows;
}

/** Matchers that match neither the page nor the new deposit, each for a different reason. */
const matchersOfOtherRequests = [
  { operation: 'captureDeposit' },
  { token: 'write' },
  { body: { 'metadata.channel': 'agency' } },
  { method: 'POST', path: '/invoices/*', nth: 3 },
];

async function peers(bench) {
  const data = await createSeededFolder(bench, smallCount);
  const source = await launch(simulator(bench.cli, data), bench.workFolder);
  const bare = bareExpress(await savePage(bench, source));
  const rows = {
    invoices: (await getJson(source.page, '?per_page=100')).data.data,
    deposits: (await getJson(source.write)).data.data,
  };
  await source.stop();

  const ours = { name: 'billing-sim', prepare: () => simulator(bench.cli, data) };
  const table = [];
  for (const { name, prepare } of [ours, ...allPeers]) {
    try {
      table.push(await compareWithBare({ name, ...(await prepare(bench, rows)) }, bare, bench));
    } catch (error) {
      bench.reportFailure(name, error);
    }
  }
  return table;
}

/** Measures a server and bare Express alternately. @returns the server's row in the table of peers */
async function compareWithBare(server, bare, bench) {
  const [one, other] = [server, bare].map(() => ({ starts: [], sizes: [] }));
  for (let round = 0; round < bench.fewLaunches; round++) {
    await measureStart(server, one, bench);
    await measureStart(bare, other, bench);
  }
  const running = [await launch(server, bench.workFolder), await launch(bare, bench.workFolder)];
  for (const kind of ['page', 'write']) {
    const targets = running.map((each) => each[kind]);
    [one[kind], other[kind]] = (await alternate(targets, bench.fewRounds)).map(ratesOf);
  }
  for (const each of running) await each.stop();

  const cell = (kind, unit) => `${compare(one[kind], other[kind]).ratio.toFixed(2)} (${unit(one[kind])})`;
  return {
    server: server.name,
    page: cell('page', perSecond),
    write: cell('write', perSecond),
    start: cell('starts', milliseconds),
    memory: cell('sizes', megabytes),
  };
}

/** Starts and stops a server, and adds the time to its first response, and its memory shortly after, to the lists. */
async function measureStart(server, { starts, sizes }, { workFolder }) {
  const running = await launch(server, workFolder);
  starts.push(running.firstResponseMs);
  await pause(settlingMs);
  sizes.push(running.residentMemory());
  await running.stop();
}

/** Delay between the first response and the measurement of memory. */
const settlingMs = 500;

async function savePage(bench, server) {
  const body = await getJson(server.page);
  if (body.data.data.length !== 25) throw new Error(`the page has ${body.data.data.length} rows, not 25`);
  return save(bench, 'page', body);
}

/** Saves the body with which bare Express responds. */
function save({ workFolder }, name, body) {
  const file = join(workFolder, `${name}.json`);
  writeFileSync(file, JSON.stringify(body));
  return file;
}

async function countDeposits(server) {
  return (await getJson(server.write)).data.total;
}

/** Makes the row that compares the request rates of `one` and `other`. */
function comparisonRow(figure, one, other, target) {
  const results = [one, other];
  const [ours, theirs] = results.map(ratesOf);
  return {
    figure,
    ...compare(ours, theirs),
    target,
    measured: `${perSecond(ours)} vs ${perSecond(theirs)} (${processorTimesOf(results)})`,
  };
}

const ratesOf = ({ rounds }) => rounds.map(({ rate }) => rate);

/** Returns the median processor times of a request, such as `80 vs 211 µs of processor time each`. */
function processorTimesOf(results) {
  const medians = results.map(({ rounds }) => Math.round(median(rounds.map(({ processorTime }) => processorTime))));
  return `${medians.join(' vs ')} µs of processor time each`;
}

const count = (number) => Math.round(number).toLocaleString('en');
const perSecond = (rates) => `${count(median(rates))}/s`;
const milliseconds = (times) => `${count(median(times))} ms`;
const megabytes = (sizes) => `${count(median(sizes) / 1e6)} MB`;
