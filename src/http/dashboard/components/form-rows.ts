/**
 * Rows of a form: fields with names such as `items.2.quantity`. Buttons of the form add or remove rows: they send the
 * form, and the page shows it again without submitting it to the operation of the control API.
 */

/**
 * The name of the buttons that only show the form again, with what was entered: they add or remove rows, update a
 * total, or check the input, but do not submit it. No operation has a field of this name.
 */
export const redisplayButtonName = 'form-step';

const rowFieldPattern = /^(?<list>\w+)\.(?<row>\d+)\.(?<field>.+)$/;

/** The number of rows that a form has for a list, such as `items`. */
export function rowCount(params: URLSearchParams, list: string): number {
  const rows = [...params.keys()].flatMap((name) => {
    const groups = rowFieldPattern.exec(name)?.groups;
    return groups?.['list'] === list ? [Number(groups['row'])] : [];
  });
  return Math.max(0, ...rows.map((row) => row + 1));
}

/** Keeps some rows of a form, and renumbers them. */
function filterRows(params: URLSearchParams, isKept: (list: string, row: string) => boolean): URLSearchParams {
  /** The new number of each row that is kept, by its list and its old number. */
  const newNumbers = new Map<string, number>();
  const countsByList = new Map<string, number>();
  const result = new URLSearchParams();
  for (const [name, value] of params) {
    const { list, row, field } = rowFieldPattern.exec(name)?.groups ?? {};
    if (list === undefined || row === undefined || field === undefined) {
      result.append(name, value);
      continue;
    }
    if (!isKept(list, row)) continue;
    const key = `${list}.${row}`;
    const number = newNumbers.get(key) ?? countsByList.get(list) ?? 0;
    if (!newNumbers.has(key)) countsByList.set(list, number + 1);
    newNumbers.set(key, number);
    result.append(`${list}.${number}.${field}`, value);
  }
  return result;
}

/** Removes blank rows, so that the row numbers in error messages match the rows of the redisplayed form. */
export function withoutBlankRows(params: URLSearchParams): URLSearchParams {
  const filledRows = new Set(
    [...params].flatMap(([name, value]) => {
      const groups = rowFieldPattern.exec(name)?.groups;
      return groups === undefined || value.trim() === '' ? [] : [`${groups['list']}.${groups['row']}`];
    }),
  );
  return filterRows(params, (list, row) => filledRows.has(`${list}.${row}`));
}

/**
 * Applies the button that was pressed to the fields of a form: `add items.description` adds a row with that field,
 * `remove items.2` removes a row, and any other button changes nothing.
 */
export function applyRowButton(params: URLSearchParams): URLSearchParams {
  const [verb = '', target = ''] = (params.get(redisplayButtonName) ?? '').split(' ');
  const [list = '', rowOrField = ''] = target.split('.');
  if (verb === 'remove') return filterRows(params, (rowList, row) => !(rowList === list && row === rowOrField));
  if (verb !== 'add' || !/^\w+$/.test(list) || !/^\w+$/.test(rowOrField)) return params;
  const result = new URLSearchParams(params);
  result.append(`${list}.${rowCount(params, list)}.${rowOrField}`, '');
  return result;
}
