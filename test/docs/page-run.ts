import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Simulator, startSimulator } from '../../src/index.js';
import { hangTimeoutMs } from '../support/hang-timeout.js';
import { root, type Step } from './page.js';
import { run, runCommand, type Shell, Terminal } from './terminal.js';

/** With UPDATE_DOCS=1, output that has changed is written to the pages instead of failing the test. */
const isUpdating = process.env['UPDATE_DOCS'] === '1';

/**
 * Creates a folder and an environment for a page's commands: `billing-sim` is on the PATH, and the folder has links to
 * files of the repository.
 */
function openShell(url: string): Shell {
  const folder = mkdtempSync(join(tmpdir(), 'billing-sim-docs-'));
  for (const name of ['node_modules', 'package.json', 'dist', 'openapi', 'fixtures', 'test']) {
    symlinkSync(join(root, name), join(folder, name));
  }
  mkdirSync(join(folder, '.bin'));
  writeFileSync(join(folder, '.bin/billing-sim'), `#!/bin/sh\nexec "${process.execPath}" "${root}dist/cli.js" "$@"\n`, {
    mode: 0o755,
  });
  // Loads the built package as in a project that has it in `node_modules`: not transformed, which would take seconds.
  const vitestConfig = 'export default { test: { server: { deps: { external: [/\\/dist\\//] } } } };\n';
  writeFileSync(join(folder, 'vitest.config.mjs'), vitestConfig);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BILLING_')));
  return {
    folder,
    env: {
      ...env,
      BILLING_TOKEN: 'demo_full',
      PATH: `${folder}/.bin:${env['PATH']}`,
      BILLING_SIM_URL: url,
      COLUMNS: '80',
    },
  };
}

/** Parts of outputs that differ between runs, with their placeholders. */
const varyingParts: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  [/\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)| \d\d:\d\d:\d\d)?/g, 'TIME'],
  [/evt_[0-9a-f]{24}/g, 'EVENT'],
  [/req_\d+/g, 'REQUEST'],
  [/in \d+ requests and .+/g, 'in REQUESTS'],
  [/\b\d+ ms\b/g, 'DURATION'],
  [/in \d+ d \d+ h/g, 'in DAYS'],
];
const anyVaryingPart = new RegExp(varyingParts.map(([{ source }]) => source).join('|'), 'g');

/** Replaces parts that differ between runs with placeholders. */
function normalize(text: string): string {
  // Response headers that curl prints end with a carriage return.
  let result = text.replaceAll('\r', '').trim();
  for (const [pattern, placeholder] of varyingParts) result = result.replace(pattern, placeholder);
  return result.replace(/ +/g, ' ');
}

/**
 * Gives an output the times, ids and durations that the page shows already, if it has the same kinds of values in the same
 * order.
 */
function withShownValues(actual: string, shown: string): string {
  const values = shown.match(anyVaryingPart) ?? [];
  const kindsOf = (parts: readonly string[]): string => parts.map(normalize).join();
  if (kindsOf(actual.match(anyVaryingPart) ?? []) !== kindsOf(values)) return actual;
  return actual.replace(anyVaryingPart, () => values.shift() ?? '');
}

/**
 * Runs the steps of a page from top to bottom with a new simulator. If the page shows the address of a real deployment,
 * a second simulator takes its place.
 */
export class PageRun {
  /** The message for an output that differs from the page. */
  readonly #updateHint: string;
  readonly #simulators: readonly Simulator[];
  readonly #shell: Shell;
  readonly #terminals = new Map<string, Terminal>();
  /** Maps the addresses shown on the page to the actual ones. */
  readonly #addresses = new Map<string, string>();
  /** With UPDATE_DOCS=1, the new output of steps whose output has changed. The caller writes it to the page. */
  readonly corrections = new Map<Step, string>();

  /** @param name the name of the page, such as `docs/start.md` */
  static async start(name: string, page: string): Promise<PageRun> {
    const shownAddresses = ['http://127.0.0.1:4010', 'https://billing.example'].filter(
      (address, index) => index === 0 || page.includes(address),
    );
    const simulators = await Promise.all(shownAddresses.map(() => startSimulator({ log: () => undefined })));
    return new PageRun(name, new Map(simulators.map((simulator, index) => [shownAddresses[index] ?? '', simulator])));
  }

