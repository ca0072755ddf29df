import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { pageNames, readPage, root, type Step, stepsOf } from './page.js';
import { PageRun } from './page-run.js';

describe.each(pageNames.filter((name) => stepsOf(readPage(name)).length > 0))('%s', (name) => {
  const page = readPage(name);
  let pageRun: PageRun;
  beforeAll(async () => {
    pageRun = await PageRun.start(name, page);
  });
  afterAll(async () => {
    await pageRun.close();
    if (pageRun.corrections.size > 0) writeFileSync(join(root, name), withCorrections(page, pageRun.corrections));
  });

  test.each(stepsOf(page).map((step) => ({ ...step, title: titleOf(step), step })))('line $line: $title', ({ step }) =>
    pageRun.runStep(step),
  );
});

function titleOf(step: Step): string {
  switch (step.kind) {
    case 'run':
    case 'run successfully':
      return step.command.trim();
    case 'open terminal':
      return `${step.kind} ${step.terminal}: ${step.command}`;
    case 'see in terminal':
      return `${step.kind} ${step.terminal}`;
    case 'run program':
      return step.kind;
    case 'save file':
    case 'show file':
      return `${step.kind} ${step.file}`;
  }
}

/** Replaces the output of commands on a page, from the last to the first, so that earlier line numbers stay valid. */
function withCorrections(page: string, corrections: ReadonlyMap<Step, string>): string {
  const lines = page.split('\n');
  for (const [step, output] of [...corrections].sort(([a], [b]) => b.line - a.line)) {
    if (step.kind !== 'run') continue;
    const oldLength = step.output === '' ? 0 : step.output.split('\n').length;
    lines.splice(step.line, oldLength, ...(output === '' ? [] : output.split('\n')));
  }
  return lines.join('\n');
}
