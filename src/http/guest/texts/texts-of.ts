import type { Request } from 'express';
import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import { type GuestLanguage, type GuestTexts, guestLanguages } from './guest-texts.js';
import { spanish } from './spanish.js';

const textsByLanguage: Readonly<Record<GuestLanguage, GuestTexts>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};

/** Chooses the texts in the language that `Accept-Language` prefers; English if it accepts none of the languages. */
export function textsOf(request: Request): GuestTexts {
  const accepted = request.acceptsLanguages(...guestLanguages);
  const language = guestLanguages.find((guestLanguage) => guestLanguage === accepted);
  return textsByLanguage[language ?? 'en'];
}
