import { formatShortForm } from '../../../domain/fault-grammar.js';
import { eventNames } from '../../../domain/records.js';
import { operationIds } from '../../../generated/billing-document.js';
import { operationInput, type PageHandler, type PageRoute } from '../routing/page.js';
import { faultsPage } from './view.js';

const showFaults: PageHandler = async (context) => {
  const { controlApi, query } = context;
  const { data: effects } = await controlApi.listEffects(operationInput(context));
  const { data: faultList } = await controlApi.listFaults(operationInput(context));
  // The option that the short form writes after the name of the effect, as in `latency=200ms`.
  const valueOptionByEffect = new Map(effects.map(({ name, value }) => [name, value]));
  return faultsPage(context.location, {
    faults: faultList.map((fault) => ({
      fault,
      shortForm: fault.effects
        .map((effect) => formatShortForm(effect, valueOptionByEffect.get(effect.name) ?? null))
        .join(', '),
    })),
    effects,
    operations: operationIds,
    events: eventNames,
    initialEffect: query.get('effect') ?? '',
  });
};

export const faultPages: readonly PageRoute[] = [['/faults', showFaults]];
