import { isInstalled } from './is-installed.js';
import { UserError } from './user-error.js';

/** Packages that a few features need, each with the specifier for `npm install`. The simulator runs without them. */
export const optionalPackages = {
  // Later versions need Node 24.
  '@stoplight/prism-http': '@stoplight/prism-http@5.12.0',
  supertest: 'supertest@7',
  vitest: 'vitest',
} as const;

type OptionalPackage = keyof typeof optionalPackages;

/** Thrown if a feature needs an optional package that is not installed. */
export class PackageMissing extends UserError {
  override readonly name = 'PackageMissing';

  constructor(name: OptionalPackage, feature: string) {
    super(
      `${feature} needs the package ${name}, which is not installed; run npm install --save-dev ${optionalPackages[name]}`,
    );
  }
}

/**
 * Makes sure that an optional package can be imported.
 * @param feature subject of the message: `billing-sim proxy`
 * @throws PackageMissing
 */
export function requirePackage(name: OptionalPackage, feature: string): void {
  if (!isInstalled(name)) throw new PackageMissing(name, feature);
}
