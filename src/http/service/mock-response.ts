import type { Request, Response } from 'express';
import type { OpenAPIV3_1 } from 'openapi-types';
import { ServiceError } from '../../domain/service-error.js';
import type { Operation } from '../../openapi/document.js';
import { servedDocument } from '../document/profiles.js';
import { headerText } from './answer.js';
import { type Preferences, readPreferences, writePreferences } from './preferences.js';

/** Answers an operation from its document alone, or says why it cannot and what there is. */
export type AnswerStatelessly = (asked: {
  readonly document: OpenAPIV3_1.Document;
  readonly operation: string;
  readonly preferences: Preferences;
  /** The seed where none is preferred. */
  readonly chance: () => string;
}) => Promise<
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** JSON text. */
      readonly body: string;
      /** What was heeded. */
      readonly applied: Preferences;
    }
  | { readonly refusal: string }
>;

/**
 * Answers a request as its Prefer header asks, without reading or changing anything of the account.
 * @returns undefined where the header asks for nothing of the kind
 */
export function preferredAnswer(
  answerStatelessly: AnswerStatelessly,
  operation: Operation,
  request: Request,
  response: Response,
): Promise<void> | undefined {
  const { exchange } = request;
  const { preferences, hint } = readPreferences(String(request.headers['prefer']));
  if (hint !== undefined) exchange.headers['X-Sim-Hint'] = headerText(hint);
  if (Object.keys(preferences).length === 0) return undefined;
  const { account, profile } = exchange;
  const answer = answerStatelessly({
    document: servedDocument(profile),
    operation: operation.id,
    preferences,
    chance: () => account.seededHex(`preferred ${operation.id} ${request.url}`).slice(0, 16),
  });
  return answer.then((made) => {
    if ('refusal' in made) throw new ServiceError('preference-unmet', { hint: made.refusal });
    const { status, body, applied } = made;
    // How the rate window stands is the account's to say.
    const own = Object.entries(made.headers).filter(([name]) => !(name in exchange.headers));
    const headers = { ...Object.fromEntries(own), 'Preference-Applied': headerText(writePreferences(applied)) };
    exchange.answer(request, response, { status, body, headers });
  });
}