  /** @param simulators the simulators by the addresses that the page shows */
  private constructor(name: string, simulators: ReadonlyMap<string, Simulator>) {
    this.#updateHint = `the output has changed: run \`UPDATE_DOCS=1 npx vitest run test/docs/pages -t ${name}\``;
    this.#simulators = [...simulators.values()];
    for (const [shown, { url }] of simulators) this.#addresses.set(shown, url);
    this.#shell = openShell(this.#addresses.get('http://127.0.0.1:4010') ?? '');
  }

  async close(): Promise<void> {
    await Promise.all([...this.#terminals.values()].map((terminal) => terminal.close()));
    await Promise.all(this.#simulators.map((simulator) => simulator.close()));
    rmSync(this.#shell.folder, { recursive: true });
  }

  /** Makes a command or program of the page runnable: with the actual addresses, and without `npx`. */
  #withActualAddresses(text: string): string {
    // `npx` finds the same command, as named-commands.test.ts checks, but takes a second each time. In the page's folder,
    // billing-sim itself is not installed, so `node_modules/.bin` lacks the command.
    const withCommandOnPath = text
      .replaceAll(/(?:npx |node_modules\/\.bin\/)billing-sim/g, 'billing-sim')
      .replaceAll('npx vitest', 'node_modules/.bin/vitest');
    return [...this.#addresses].reduce(
      (result, [shown, actual]) => result.replaceAll(shown, actual),
      withCommandOnPath,
    );
  }

  /** Replaces actual addresses with those that the page shows. */
  #withShownAddresses(text: string): string {
    return [...this.#addresses].reduce((result, [shown, actual]) => result.replaceAll(actual, shown), text);
  }

  /** Runs a step, and checks its result. */
  async runStep(step: Step): Promise<void> {
    switch (step.kind) {
      case 'run': {
        const { output, code } = await runCommand(this.#withActualAddresses(step.command), this.#shell);
        this.#expectSame(step, this.#withShownAddresses(output), step.output);
        // A page that shows no output shows no error either: the command must have succeeded.
        if (step.output.trim() === '') expect(code, step.command).toBe(0);
        return;
      }
      case 'run successfully': {
        const { output, code } = await runCommand(this.#withActualAddresses(step.command), this.#shell, {
          stopsAtError: true,
        });
        expect(code, output).toBe(0);
        return;
      }
      case 'open terminal':
        return this.#openTerminal(step.terminal, step.command);
      case 'see in terminal': {
        const terminal = this.#terminals.get(step.terminal);
        const shownText = (): string => normalize(this.#withShownAddresses(terminal?.shown ?? ''));
        await expect.poll(shownText, { timeout: hangTimeoutMs }).toContain(normalize(step.output));
        return;
      }
      case 'run program': {
        writeFileSync(join(this.#shell.folder, 'program.mjs'), this.#withActualAddresses(step.code));
        const { output } = await run('node program.mjs', this.#shell);
        expect(output.trim()).toBe(step.output);
        return;
      }
      case 'show file':
        expect(step.text).toBe(readFileSync(join(root, step.file), 'utf8'));
        return;
      case 'save file':
        writeFileSync(join(this.#shell.folder, step.file), this.#withActualAddresses(step.text));
    }
  }

  #expectSame(step: Step, actual: string, expected: string): void {
    if (normalize(actual) === normalize(expected)) return;
    if (isUpdating) this.corrections.set(step, withShownValues(actual, expected).trimEnd());
    else expect(normalize(actual), this.#updateHint).toBe(normalize(expected));
  }

  /** Starts a command in a new terminal. Servers listen on a free port instead of the one that the page shows. */
  async #openTerminal(name: string, command: string): Promise<void> {
    const [, server] = / (start|proxy)\b/.exec(command) ?? [];
    const shownPort = server === 'proxy' ? 4011 : 4010;
    const terminal = await Terminal.open(
      this.#withActualAddresses(command) + (server === undefined ? '' : ' --port 0'),
      this.#shell,
    );
    this.#terminals.set(name, terminal);
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(terminal.shown) ?? [];
    if (server === undefined || address === undefined) return;
    this.#addresses.set(`http://127.0.0.1:${shownPort}`, address);
    if (shownPort === 4010) this.#shell.env['BILLING_SIM_URL'] = address;
  }
}
