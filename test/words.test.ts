import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Phrases and names that readers who know web services would not understand at first sight. */
const discouraged: Readonly<Record<string, RegExp>> = {
  'is no …': /(?<![Tt]here )\bis no (?!longer\b|such\b|more\b)/,
  'are no …': /(?<![Tt]here )\bare no (?!longer\b|such\b|more\b)/,
  'pay heed': /\bheed\b/,
  anew: /\banew\b/,
  'is told': /\b(?:is|are|was|were) told (?!apart\b)/,
  'carry out': /\bcarr(?:y|ied|ies) out\b/,
  'none of another': /\b(?:is|are) none of another\b/,
  yardstick: /\byardstick\b/,
  'departure, for a deviation': /\bdepartures?\b/i,
  'tells of': /\btells? of\b/,
  'brings about': /\bbrings? about\b/,
  'comes about': /\b(?:comes?|came) about\b/,
  'on purpose': /\bon purpose\b/,
  'go wrong': /\bgo(?:es)? wrong\b/,
  'as if nothing': /\bas if nothing\b/,
  'in its stead': /\bin (?:its|their) stead\b/,
  'for so long': /\bfor so long\b/,
  'stands still': /\bstands? still\b/,
  'of its own accord': /\bof its own accord\b/,
  'takes place': /\btakes? place\b/,
  'what came of it': /\b(?:what )?(?:came|comes|becomes?|became) of (?:it|them)\b/,
  'that there is not': /\bthat there (?:is|are) not\b/,
  'written as in Germany': /\bas in Germany\b/,
  'stays what it was': /\bstays? what (?:it|they) (?:was|were)\b/,
  'goes nowhere / leads on': /\bleads? on from\b/,
  'is to go / is to be removed': /\b(?:is|are) to (?:go|be removed)\b/,
  'any more': /\b(?:not \w+|nothing is \w+|is \w+|has none) any more\b/,
  'met no answer': /\bmet no answer\b/,
  'whatever it says': /\bwhatever it says\b/,
  'has … do': /\b[Hh]as (?:the|an?|something) [\w' ]{1,30} (?:be|become|go|look|pay|take|come)\b/,
  'asked / told / meant in a name':
    /\b(?:const|let|function) #?(?:asked|told|meant|said|stands|taken|wanted|underWay|ways|lawful|unlawful|trouble|complaints?|looks)\b/,
  'docstring that begins with What or Whether somebody': /(?:\/\*\*|^ \*) (?:What|Whether somebody)\b/,
  'constant without unit and meaning': /\bconst (?:most|kept|longest)\b/,
};

const texts = /\.(?:ts|mjs|md|ya?ml|json|php|py|java|go)$/;

/** Generated files, installed packages, the quoted specification, and this list. */
const excluded =
  /^(?:src|test\/clients)\/generated\/|\/node_modules\/|package-lock\.json$|^test\/contract\/specification\.md$|^test\/words\.test\.ts$/;

/** Returns the folder of a file in the titles of the tests: `src/http` for a source, `docs` for a page. */
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
        .filter(([, pattern]) => pattern.test(line))
        .map(([name]) => `${path}:${index + 1}: ${name}: ${line.trim().slice(0, 120)}`),
    );
}

const paths = [
  'README.md',
  ...['src', 'test', 'scripts', 'docs', 'openapi', 'fixtures', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
].filter((path) => texts.test(path) && !excluded.test(path));

const offensesByFolder = new Map<string, string[]>();
for (const path of paths) {
  const folder = folderOf(path);
  offensesByFolder.set(folder, [...(offensesByFolder.get(folder) ?? []), ...offensesIn(path)]);
}

test.each([...offensesByFolder.keys()].sort())('%s contains no discouraged words', (folder) => {
  expect(offensesByFolder.get(folder)).toEqual([]);
});
