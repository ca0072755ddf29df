import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Returns true if a package can be imported. */
export function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}
