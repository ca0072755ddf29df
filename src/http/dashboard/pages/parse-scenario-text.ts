import type { Scenario } from '../../../domain/scenario.js';
import { invalid } from '../../../domain/service-error.js';
import { FileError } from '../../../files/data-file.js';
import type { Account } from '../../../simulation/account.js';
import { faultContextOf } from '../../../simulation/faults/faults.js';

/** Parses the text of a scenario file. The error names the line. @throws ServiceError invalid */
export async function parseScenarioText(text: string, account: Account): Promise<Scenario> {
  // Loaded on first use, since most pages do not need it.
  const { parseScenario } = await import('../../../files/scenario-files.js');
  try {
    return await parseScenario(text, '', faultContextOf(account));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    // The message begins with `PATH:LINE:`, and the path is empty here.
    throw invalid('text', 'custom', { message: error.message.replace(/^:(\d+):/, 'Line $1:') });
  }
}
