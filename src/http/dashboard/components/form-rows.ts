import { invalidField, type ServiceError } from '../../../domain/service-error.js';

/**
 * A row of a form consists of the fields whose names share a list and a row number, as in `items.2.quantity`. The buttons
 * that add or remove rows send the form to the dashboard, which shows it again without calling the operation.
 */

/**
 * The `name` attribute of buttons that show the form again with what was entered, and do not call the operation: they add
 * or remove rows, update a total, or check the input. No operation has a field of this name.
 */
export const redisplayButtonName = 'form-step';

/** Maximum number of rows of a list in a form, since the page shows all of them. */
const maxRows = 200;

const rowFieldPattern = /^(?<list>\w+)\.(?<row>\d+)\.(?<field>.+)$/;

/** The number of rows that a form has for a list, such as `items`. */
export function rowCount(params: URLSearchParams, list: string): number {
  const rows = [...params.keys()].flatMap((name) => {
    const groups = rowFieldPattern.exec(name)?.groups;
    return groups?.['list'] === list ? [groups['row']] : [];
  });
  return new Set(rows).size;
}

/**
 * Keeps the rows of a form that `isKept` accepts, and numbers them from 0 without gaps, whatever numbers were sent.
 * @throws ServiceError invalid if a list has too many rows
 */
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
    if (number === maxRows) throw tooManyRows(list);
    if (!newNumbers.has(key)) countsByList.set(list, number + 1);
    newNumbers.set(key, number);
    result.append(`${list}.${number}.${field}`, value);
  }
  return result;
}

function tooManyRows(list: string): ServiceError {
  const message = `A form can have at most ${maxRows} ${list}. To send more, use the API.`;
  return invalidField(list, 'custom', { message });
}

/**
 * Removes blank rows, and numbers the others from 0. A form with errors is shown again from the result, so that the row
 * numbers in error messages match.
 * @throws ServiceError invalid if a list has too many rows
 */
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
 * `remove items.2` removes a row, and any other button only renumbers the rows.
 * @throws ServiceError invalid if a list has too many rows
 */
export function applyRowButton(params: URLSearchParams): URLSearchParams {
  const [verb = '', target = ''] = (params.get(redisplayButtonName) ?? '').split(' ');
  const [list = '', rowOrField = ''] = target.split('.');
  const isRemoved = (rowList: string, row: string): boolean =>
    verb === 'remove' && rowList === list && row === rowOrField;
  const result = filterRows(params, (rowList, row) => !isRemoved(rowList, row));
  if (verb === 'add' && /^\w+$/.test(list) && /^\w+$/.test(rowOrField)) {
    const newRow = rowCount(result, list);
    if (newRow === maxRows) throw tooManyRows(list);
    result.append(`${list}.${newRow}.${rowOrField}`, '');
  }
  return result;
}
