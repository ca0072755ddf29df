/**
 * Parses a URL; returns undefined if it is invalid. `URL.canParse` is not used: in Node 20 it rejects letters such as `ü`
 * once it has been called some thousand times, when the optimized version of it runs.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
