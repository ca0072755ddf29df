import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { memberOf, parseJson } from './json.js';

/** Matches the location in a stack frame: `file:///…/server.js:12:34`. */
const locationPattern = /(file:\/\/\/\S+?\.js):(\d+):(\d+)/g;

/**
 * Returns the stack of an error. In a clone of the repository, its locations are in the source files instead of the
 * bundles; the published package has no source maps. Replaces `node --enable-source-maps`, which would need bundles with
 * a `sourceMappingURL`, and would make every startup 10% slower.
 */
export function sourceStack(error: Error): string {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string): SourceMap | undefined => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  return String(error.stack).replace(locationPattern, (location, url: string, line: string, column: string) => {
    // Stacks count from 1, source maps from 0.
    const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return location;
    return `${new URL(entry.originalSource, url).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

/** Reads the map beside a bundle; undefined if there is none. */
function readMap(url: string): SourceMap | undefined {
  const file = `${fileURLToPath(url)}.map`;
  if (!existsSync(file)) return undefined;
  const map = parseJson(readFileSync(file, 'utf8'));
  const mappings = memberOf(map, 'mappings');
  if (typeof mappings !== 'string') return undefined;
  const [sources, names] = [stringsOf(memberOf(map, 'sources')), stringsOf(memberOf(map, 'names'))];
  return new SourceMap({ version: 3, file: '', sourceRoot: '', sources, sourcesContent: [], names, mappings });
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
