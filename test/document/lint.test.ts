import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('Redocly and Spectral have nothing to say about the documents', { timeout: 240_000 }, async () => {
  // Rejects, with what they said, unless both end with 0.
  const { stdout, stderr } = await promisify(execFile)('npm', ['run', 'lint:documents'], { cwd: root });
  expect(stdout).toContain("No results with a severity of 'hint' or higher found!");
  expect(stderr).toContain('openapi/billing.yaml: validated');
  expect(stderr).toContain('openapi/control.yaml: validated');
  expect(stderr).not.toMatch(/\b[1-9]\d* (?:warning|error|problem)/i);
});
