// Adds dialogs, copy buttons, running clocks and keyboard shortcuts to the pages, which also work without this script.
// Loaded after dashboard.js, which first restores what the user has typed and focused in a section that was replaced.
(() => {
  /** The id of the button that opened the dialog. */
  let openerId;

  document.addEventListener('htmx:afterSwap', ({ detail }) => {
    const { target, requestConfig } = detail;
    // Pages restored by the back button have no target.
    if (target?.id !== 'dialog' || target.open) return;
    openerId = requestConfig.triggeringEvent?.submitter?.id;
    target.showModal();
  });

  // Before this event, htmx returns the focus to the pressed button. A success message gets the focus only if the
  // button is gone, so that the button can be pressed again.
  document.addEventListener('htmx:afterSwap', () => {
    const { activeElement, body } = document;
    if (activeElement !== body) document.querySelector('main .done[autofocus]')?.removeAttribute('autofocus');
  });

  // Removes the message that a contract run was started, once the run has ended and its section no longer reloads.
  document.addEventListener('htmx:afterSwap', () => {
    const message = document.getElementById('run-started')?.closest('.toast');
    if (!message || document.querySelector('[hx-trigger="every 1s"]')) return;
    if (message.contains(document.activeElement)) document.getElementById('main').focus({ preventScroll: true });
    message.remove();
  });

  // Without this, the link that dismisses a message loads the page again, scrolled to its start.
  document.addEventListener(
    'click',
    (event) => {
      const link = event.target.closest('.dismiss');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      window.history.replaceState(window.history.state, '', link.href);
      document.getElementById('main').focus({ preventScroll: true });
      link.closest('.toast').remove();
    },
    true,
  );

  // The browser returns the focus to the button that opened the dialog, unless the button has been replaced.
  document.addEventListener(
    'close',
    ({ target }) => {
      if (target.id !== 'dialog') return;
      const { activeElement, body } = document;
      if (activeElement === body || target.contains(activeElement)) document.getElementById(openerId)?.focus();
      target.replaceChildren();
    },
    true,
  );

  /** Adds a copy button after every element with a `data-copy` attribute. */
  function addCopyButtons() {
    for (const source of document.querySelectorAll('[data-copy]')) {
      if (source.nextElementSibling?.classList.contains('copy')) continue;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'copy quiet';
      button.textContent = 'Copy';
      button.addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText(source.textContent);
          button.textContent = 'Copied';
        } catch {
          // Browsers deny access without permission, and over HTTP from another host. The user can copy the selection.
          document.getSelection().selectAllChildren(source);
          button.textContent = 'Selected';
        }
      });
      source.after(button);
    }
  }
  addCopyButtons();
  document.addEventListener('htmx:afterSettle', addCopyButtons);

  /** Scrolls drawings of lifecycles that are wider than the window to the current state. */
  function showCurrentState() {
    for (const state of document.querySelectorAll('.lifecycle .current')) {
      const drawing = state.closest('.scroll');
      const [stateBox, drawingBox] = [state.getBoundingClientRect(), drawing.getBoundingClientRect()];
      drawing.scrollLeft += stateBox.left + stateBox.width / 2 - drawingBox.left - drawingBox.width / 2;
    }
  }
  showCurrentState();
  // After live updates, dashboard.js restores the scroll position.
  document.addEventListener('htmx:afterSettle', ({ detail }) => {
    if (detail.boosted) showCurrentState();
  });

  /** The time of this machine when a running clock was loaded, keyed by the element of the clock. */
  const loadedAt = new WeakMap();

  function updateClocks() {
    for (const time of document.querySelectorAll('[data-runs] time')) {
      if (!loadedAt.has(time)) loadedAt.set(time, Date.now());
      const now = new Date(Date.parse(time.dateTime) + Date.now() - loadedAt.get(time));
      time.textContent = now.toISOString().slice(0, 19).replace('T', ' ');
    }
  }
  setInterval(updateClocks, 1_000);

  /** Storage of the browser; undefined if the user has blocked it. */
  function storage() {
    try {
      return window.localStorage;
    } catch {
      return undefined;
    }
  }

  /** False if the user has turned the keyboard shortcuts off. */
  const usesShortcuts = () => storage()?.getItem('shortcuts') !== 'off';

  function showShortcuts() {
    document.getElementById('use-shortcuts').checked = usesShortcuts();
    document.getElementById('shortcuts').showModal();
  }

  document.addEventListener('click', ({ target }) => {
    if (target.id === 'show-shortcuts') showShortcuts();
  });
  document.addEventListener('change', ({ target }) => {
    if (target.id === 'use-shortcuts') storage()?.setItem('shortcuts', target.checked ? 'on' : 'off');
  });

  // Without scripts there are no shortcuts, so pages arrive with a hidden button.
  const revealButton = () => document.getElementById('show-shortcuts')?.removeAttribute('hidden');
  revealButton();
  document.addEventListener('htmx:afterSettle', revealButton);

  /** True after the `g` key, when the next key opens a section. */
  let isAfterG = false;

  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isTyping = target.closest('input, select, textarea, [contenteditable], dialog[open]');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || key === 'Shift' || !usesShortcuts()) return;
    const link = isAfterG ? document.querySelector(`nav [data-key="${CSS.escape(key)}"]`) : undefined;
    isAfterG = key === 'g' && !isAfterG;
    if (link) link.click();
    else if (key === '/') document.getElementById('find')?.focus();
    else if (key === '?') showShortcuts();
    else return;
    event.preventDefault();
  });
})();
