import type { components } from '../generated/control-validated-types.js';
import { formatAgendaItem } from './agenda-text.js';
import { subjectName } from './format.js';
import { formatStep } from './step-text.js';

type Activity = components['schemas']['Activity'];
type LoggedAction = Extract<Activity, { kind: 'action' }>;

/** Describes an entry of the activity log: `POST /api/v1/deposits → 201, token full`, `deposit 8 created`. */
export function activityText(entry: Activity): string {
  switch (entry.kind) {
    case 'request': {
      const { method, path, status, error, token, faults } = entry.request;
      const tokenText = token === null ? '' : `, token ${token}`;
      const faultsText = faults.length === 0 ? '' : `, faults: ${faults.join(', ')}`;
      return `${method} ${path} → ${status ?? 'no response'}${error === null ? '' : `: ${error}`}${tokenText}${faultsText}`;
    }
    case 'action':
      return actionText(entry);
    case 'due':
      return `Due: ${formatAgendaItem({ kind: entry.item, id: entry.id })}`;
    case 'created':
      return `${subjectName(entry.subject)} created`;
    case 'transition':
      return `${subjectName(entry.subject)} ${entry.from} → ${entry.to} (${entry.cause})`;
    default:
      return formatStep(entry).join(' ');
  }
}

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
