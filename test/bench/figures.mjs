import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dashboard } from './dashboard.mjs';
import { folderOf, newFolder, seed, sizeOf } from './data.mjs';
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

/** Each measures one thing and returns rows: of the table of results, or, where they have a `server`, of that of peers. */
export const figures = {
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
  const ours = await launch(simulator(bench.cli, await folderOf(bench, smallCount)), bench.work);
  const bare = await launch(bareExpress(await savePage(bench, ours)), bench.work);
  const [one, other] = await alternate([ours.page, bare.page], bench.rounds);
  return [compared('page of 25 invoices vs bare Express', one, other, atLeast(2.8))];
}

async function read(bench) {
  const ours = await launch(simulator(bench.cli, newFolder(bench)), bench.work);
  const { url, method, headers, body } = ours.write;
  const { data } = await (await fetch(url, { method, headers, body })).json();
  const deposit = { ...ours.page, url: `${url}/${data.id}` };
  const bare = await launch(bareExpress(save(bench, 'deposit', await getJson(deposit))), bench.work);
  const [one, other] = await alternate([deposit, bare.page], bench.rounds);
  return [compared('one deposit vs bare Express', one, other, atLeast(2.8))];
}

async function write(bench) {
  const data = newFolder(bench);
  const ours = await launch(simulator(bench.cli, data), bench.work);
  const bare = await launch(bareExpress(), bench.work);
  const before = await countDeposits(ours);
  const [one, other] = await alternate([ours.write, bare.write], bench.rounds);
  const acknowledged = one.answered + (await loadUntilKilled(ours.write, ours.kill));
  const restarted = await launch(simulator(bench.cli, data), bench.work);
  const storedCount = (await countDeposits(restarted)) - before;
  if (storedCount < acknowledged)
    throw new Error(`of ${acknowledged} acknowledged deposits only ${storedCount} outlived kill -9`);
  return [
    compared('new deposit, stored, vs bare Express echo', one, other, atLeast(2)),
    {
      figure: 'deposits kept over kill -9 amid the load',
      measured: `${count(acknowledged)} acknowledged, ${count(storedCount)} kept; started again in ${milliseconds([restarted.firstAnswer])}`,
    },
  ];
}

async function proxy(bench) {
  const service = await launch(simulator(bench.cli, await folderOf(bench, smallCount)), bench.work);
  const { origin } = new URL(service.page.url);
  const ours = await launch(validatingProxy(bench.cli, origin), bench.work);
  const bare = await launch(bareProxy(origin), bench.work);
  const results = await alternate([ours.page, bare.page], bench.rounds);
  const [rates, bareRates] = results.map(ratesOf);
  const cost = results.map(({ rounds }) => Math.round(median(rounds.map(({ processorTime }) => processorTime))));
  return [
    {
      figure: 'time of a page through the proxy vs one that only forwards',
      ...compare(bareRates, rates),
      target: atMost(2),
      measured: `${perSecond(rates)} vs ${perSecond(bareRates)} (${cost.join(' vs ')} µs of processor time each)`,
    },
  ];
}

/** Prism is loaded by the first response from the document alone, and by the proxy before it says that it is ready. */
async function prism(bench) {
  const stateless = [];
  const throughProxy = [];
  for (let round = 0; round < bench.launches; round++) {
    const service = await launch(simulator(bench.cli), bench.work);
    stateless.push(await timeOf(service.page, { prefer: 'code=200' }));
    const proxied = await runProxy(bench.cli, new URL(service.page.url).origin);
    throughProxy.push(await timeOf({ ...service.page, url: `${proxied.baseUrl}/invoices` }));
    await proxied.stop();
    await service.stop();
  }
  const row = (figure, times) => ({ figure, measured: `${Math.round(median(times))} ms (for reference only)` });
  return [row('first response with Prefer', stateless), row('first response through the proxy', throughProxy)];
}

/** Milliseconds until a response is read. */
async function timeOf({ url, headers }, more = {}) {
  const began = performance.now();
  const response = await fetch(url, { headers: { ...headers, ...more } });
  await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - began;
}

async function scale(bench) {
  const large = await launch(simulator(bench.cli, await folderOf(bench, largeCount)), bench.work);
  const small = await launch(simulator(bench.cli, await folderOf(bench, smallCount)), bench.work);
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
    rows.push(compared(`${name} at ${count(largeCount)} invoices vs at ${smallCount}`, ...results, atLeast(0.95)));
  }
  return rows;
}

async function start(bench) {
  const small = await folderOf(bench, smallCount);
  const large = await folderOf(bench, largeCount);
  const servers = [
    bareExpress(),
    simulator(bench.cli),
    simulator(bench.cli, newFolder(bench)),
    simulator(bench.cli, small),
    simulator(bench.cli, large),
  ];
  const times = servers.map(() => []);
  for (let round = 0; round < bench.launches; round++) {
    for (const [index, server] of servers.entries()) {
      const running = await launch(server, bench.work);
      times[index].push(running.firstAnswer);
      await running.stop();
    }
  }
  const [bare, ...ours] = times;
  const row = (name, index, target) => ({
    figure: `first answer, ${name}, vs bare Express`,
    ...compare(ours[index], bare),
    target,
    measured: `${milliseconds(ours[index])} vs ${milliseconds(bare)}`,
  });
  return [
    row('--memory', 0, atMost(1.3)),
    row('demo seed on disk', 1, atMost(1.3)),
    row(`${smallCount} invoices on disk`, 2, atMost(1.3)),
    row(`${count(largeCount)} invoices on disk`, 3, atMost(4)),
  ];
}

