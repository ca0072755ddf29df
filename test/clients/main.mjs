// Generates a client with each generator from each OpenAPI document as a user would, compiles it strictly with a minimal
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

/** The paths of each document and of its operations on a simulator, and what the programs do and print. */
const documents = {
  billing: {
    servedAt: '/openapi.json',
    basePath: '/api/v1',
    does: 'created, listed and read a deposit',
    prints: /^pending EUR \d+ listed, read \d+$/,
  },
  control: {
    servedAt: '/_sim/openapi.json',
    basePath: '/_sim',
    does: 'created accounts, advanced a clock and paid an invoice',
    prints: /^0 unsettled, invoice paid$/,
  },
};

/** The generators need Node 22.18. */
const [major, minor] = process.versions.node.split('.').map(Number);
const node = major > 22 || (major === 22 && minor >= 18) ? process.execPath : installNode('22');
if (node === undefined) throw new Error('the generators need Node 22.18, which npm does not have for this platform');

/** How each generator is called; `source` is a file or URL, `target` the file of the client in the folder `output`. */
const generators = {
  'openapi-typescript': ({ source, target }) => ({ args: [bin('openapi-typescript'), source, '--output', target] }),
  'hey-api': ({ source, output }) => ({ args: [bin('openapi-ts'), '--input', source, '--output', output] }),
  orval: (paths) => orval(paths, {}),
  'orval-fetch': (paths) => orval(paths, { client: 'fetch' }),
};

/** Without `baseUrl`, orval leaves out the address. */
function orval({ source, output, target }, options) {
  const config = {
    client: { input: source, output: { target, baseUrl: { getBaseUrlFromSpecification: true }, ...options } },
  };
  const file = join(output, 'orval.config.mjs');
  return { args: [bin('orval'), '--config', file], files: { [file]: `export default ${JSON.stringify(config)};\n` } };
}

/** Not synchronously, since the simulator is in this process. @throws Error with what it printed if it fails */
async function run(args) {
  const { stdout } = await promisify(execFile)(node, args, { cwd: here }).catch(({ stdout, stderr }) => {
    throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`);
  });
  return stdout;
}

async function generate(name, document, source) {
  const folder = join(here, 'generated', document, name);
  rmSync(folder, { recursive: true, force: true });
  const output = join(folder, 'client');
  mkdirSync(output, { recursive: true });
  const { args, files = {} } = generators[name]({ source, output, target: join(output, `${document}.ts`) });
  for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
  await run(args);
  cpSync(join(here, 'programs', document, `${name}.ts`), join(folder, 'main.ts'));
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

/** The generated file in which a client has its address; openapi-fetch is given it by the program. */
function addressFile(name, document) {
  if (name === 'openapi-typescript') return undefined;
  return name === 'hey-api' ? 'client/client.gen.ts' : `client/${document}.ts`;
}

const simulator = await startSimulator();
try {
  for (const [document, { servedAt, basePath, does, prints }] of Object.entries(documents)) {
    for (const name of Object.keys(generators)) {
      const fromFile = await generate(name, document, join(here, `../../openapi/${document}.yaml`));
      const file = addressFile(name, document);
      if (file && !readFileSync(join(fromFile, file), 'utf8').includes(defaultUrl + basePath))
        throw new Error(`the ${document} client of ${name} does not call ${defaultUrl}${basePath}`);
      // The document that a simulator serves differs in its address only, so the port need not be the default one.
      const folder = await generate(name, document, simulator.url + servedAt);
      const output = (await run([join(folder, 'compiled', 'main.js'), simulator.url + basePath])).trim();
      if (!prints.test(output)) throw new Error(`the ${document} client of ${name} printed ${output}`);
      console.log(`${document}, ${name}: compiled strictly, ${does} (${output})`);
    }
  }
} finally {
  await simulator.close();
}
