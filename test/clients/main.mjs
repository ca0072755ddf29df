// Generates a client with each generator from each OpenAPI document as a user would, compiles it strictly with a small
// program, and runs the program against a simulator. Run by `npm run test:clients`.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSimulator } from '../../dist/index.js';
import { installNode } from '../support/install-node.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const bin = (name) => join(here, 'node_modules', '.bin', name);
/** Where the simulator listens by default, as the documents say. */
const defaultUrl = 'http://127.0.0.1:4010';

/**
 * OpenAPI documents by name. The simulator serves a document at `servedAt` and its operations below `basePath`.
 * `summary` says what the programs for its clients do, and `expectedOutput` matches what they print.
 */
const documents = {
  billing: {
    servedAt: '/openapi.json',
    basePath: '/api/v1',
    summary: 'created, listed and read a deposit, and created an invoice',
    expectedOutput: /^pending EUR [1-9]\d* listed, read [1-9]\d*$/,
  },
  control: {
    servedAt: '/_sim/openapi.json',
    basePath: '/_sim',
    summary: 'created accounts, advanced a clock and paid an invoice',
    expectedOutput: /^0 webhooks and emails in progress, invoice paid$/,
  },
};

/** The generators need Node 22.18. */
const [major, minor] = process.versions.node.split('.').map(Number);
const node = major > 22 || (major === 22 && minor >= 18) ? process.execPath : installNode('22');
if (node === undefined)
  throw new Error('the generators need Node 22.18 or newer, and npm could not install the package `node`');

/**
 * Each generator's arguments for Node, and files that it needs. `source` is the path or URL of the document, and
 * `target` the client's file in the folder `output`.
 */
const generators = {
  'openapi-typescript': ({ source, target }) => ({ args: [bin('openapi-typescript'), source, '--output', target] }),
  'hey-api': ({ source, output }) => ({ args: [bin('openapi-ts'), '--input', source, '--output', output] }),
  orval: (paths) => orval(paths, {}),
  'orval-fetch': (paths) => orval(paths, { client: 'fetch' }),
};

/** orval writes the server's address into the client only if `baseUrl` is set. */
function orval({ source, output, target }, options) {
  const config = {
    client: { input: source, output: { target, baseUrl: { getBaseUrlFromSpecification: true }, ...options } },
  };
  const file = join(output, 'orval.config.mjs');
  return { args: [bin('orval'), '--config', file], files: { [file]: `export default ${JSON.stringify(config)};\n` } };
}

/** Runs Node asynchronously, since the simulator is in this process. @throws Error with the output if Node fails */
async function run(args) {
  const { stdout } = await promisify(execFile)(node, args, { cwd: here }).catch(({ stdout, stderr }) => {
    throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`);
  });
  return stdout;
}

/** Generates a client, and compiles it with its program. @returns the folder of both */
async function generate(generator, document, source) {
  const folder = join(here, 'generated', document, generator);
  rmSync(folder, { recursive: true, force: true });
  const output = join(folder, 'client');
  mkdirSync(output, { recursive: true });
  const { args, files = {} } = generators[generator]({ source, output, target: join(output, `${document}.ts`) });
  for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
  await run(args);
  cpSync(join(here, 'programs', document, `${generator}.ts`), join(folder, 'main.ts'));
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    outDir: 'compiled',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['main.ts', 'client'] }));
  await run([bin('tsc'), '--project', folder]);
  return folder;
}

/**
 * Returns the generated file that contains the server's address. Undefined for openapi-typescript, which generates only
 * types: the program gives the address to openapi-fetch.
 */
function fileWithAddress(generator, document) {
  if (generator === 'openapi-typescript') return undefined;
  return generator === 'hey-api' ? 'client/client.gen.ts' : `client/${document}.ts`;
}

const simulator = await startSimulator();
try {
  for (const [document, { servedAt, basePath, summary, expectedOutput }] of Object.entries(documents)) {
    for (const generator of Object.keys(generators)) {
      const folderFromFile = await generate(generator, document, join(here, `../../openapi/${document}.yaml`));
      const file = fileWithAddress(generator, document);
      if (file && !readFileSync(join(folderFromFile, file), 'utf8').includes(defaultUrl + basePath))
        throw new Error(`the ${document} client of ${generator} does not call ${defaultUrl}${basePath}`);
      // The document that the simulator serves differs only in its address, so the client calls the simulator's port.
      const folderFromUrl = await generate(generator, document, simulator.url + servedAt);
      const output = (await run([join(folderFromUrl, 'compiled', 'main.js'), simulator.url + basePath])).trim();
      if (!expectedOutput.test(output)) throw new Error(`the ${document} client of ${generator} printed ${output}`);
      console.log(`${document}, ${generator}: compiled strictly, ${summary} (${output})`);
    }
  }
} finally {
  await simulator.close();
}