async function library(bench) {
  const measured = await runForJson('library.mjs', [dirname(bench.cli), String(4 * bench.rounds)], bench.work);
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

async function journal(bench) {
  const folders = [await folderOf(bench, largeCount), await folderOf(bench, smallCount)];
  const servers = [];
  for (const folder of folders) servers.push(await launch(simulator(bench.cli, folder), bench.work));
  const growth = [];
  for (const [index, folder] of folders.entries()) {
    const before = sizeOf(folder).journal;
    const { answered } = await load(servers[index].write, { amount: 1_000 });
    growth.push((sizeOf(folder).journal - before) / answered);
  }
  const results = await alternate(
    servers.map((server) => server.write),
    bench.fewRounds,
  );
  const [large, small] = results.map(({ rounds }) => rounds);
  const [slow, fast] = [large, small].map((rounds) => rounds.map(({ p99 }) => p99));
  const worst = (rounds) => milliseconds([Math.max(...rounds.map((round) => round.worst))]);
  return [
    {
      figure: `99th percentile of a new deposit at ${count(largeCount)} invoices vs at ${smallCount}`,
      ...compare(slow, fast),
      measured: `${milliseconds(slow)} vs ${milliseconds(fast)}; the slowest ${worst(large)} vs ${worst(small)}`,
    },
    {
      figure: `journal a deposit at ${count(largeCount)} invoices vs at ${smallCount}`,
      ratio: growth[0] / growth[1],
      measured: growth.map((bytes) => `${Math.round(bytes)} B`).join(' vs '),
    },
  ];
}

/** The longest pause that is allowed while db.json is written, in milliseconds. */
const longestPause = 100;

async function pauses(bench) {
  const folder = await folderOf(bench, largeCount);
  const measured = await runForJson('pause.mjs', [folder], bench.work);
  const row = (what, name) => ({
    figure: `longest pause ${what} with ${count(largeCount)} invoices vs ${longestPause} ms`,
    ...compare([measured[name]], [longestPause]),
    target: atMost(1),
    measured: `${milliseconds([measured[name]])}; idle ${milliseconds([measured.idle])}`,
  });
  return [
    row('while db.json is rewritten', 'compaction'),
    row('while a snapshot is saved', 'snapshot'),
    row('at the stop', 'stop'),
  ];
}

/** Number of deposits that expire in one advance. */
const expiring = 10_000;

/** Lets deposits expire in memory and on disk, without and with a receiver; beside an earlier build, if there is one. */
async function expiry(bench) {
  const url = await receiver(bench.work);
  const setups = [
    ['in memory, no receiver', () => ['-'], 60_000],
    ['on disk, no receiver', () => [newFolder(bench)], 40_000],
    ['in memory, each delivered to a receiver on loopback', () => ['-', url], 5_000],
    ['on disk, each delivered to a receiver on loopback', () => [newFolder(bench), url]],
  ];
  const builds = [bench.cli, bench.before].filter(Boolean);
  const rows = [];
  for (const [name, place, bound] of setups) {
    const results = builds.map(() => []);
    for (let round = 0; round < bench.fewRounds; round++) {
      for (const [index, cli] of builds.entries()) {
        const args = [dirname(cli), String(expiring), ...place()];
        results[index].push(await runForJson('expire.mjs', args, bench.work));
      }
    }
    rows.push(...expiryRows(name, bound, ...results));
  }
  return rows;
}

function expiryRows(name, bound, ours, before) {
  const rates = ours.map(({ milliseconds: taken }) => (expiring / taken) * 1000);
  const cost = (results) => results.map(({ processorTime }) => (processorTime / expiring) * 1000);
  const figure = `${count(expiring)} deposits expire in one advance, ${name}`;
  const microseconds = (results) => Math.round(median(cost(results)));
  const measured = `${perSecond(rates)}, ${microseconds(ours)} µs of processor time each`;
  const targetRates = rates.map(() => bound);
  const rows = [
    // The target is a rate; the ratio is to that rate.
    bound === undefined
      ? { figure, measured }
      : {
          figure,
          ...compare(rates, targetRates),
          target: atLeast(1),
          measured: `${measured}; target ${count(bound)}/s`,
        },
  ];
  if (before) {
    rows.push({
      figure: `processor time of an expiry ${name}, vs the build before`,
      ...compare(cost(ours), cost(before)),
      measured: `${microseconds(ours)} vs ${microseconds(before)} µs`,
    });
  }
  return rows;
}

async function hanging(bench) {
  const url = await receiver(bench.work, 'hang');
  const one = await launch(simulator(bench.cli, undefined, url), bench.work);
  const other = await launch(simulator(bench.cli), bench.work);
  const rows = [];
  for (const [name, kind] of [
    ['new deposit', 'write'],
    ['page', 'page'],
  ]) {
    const results = await alternate([one[kind], other[kind]], bench.rounds);
    rows.push(compared(`${name} with a receiver that hangs vs without one`, ...results, atLeast(0.95)));
  }
  return rows;
}

async function waiting(bench) {
  const args = ['100000', await receiver(bench.work, 'hang')];
  const { grown, bytes } = await runForJson('wait.mjs', args, bench.work, ['--expose-gc']);
  return [
    {
      figure: 'memory of 100,000 deliveries that wait vs their bytes',
      ratio: grown / bytes,
      low: grown / bytes,
      high: grown / bytes,
      target: atMost(3),
      measured: `${megabytes([grown])} vs ${megabytes([bytes])}`,
    },
  ];
}

/** Cost of faults that match other requests, of faults that count every request, and of no faults compared with a build without the feature. */
async function faults(bench) {
  const sides = {
    none: await launch(simulator(bench.cli), bench.work),
    others: await launch(simulator(bench.cli), bench.work),
    counting: await launch(simulator(bench.cli), bench.work),
    ...(bench.before === undefined ? {} : { before: await launch(simulator(bench.before), bench.work) }),
  };
  for (const match of Array.from({ length: 25 }, () => matchesOfOthers).flat()) {
    await sides.others.add({ effect: 'status=503', match });
  }
  await sides.counting.add({ effect: 'status=503', match: { nth: 1_000_000 } });

  const rows = [];
  for (const [name, kind] of [
    ['page', 'page'],
    ['new deposit', 'write'],
  ]) {
    const results = await alternate(
      Object.values(sides).map((side) => side[kind]),
      bench.rounds,
    );
    const [none, others, counting, before] = results;
    rows.push(compared(`${name} with 100 faults for other requests vs none`, others, none, atLeast(0.9)));
    rows.push(compared(`${name} with a fault that counts it vs none`, counting, none));
    if (before) rows.push(compared(`${name} with no fault vs a build before`, none, before, atLeast(0.98)));
  }
  return rows;
}

/** Each leaves out the page and the new deposit for another reason. */
const matchesOfOthers = [
  { operation: 'captureDeposit' },
  { token: 'another' },
  { body: { 'metadata.channel': 'agency' } },
  { method: 'POST', path: '/invoices/*', nth: 3 },
];

async function peers(bench) {
  const data = await folderOf(bench, smallCount);
  const source = await launch(simulator(bench.cli, data), bench.work);
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
      table.push(await besideBare({ name, ...(await prepare(bench, rows)) }, bare, bench));
    } catch (error) {
      bench.leaveOut(name, error);
    }
  }
  return table;
}

