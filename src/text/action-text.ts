import type { components } from '../generated/control-validated-types.js';

type LoggedAction = Extract<components['schemas']['Activity'], { kind: 'action' }>;

const actorDescriptions: Readonly<Record<LoggedAction['by'], string>> = {
  'control-api': 'through the control API',
  dashboard: 'in the dashboard',
  guest: 'by a guest',
  library: 'through the library',
};

/** Describes an action: `Save snapshot in the dashboard: before-test`, for the `saveSnapshot` operation. */
export function actionText({ operation, by, details }: Pick<LoggedAction, 'operation' | 'by' | 'details'>): string {
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${actorDescriptions[by]}${details === null ? '' : `: ${details}`}`;
}
