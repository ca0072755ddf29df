// Makes Swagger UI accessible: it follows the color scheme of the system, and missing labels and roles are added.
(() => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  followScheme();
  dark.addEventListener('change', followScheme);

  /** Names a control that has no label, unless it has a name already. */
  const name = (selector, text) => {
    for (const control of document.querySelectorAll(`${selector}:not([aria-label])`)) {
      control.setAttribute('aria-label', text(control));
    }
  };

  const operationOf = (element) =>
    element.closest('.opblock')?.querySelector('.opblock-summary-path')?.textContent.replaceAll('\u200b', '') ?? '';

  function complete() {
    name('#swagger-ui select', (select) => (select.id === 'servers' ? 'Server' : `Choice for ${operationOf(select)}`));
    name('#swagger-ui textarea', (area) => `Request body of ${operationOf(area)}`);
    name('#swagger-ui input:not([type="hidden"])', (input) => input.placeholder || `Value for ${operationOf(input)}`);
    // Each is a landmark and needs a name of its own.
    name(
      '#swagger-ui table[role="region"]',
      (table) => `Responses of ${table.id.replace(/_responses$/, '').replaceAll('_', ' ')}`,
    );
    // The content before the operations is not in a landmark.
    for (const [selector, label] of [
      ['.information-container', 'About this API'],
      ['.scheme-container', 'Server and authorization'],
    ]) {
      for (const part of document.querySelectorAll(`#swagger-ui ${selector}:not([role])`)) {
        part.setAttribute('role', 'region');
        part.setAttribute('aria-label', label);
      }
    }
    for (const block of document.querySelectorAll('#swagger-ui pre:not([tabindex])')) block.tabIndex = 0;
    // Headings that skip a level.
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

  new MutationObserver(complete).observe(document.body, { childList: true, subtree: true });

  /** Sends requests to the server of this page, whose address may differ from that in the document. */
  const atThisOrigin = (spec) => ({
    ...spec,
    servers: [{ url: new URL(spec.servers[0].url).pathname, description: 'This simulator' }],
  });

  /** Extends Swagger UI. */
  window.billingSimDocs = {
    statePlugins: { spec: { wrapActions: { updateJsonSpec: (update) => (spec) => update(atThisOrigin(spec)) } } },
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
