// Makes Swagger UI accessible: applies the color scheme of the system, and adds missing labels and roles.
(() => {
  const darkScheme = window.matchMedia('(prefers-color-scheme: dark)');
  const applyColorScheme = () => document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
  applyColorScheme();
  darkScheme.addEventListener('change', applyColorScheme);

  /** Labels the matching elements that have no label. @param labelOf returns the label of an element */
  const addLabels = (selector, labelOf) => {
    for (const element of document.querySelectorAll(`${selector}:not([aria-label])`)) {
      element.setAttribute('aria-label', labelOf(element));
    }
  };

  /** The path of the operation that an element belongs to; empty if there is none. */
  const operationPathOf = (element) =>
    element.closest('.opblock')?.querySelector('.opblock-summary-path')?.textContent.replaceAll('\u200b', '') ?? '';

  function addMissingAttributes() {
    addLabels('#swagger-ui select', (select) =>
      select.id === 'servers' ? 'Server' : `Choice for ${operationPathOf(select)}`,
    );
    addLabels('#swagger-ui textarea', (area) => `Request body of ${operationPathOf(area)}`);
    addLabels(
      '#swagger-ui input:not([type="hidden"])',
      (input) => input.placeholder || `Value for ${operationPathOf(input)}`,
    );
    // Each table is a landmark, and landmarks need different labels.
    addLabels(
      '#swagger-ui table[role="region"]',
      (table) => `Responses of ${table.id.replace(/_responses$/, '').replaceAll('_', ' ')}`,
    );
    // Swagger UI has no landmarks for the content before the operations.
    for (const [selector, label] of [
      ['.information-container', 'About this API'],
      ['.scheme-container', 'Server and authorization'],
    ]) {
      for (const section of document.querySelectorAll(`#swagger-ui ${selector}:not([role])`)) {
        section.setAttribute('role', 'region');
        section.setAttribute('aria-label', label);
      }
    }
    for (const block of document.querySelectorAll('#swagger-ui pre:not([tabindex])')) block.tabIndex = 0;
    // Some headings of Swagger UI skip a level.
    for (const [selector, level] of [
      ['#swagger-ui h3.opblock-tag', '2'],
      ['#swagger-ui .opblock h4', '3'],
      ['#swagger-ui .opblock h5', '4'],
      ['#swagger-ui .models h4, #swagger-ui .models h3', '2'],
    ]) {
      for (const heading of document.querySelectorAll(`${selector}:not([aria-level])`))
        heading.setAttribute('aria-level', level);
    }
  }

  new MutationObserver(addMissingAttributes).observe(document.body, { childList: true, subtree: true });

  /**
   * Changes a document so that requests go to the server of this page, whose address may differ from the address in the
   * document.
   */
  const withThisServer = (spec) => ({
    ...spec,
    servers: [{ url: new URL(spec.servers[0].url).pathname, description: 'This simulator' }],
  });

  /** A plugin for Swagger UI. */
  window.billingSimDocs = {
    statePlugins: { spec: { wrapActions: { updateJsonSpec: (update) => (spec) => update(withThisServer(spec)) } } },
    wrapComponents: {
      // Hides a warning that Swagger UI shows although it supports the dialect that the document names.
      JsonSchemaDialect: () => () => null,
      // Replaces a link inside the button that opens an operation, since a keyboard cannot reach it.
      DeepLink:
        (_original, { React }) =>
        ({ text }) =>
          React.createElement('span', null, text),
    },
  };
})();
