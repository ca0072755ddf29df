import type { components } from '../generated/control-validated-types.js';

type LoggedAction = Extract<components['schemas']['Activity'], { kind: 'action' }>;

const actorDescriptions: Readonly<Record<LoggedAction['by'], string>> = {
  'control-api': 'through the control API',
  dashboard: 'in the dashboard',
  guest: 'by a guest',
  library: 'through the library',
};

/** Describes an action: `Authorize deposit in the dashboard`, for the `authorizeDeposit` operation. */
export function actionText({ operation, by }: Pick<LoggedAction, 'operation' | 'by'>): string {
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${actorDescriptions[by]}`;
}
