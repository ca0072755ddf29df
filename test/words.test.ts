import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A phrase or name that this project avoids. */
interface Discouraged {
  readonly pattern: RegExp;
  /** A line that the pattern must match. */
  readonly example: string;
}

/** Phrases and names that this project avoids, because reviewers found them unclear, archaic or unidiomatic. */
const discouraged: Readonly<Record<string, Discouraged>> = {
  '"is no" for "is not a"': {
    pattern: /(?<![Tt]here )\bis no (?!longer\b|such\b|more\b)/,
    example: '8x is no duration',
  },
  '"are no" for "are not"': {
    pattern: /(?<![Tt]here )\bare no (?!longer\b|such\b|more\b)/,
    example: 'these are no durations',
  },
  '"heed" for "attention"': { pattern: /\bheed\b/, example: 'pay heed to the limit' },
  '"anew" for "again"': { pattern: /\banew\b/, example: 'begins anew' },
  '"is told" for "is notified"': {
    pattern: /\b(?:is|are|was|were) told (?!apart\b)/,
    example: 'the client is told that it failed',
  },
  '"carry out" for "execute" or "handle"': {
    pattern: /\bcarr(?:y|ied|ies) out\b/,
    example: 'the service carries out the request',
  },
  '"is none of another" for "is not"': { pattern: /\b(?:is|are) none of another\b/, example: 'it is none of another' },
  '"yardstick" for "reference"': { pattern: /\byardstick\b/, example: 'the yardstick of the proxy' },
  '"departure" for "deviation"': { pattern: /\bdepartures?\b/i, example: 'Departures from the document' },
  '"tells of" for "reports"': { pattern: /\btells? of\b/, example: 'an event tells of a payment' },
  '"brings about" for "causes"': { pattern: /\bbrings? about\b/, example: 'brings about a change' },
  '"comes about" for "happens"': { pattern: /\b(?:comes?|came) about\b/, example: 'how it came about' },
  '"on purpose" for "inject faults"': { pattern: /\bon purpose\b/, example: 'requests fail on purpose' },
  '"go wrong" for "fail"': { pattern: /\bgo(?:es)? wrong\b/, example: 'if a request goes wrong' },
  '"as if nothing had happened" for "reset"': {
    pattern: /\bas if nothing\b/,
    example: 'begins as if nothing had been',
  },
  '"in its stead" for "instead"': { pattern: /\bin (?:its|their) stead\b/, example: 'the fault responds in its stead' },
  '"for so long" for "duration"': { pattern: /\bfor so long\b/, example: 'waits for so long' },
  '"stands still" for "is frozen"': { pattern: /\bstands? still\b/, example: 'the clock stands still' },
  '"of its own accord" for "by itself"': { pattern: /\bof its own accord\b/, example: 'it ends of its own accord' },
  '"takes place" for "happens"': { pattern: /\btakes? place\b/, example: 'a change takes place' },
  '"what comes of it" for "outcome"': {
    pattern: /\b(?:what )?(?:came|comes|becomes?|became) of (?:it|them)\b/,
    example: 'shows what came of it',
  },
  '"that there is not" for "that does not exist"': {
    pattern: /\bthat there (?:is|are) not\b/,
    example: 'a deposit that there is not',
  },
  '"as in Germany" without saying which format': { pattern: /\bas in Germany\b/, example: 'dates as in Germany' },
  '"stays what it was" for "does not change"': {
    pattern: /\bstays? what (?:it|they) (?:was|were)\b/,
    example: 'the status stays what it was',
  },
  '"leads on from it" for "starts there"': { pattern: /\bleads? on from\b/, example: 'no transition leads on from it' },
  '"is to be removed" for "will be removed" or "must be removed"': {
    pattern: /\b(?:is|are) to (?:go|be removed)\b/,
    example: 'rows that are to be removed',
  },
  '"any more" for "no longer"': {
    pattern: /\b(?:not \w+|nothing is \w+|is \w+|has none) any more\b/,
    example: 'it does not work any more',
  },
  '"met no answer" for "got no response"': { pattern: /\bmet no answer\b/, example: 'the request met no answer' },
  '"whatever it says" for "ignores it"': {
    pattern: /\bwhatever it says\b/,
    example: 'accepts the body whatever it says',
  },
  '"has the guest pay" for "makes the guest pay"': {
    pattern: /\b[Hh]as (?:the|an?|something) [\w' ]{1,30} (?:be|become|go|look|pay|take|come)\b/,
    example: 'Has the guest pay',
  },
  'a name such as `asked`, which needs its context to be understood': {
    pattern:
      /\b(?:const|let|function) #?(?:asked|told|meant|said|stands|taken|wanted|underWay|ways|lawful|unlawful|trouble|complaints?|looks)\b/,
    example: 'const asked = readHeader(request);',
  },
  'a docstring that begins with "What" or "Whether somebody"': {
    pattern: /(?:\/\*\*|^ \*) (?:What|Whether somebody)\b/,
    example: '/** What the client receives. */',
  },
  'a constant such as `longest`, which has no unit and does not say of what': {
    pattern: /\bconst (?:most|kept|longest)\b/,
    example: 'const longest = 5_000;',
  },
};

const texts = /\.(?:ts|mjs|js|md|ya?ml|json|php|py|java|go|rb|css|txt)$/;

/** Generated files, installed packages, the quoted specification, and this list. */
const excluded =
  /^(?:src|test\/clients)\/generated\/|\/node_modules\/|package-lock\.json$|^test\/contract\/specification\.md$|^test\/words\.test\.ts$/;

/**
 * Returns the folder by which the tests group a file: a subfolder of `src`, such as `src/http`, or another top-level
 * folder, such as `docs`. Each file in the repository's root is a separate group.
 */
function folderOf(path: string): string {
  const [top = '', second = '', ...rest] = path.split('/');
  return top === 'src' && rest.length > 0 ? `${top}/${second}` : top;
}

/** Lists the discouraged words of a file, with their positions. */
function offensesIn(path: string): string[] {
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      Object.entries(discouraged)
        // The changelog may quote the former names of what was renamed.
        .filter(([, { pattern }]) => pattern.test(path === 'CHANGELOG.md' ? line.replace(/`[^`]*`/g, '') : line))
        .map(([name]) => `${path}:${index + 1}: ${name}: ${line.trim().slice(0, 120)}`),
    );
}

const paths = [
  ...readdirSync(root),
  ...['src', 'test', 'scripts', 'docs', 'openapi', 'fixtures', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
].filter((path) => texts.test(path) && !excluded.test(path));

const offensesByFolder = new Map<string, string[]>();
for (const path of paths) {
  const folder = folderOf(path);
  offensesByFolder.set(folder, [...(offensesByFolder.get(folder) ?? []), ...offensesIn(path)]);
}

test.each(Object.entries(discouraged))('the pattern for %s matches its example', (_name, { pattern, example }) => {
  expect(example).toMatch(pattern);
});

test.each([...offensesByFolder.keys()].sort())('%s contains no discouraged words', (folder) => {
  expect(offensesByFolder.get(folder)).toEqual([]);
});
