import { choicesOf, chosen } from '../../../domain/choices.js';
import { gapRegistry } from '../../../generated/gap-registry.js';
import { hasText, readSearch } from '../routing/search.js';
import { type Page, placeOf, type Show } from '../routing/show.js';
import { profilePage, type ShownGap } from './view.js';

const profile: Show = (context) => {
  const { search, account } = context;
  const { text } = readSearch(search);
  const onlyChanged = search.get('changed') === 'yes';
  const { profile: written } = account.record;
  const gaps = Object.entries(gapRegistry).map(([id, gap]): ShownGap => {
    const { section, question, default: defaultChoice } = gap;
    return { id, section, question, defaultChoice, choices: choicesOf(gap), current: chosen(gap, written[id]) };
  });
  return profilePage(placeOf(context, 'profile'), {
    gaps: gaps.filter((gap) => isFound(gap, text) && (!onlyChanged || gap.current.name !== gap.defaultChoice)),
    text,
    onlyChanged,
  });
};

function isFound({ id, section, question, choices }: ShownGap, text: string): boolean {
  return hasText([id, section, question, ...choices.flatMap(({ name, says }) => [name, says])], text);
}

export const profilePages: readonly Page[] = [['/profile', profile]];
