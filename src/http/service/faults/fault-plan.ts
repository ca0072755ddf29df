import type { Fault, FaultStage, FaultTarget } from '../../../domain/faults.js';
import { tryParseJson, withoutByteOrderMark } from '../../../lib/json.js';
import { matchAndCountFaults } from '../../../simulation/faults/faults.js';
import { pathOf, type RequestContext } from '../../request-context.js';

/** Id of a fault from the `X-Sim-Fault` header of a request. The ids of an account's faults start at 1. */
export const headerFaultId = 0;

/** A fault that acts on a request: one of the account's faults, or the one in its header. */
export type ActiveFault = Pick<Fault, 'id' | 'stage' | 'effects' | 'until' | 'times_fired'>;

/**
 * The faults that act on one request to the service: at the `request` stage, one may respond in place of the handler;
 * at the `response` stage, they change the response. Every match is counted, so each stage is matched only once for
 * each request.
 */
export class FaultPlan {
  /** The fault that the request asks for in its header; set by the service. */
  headerFault: ActiveFault | undefined;
  readonly #context: RequestContext;
  #target: FaultTarget | undefined;
  /** The faults of the `request` stage, of which there is at most one; undefined until they are matched. */
  #requestFaults: readonly ActiveFault[] | undefined;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  /**
   * Returns the fault that responds in place of the handler, if any. Call it only after the body is read or the
   * request is refused, since the first call runs the matchers, which may look at the body.
   */
  shortCircuit(): ActiveFault | undefined {
    this.#requestFaults ??=
      this.headerFault?.stage === 'request' ? [this.headerFault] : this.#match('request', () => this.#describeTarget());
    return this.#requestFaults[0];
  }

  /** Finds the faults that change a response with this status. Call it only once, since every match is counted. */
  matchResponse(status: number): readonly ActiveFault[] {
    const matching = this.#match('response', () => ({ ...this.#describeTarget(), status }));
    return this.headerFault?.stage === 'response' ? [this.headerFault, ...matching] : matching;
  }

  #match(stage: FaultStage, targetOf: () => FaultTarget): readonly ActiveFault[] {
    return matchAndCountFaults(this.#context.account, stage, targetOf);
  }

  /** Describes the request to the matchers of faults, as far as it is known: it may have been refused early. */
  #describeTarget(): FaultTarget {
    const { request, bodyText } = this.#context;
    this.#target ??= {
      operation: this.#context.matchOperation()?.id ?? null,
      method: request.method,
      path: pathOf(request),
      token: this.#context.token?.name ?? null,
      // Parsed again, since the validator adds defaults to `request.body`.
      body: bodyText === null ? undefined : tryParseJson(withoutByteOrderMark(bodyText)),
    };
    return this.#target;
  }
}
