// Shows errors that htmx does not show: a form or a link that has not reached the simulator, and live updates that are
// disconnected. The pages work without this script, too.
(() => {
  /**
   * How long the stream may be closed before that is shown, in milliseconds. A reset of the account closes it briefly.
   */
  const graceMs = 1_000;

  const disconnectedText = 'Live updates disconnected, reconnecting…';

  /** Number of changes that the stream has announced. */
  let changeCount = 0;
  /** The change count when a request was sent. If the count has grown meanwhile, the loaded page is out of date. */
  const countWhenSent = new WeakMap();
  let isDisconnected = false;
  let timer;

  const { htmx } = window;

  htmx.createEventSource = (url) => {
    const source = new EventSource(url);
    source.addEventListener('change', () => {
      changeCount += 1;
    });
    return source;
  };

  const isLive = (element) => element.getAttribute?.('hx-trigger') === 'sse:change';

  function refetch() {
    for (const part of document.querySelectorAll('[hx-trigger="sse:change"]')) htmx.trigger(part, 'sse:change');
  }

  /**
   * True while a mouse button, a finger or the space bar is down. A button that is replaced meanwhile is not clicked.
   */
  let isPressed = false;
  /** True if a live part has been fetched while something was pressed, and not been shown. */
  let isOutdated = false;

  const isPress = ({ type, key }) => !type.startsWith('key') || key === ' ';

  for (const type of ['pointerdown', 'keydown']) {
    document.addEventListener(
      type,
      (event) => {
        if (isPress(event)) isPressed = true;
      },
      true,
    );
  }
  for (const type of ['pointerup', 'pointercancel', 'keyup']) {
    document.addEventListener(
      type,
      (event) => {
        if (!isPress(event)) return;
        isPressed = false;
        if (!isOutdated) return;
        isOutdated = false;
        // After the click, which follows.
        setTimeout(refetch);
      },
      true,
    );
  }

  document.addEventListener('htmx:beforeSwap', ({ detail }) => {
    if (!isPressed || !isLive(detail.requestConfig.elt)) return;
    detail.shouldSwap = false;
    isOutdated = true;
  });

  function showConnection() {
    const mark = document.getElementById('connection');
    const text = isDisconnected ? disconnectedText : '';
    if (mark && mark.textContent !== text) mark.textContent = text;
  }

  /**
   * Shows a problem over the page, or over the dialog that covers it, until it is dismissed or a new page is loaded.
   */
  function showProblem(text) {
    document.getElementById('problem')?.remove();
    const problem = document.createElement('div');
    problem.id = 'problem';
    problem.className = 'notice refused';
    problem.setAttribute('role', 'alert');
    const message = document.createElement('p');
    message.textContent = text;
    const dismiss = document.createElement('button');
    dismiss.type = 'button';
    dismiss.className = 'quiet';
    dismiss.textContent = 'Dismiss';
    dismiss.addEventListener('click', () => problem.remove());
    problem.append(message, dismiss);
    (document.querySelector('dialog[open]') ?? document.body).append(problem);
  }

  /** The id of the button that has opened the dialog. */
  let opener;

  document.addEventListener('htmx:afterSwap', ({ detail }) => {
    const { target, requestConfig } = detail;
    // Pages restored by the back button have no target.
    if (target?.id !== 'dialog' || target.open) return;
    opener = requestConfig.triggeringEvent?.submitter?.id;
    target.showModal();
  });

  // The browser gives the focus back to the button, unless the button has been reloaded meanwhile.
  document.addEventListener(
    'close',
    ({ target }) => {
      if (target.id !== 'dialog') return;
      const { activeElement, body } = document;
      if (activeElement === body || target.contains(activeElement)) document.getElementById(opener)?.focus();
      target.replaceChildren();
    },
    true,
  );

  /** Adds a button after everything that can be copied; without scripts it is selected by hand. */
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
          // Without permission or without HTTPS on another host: selected, so that it can be copied by key.
          document.getSelection().selectAllChildren(source);
          button.textContent = 'Selected';
        }
      });
      source.after(button);
    }
  }
  addCopyButtons();
  document.addEventListener('htmx:afterSettle', addCopyButtons);

  /** The time at which a running clock was loaded, by its element. */
  const loadedAt = new WeakMap();

  function tick() {
    for (const time of document.querySelectorAll('[data-runs] time')) {
      if (!loadedAt.has(time)) loadedAt.set(time, Date.now());
      const now = new Date(Date.parse(time.dateTime) + Date.now() - loadedAt.get(time));
      time.textContent = now.toISOString().slice(0, 19).replace('T', ' ');
    }
  }
  setInterval(tick, 1_000);

  /** True after `g`: the next letter leads to a section. */
  let isLeading = false;

  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isTyping = target.closest('input, select, textarea, [contenteditable], dialog[open]');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || key === 'Shift') return;
    const link = isLeading ? document.querySelector(`nav [data-key="${CSS.escape(key)}"]`) : undefined;
    isLeading = key === 'g' && !isLeading;
    if (link) link.click();
    else if (key === '/') document.getElementById('find')?.focus();
    else if (key === '?') document.getElementById('shortcuts')?.showModal();
    else return;
    event.preventDefault();
  });

  document.addEventListener('htmx:sseOpen', () => {
    clearTimeout(timer);
    timer = undefined;
    isDisconnected = false;
    showConnection();
    // Changes between the rendering of the page and now have not been announced.
    refetch();
  });

  document.addEventListener('htmx:sseError', () => {
    timer ??= setTimeout(() => {
      isDisconnected = true;
      showConnection();
    }, graceMs);
  });

  document.addEventListener('htmx:beforeSend', ({ detail }) => countWhenSent.set(detail.xhr, changeCount));

  document.addEventListener('htmx:afterSettle', ({ detail }) => {
    showConnection();
    // Without htmx the browser opens what contains the fragment.
    if (detail.boosted && window.location.hash) {
      document.getElementById(window.location.hash.slice(1))?.closest('details')?.setAttribute('open', '');
    }
    // htmx returns the focus to the button that was pressed, if the new page has it.
    if (detail.boosted) document.querySelector('main [autofocus]')?.focus();
    const before = countWhenSent.get(detail.xhr);
    countWhenSent.delete(detail.xhr);
    if (before !== undefined && before < changeCount) refetch();
  });

  document.addEventListener('htmx:sendError', ({ detail }) => {
    // The stream breaks as well, which is shown already.
    if (isLive(detail.elt)) return;
    showProblem(
      detail.elt.tagName === 'FORM'
        ? 'The simulator does not respond, and nothing was sent. Check that it is running, then send the form again. Your input is kept.'
        : 'The simulator does not respond. Check that it is running, then try again.',
    );
  });

  document.addEventListener('htmx:responseError', ({ detail }) => {
    const { elt, xhr, requestConfig, pathInfo } = detail;
    if (requestConfig.verb === 'get' && !isLive(elt)) {
      window.location.assign(pathInfo.finalRequestPath);
      return;
    }
    const heading = new DOMParser().parseFromString(xhr.responseText, 'text/html').querySelector('h1')?.textContent;
    const reason = heading ?? `The simulator responded with ${xhr.status}`;
    showProblem(isLive(elt) ? `${reason}. This page is out of date. Reload it.` : `${reason}. Your input is kept.`);
  });
})();
