import { choicesOf, parseChoice } from '../../../domain/choices.js';
import { gapRegistry } from '../../../generated/gap-registry.js';
import type { PageHandler, PageRoute } from '../routing/page.js';
import { textResponse } from '../routing/responses.js';
import { hasText, readSearch } from '../routing/search.js';
import { type GapView, profilePage } from './view.js';

const showProfile: PageHandler = (context) => {
  const { query, account } = context;
  const { text } = readSearch(query);
  const onlyChanged = query.get('changed') === 'yes';
  const { profile: changedChoices } = account.record;
  const gaps = Object.entries(gapRegistry).map(([id, gap]): GapView => {
    const { section, question, default: defaultChoice } = gap;
    return {
      id,
      section,
      question,
      defaultChoice,
      choices: choicesOf(gap),
      current: parseChoice(changedChoices[id] ?? gap.default),
    };
  });
  return profilePage(context.location, {
    gaps: gaps.filter((gap) => matchesText(gap, text) && (!onlyChanged || gap.current.name !== gap.defaultChoice)),
    text,
    onlyChanged,
    changedCount: gaps.filter(({ current, defaultChoice }) => current.name !== defaultChoice).length,
  });
};

function matchesText({ id, section, question, choices }: GapView, text: string): boolean {
  return hasText([id, section, question, ...choices.flatMap(({ name, description }) => [name, description])], text);
}

/** The choices of the account as a profile file. */
const showProfileFile: PageHandler = async ({ account: { id, record } }) => {
  // Imported only when needed, since loading it would slow down every start.
  const { stringify } = await import('yaml');
  return textResponse(`# Choices of account ${id}: billing-sim start --profile FILE\n${stringify(record.profile)}`);
};

export const profilePages: readonly PageRoute[] = [
  ['/profile', showProfile],
  ['/profile/export', showProfileFile],
];