/** Everything about a server as times of bare Express, measured beside it. */
async function besideBare(server, bare, bench) {
  const [one, other] = [server, bare].map(() => ({ starts: [], sizes: [] }));
  for (let round = 0; round < bench.fewLaunches; round++) {
    await measureStart(server, one, bench);
    await measureStart(bare, other, bench);
  }
  const running = [await launch(server, bench.work), await launch(bare, bench.work)];
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

/** Adds the time to the first answer, and the memory some time after it. */
async function measureStart(server, { starts, sizes }, { work }) {
  const running = await launch(server, work);
  starts.push(running.firstAnswer);
  await pause(settlingMs);
  sizes.push(running.residentMemory());
  await running.stop();
}

/** Delay between the first response and the measurement of memory, in milliseconds. */
const settlingMs = 500;

async function savePage(bench, server) {
  const body = await getJson(server.page);
  if (body.data.data.length !== 25) throw new Error(`the page has ${body.data.data.length} rows, not 25`);
  return save(bench, 'page', body);
}

/** Saves the body that bare Express answers with. */
function save({ work }, name, body) {
  const file = join(work, `${name}.json`);
  writeFileSync(file, JSON.stringify(body));
  return file;
}

async function countDeposits(server) {
  return (await getJson(server.write)).data.total;
}

function compared(figure, one, other, target) {
  const both = [one, other];
  const [ours, theirs] = both.map(ratesOf);
  const cost = both.map(({ rounds }) => Math.round(median(rounds.map(({ processorTime }) => processorTime))));
  return {
    figure,
    ...compare(ours, theirs),
    target,
    measured: `${perSecond(ours)} vs ${perSecond(theirs)} (${cost.join(' vs ')} µs of processor time each)`,
  };
}

const ratesOf = ({ rounds }) => rounds.map(({ rate }) => rate);
const count = (number) => Math.round(number).toLocaleString('en');
const perSecond = (rates) => `${count(median(rates))}/s`;
const milliseconds = (times) => `${count(median(times))} ms`;
const megabytes = (sizes) => `${count(median(sizes) / 1e6)} MB`;
