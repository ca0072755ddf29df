/**
 * Rows of a form: fields with names such as `items.2.quantity`. Buttons of the form add and remove rows, and have the page
 * made again, without calling the operation.
 */

/** The name of the buttons that change a form instead of sending it. No field of an operation has this name. */
export const stepField = 'form-step';

const rowField = /^(?<list>\w+)\.(?<row>\d+)\.(?<field>.+)$/;

/** The number of rows that the fields of a list have. */
export function rowCount(params: URLSearchParams, list: string): number {
  const rows = [...params.keys()].flatMap((name) => {
    const groups = rowField.exec(name)?.groups;
    return groups?.['list'] === list ? [Number(groups['row'])] : [];
  });
  return Math.max(0, ...rows.map((row) => row + 1));
}

/** Leaves out rows, and renumbers the others. */
function withRows(params: URLSearchParams, isKept: (list: string, row: string) => boolean): URLSearchParams {
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  const result = new URLSearchParams();
  for (const [name, value] of params) {
    const { list, row, field } = rowField.exec(name)?.groups ?? {};
    if (list === undefined || row === undefined || field === undefined) {
      result.append(name, value);
      continue;
    }
    if (!isKept(list, row)) continue;
    const key = `${list}.${row}`;
    const number = numbers.get(key) ?? counts.get(list) ?? 0;
    if (!numbers.has(key)) counts.set(list, number + 1);
    numbers.set(key, number);
    result.append(`${list}.${number}.${field}`, value);
  }
  return result;
}

/** Leaves out rows in which nothing is filled in, so that errors name the rows that are shown again. */
export function withoutBlankRows(params: URLSearchParams): URLSearchParams {
  const filled = new Set(
    [...params].flatMap(([name, value]) => {
      const { list, row } = rowField.exec(name)?.groups ?? {};
      return value.trim() === '' ? [] : [`${list}.${row}`];
    }),
  );
  return withRows(params, (list, row) => filled.has(`${list}.${row}`));
}

/** The fields of a form after a step: `add items.description` or `remove items.2`; otherwise as they are. */
export function afterStep(params: URLSearchParams): URLSearchParams {
  const [verb = '', place = ''] = (params.get(stepField) ?? '').split(' ');
  const [list = '', part = ''] = place.split('.');
  if (verb === 'remove') return withRows(params, (name, row) => !(name === list && row === part));
  if (verb !== 'add' || !/^\w+$/.test(list) || !/^\w+$/.test(part)) return params;
  const result = new URLSearchParams(params);
  result.append(`${list}.${rowCount(params, list)}.${part}`, '');
  return result;
}
