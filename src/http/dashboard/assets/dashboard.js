// Improves the pages, which also work without this script: keeps live sections up to date, and shows when the simulator
// does not respond or live updates are disconnected.
(() => {
  /**
   * Delay before the page shows that live updates are disconnected, since a reset of the account closes the stream only
   * briefly.
   */
  const disconnectedDelayMs = 1_000;

  const disconnectedText = 'Live updates disconnected, reconnecting…';

  /** Number of change events received from the stream. */
  let changeCount = 0;
  /**
   * The change count when a request was sent, keyed by request. If the count is higher after the response, the page is
   * out of date.
   */
  const changeCountWhenSent = new WeakMap();
  let isDisconnected = false;
  let disconnectedTimer;
  /** The status with which the simulator refuses the stream; undefined if it does not respond. */
  let refusedStatus;

  const { htmx } = window;

  /** The stream of change events. */
  let stream;
  /** True if the stream was closed because the page is hidden. */
  let isSuspended = false;

  /**
   * Closes the stream while the page is hidden. Browsers open at most six connections to a server, so that streams of
   * six hidden tabs would keep every other tab from loading.
   */
  function suspendIfHidden() {
    if (!document.hidden || stream === undefined || stream.readyState === EventSource.CLOSED) return;
    stream.close();
    isSuspended = true;
  }

  document.addEventListener('visibilitychange', () => {
    suspendIfHidden();
    if (document.hidden || !isSuspended) return;
    isSuspended = false;
    // htmx opens another stream after an error of a closed one.
    stream.dispatchEvent(new Event('error'));
  });

  // htmx opens the stream with this function.
  htmx.createEventSource = (url) => {
    stream = new EventSource(url);
    stream.addEventListener('change', () => {
      changeCount += 1;
    });
    suspendIfHidden();
    return stream;
  };

  const isLiveSection = (element) => element.getAttribute?.('hx-trigger') === 'sse:change';

  /** True for sections that reload without a user action: live sections, and a contract run in progress. */
  const isSelfReloading = (element) => isLiveSection(element) || element.getAttribute?.('hx-trigger') === 'every 1s';

  /** Reloads all live sections of the page. */
  function reloadLiveSections() {
    for (const section of document.querySelectorAll('[hx-trigger="sse:change"]')) htmx.trigger(section, 'sse:change');
  }

  /**
   * True while a mouse button, a finger or the space bar is down. A button that is replaced during this time gets no
   * click.
   */
  let isPressed = false;
  /** True if an update of a section was skipped, because something was pressed or a form waited for its response. */
  let isOutdated = false;

  function reloadOutdatedSections() {
    if (!isOutdated) return;
    isOutdated = false;
    reloadLiveSections();
  }

  const isPressEvent = ({ type, key }) => !type.startsWith('key') || key === ' ';

  for (const type of ['pointerdown', 'keydown']) {
    document.addEventListener(
      type,
      (event) => {
        if (isPressEvent(event)) isPressed = true;
      },
      true,
    );
  }
  // A context menu may keep the release of the button to itself.
  for (const type of ['pointerup', 'pointercancel', 'contextmenu', 'keyup']) {
    document.addEventListener(
      type,
      (event) => {
        if (!isPressEvent(event)) return;
        isPressed = false;
        // The click event follows this one: the sections are reloaded after it.
        setTimeout(reloadOutdatedSections);
      },
      true,
    );
  }

  /** The HTML of each self-reloading section, by id, except the status bar, which has a separate URL. */
  function sectionsOf(page) {
    return new Map([...page.querySelectorAll('[hx-trigger][hx-select]')].map(({ id, innerHTML }) => [id, innerHTML]));
  }

  /** The sections as last received. An update without changes is skipped, since it would close what the user opened. */
  let receivedSections = sectionsOf(document);
  // The back button loads a page without a `beforeSwap` event, so its sections are not known.
  document.addEventListener('htmx:historyRestore', () => receivedSections.clear());

  /** The elements of a section with the same tag and address as another, last first, since lists grow at the top. */
  function similarElements(section, element) {
    const isSimilar = (other) => other.getAttribute('href') === element.getAttribute('href');
    return [...section.querySelectorAll(element.localName)].filter(isSimilar).reverse();
  }

  /**
   * Returns a function that finds the focused element after its section is replaced. An element with an id is left to
   * htmx, which focuses it again.
   */
  function focusFinder(section) {
    const { activeElement } = document;
    if (activeElement.id !== '' || !section.contains(activeElement)) return () => undefined;
    const position = similarElements(section, activeElement).indexOf(activeElement);
    return (newSection) => similarElements(newSection, activeElement)[position];
  }

  /**
   * Returns a function that restores, after a live section is replaced, what the user has typed, opened, scrolled
   * sideways and focused in it.
   */
  function rememberView(section) {
    const typedFields = [...section.querySelectorAll('input')].filter(
      ({ value, defaultValue }) => value !== defaultValue,
    );
    const oldDetails = [...section.querySelectorAll('details[id]')];
    const scrollPositions = [...section.querySelectorAll('.scroll')].map(({ scrollLeft }) => scrollLeft);
    const findFocused = focusFinder(section);
    return () => {
      for (const { id, value, selectionStart, selectionEnd } of typedFields) {
        const field = document.getElementById(id);
        if (!field) continue;
        field.value = value;
        if (field === document.activeElement) field.setSelectionRange(selectionStart, selectionEnd);
      }
      for (const { id, open } of oldDetails) document.getElementById(id)?.toggleAttribute('open', open);
      const newSection = document.getElementById(section.id);
      if (!newSection) return;
      for (const [index, element] of newSection.querySelectorAll('.scroll').entries()) {
        element.scrollLeft = scrollPositions[index] ?? 0;
      }
      findFocused(newSection)?.focus({ preventScroll: true });
    };
  }

  const restoreNothing = () => undefined;
  let restoreView = restoreNothing;

  document.addEventListener('htmx:beforeSwap', ({ detail }) => {
    const { elt } = detail.requestConfig;
    if (!detail.shouldSwap) return;
    const sections = sectionsOf(new DOMParser().parseFromString(detail.serverResponse, 'text/html'));
    if (!isSelfReloading(elt)) {
      if (detail.target === document.body) receivedSections = sections;
      return;
    }
    const content = sections.get(elt.id);
    if (isPressed || elt.querySelector('form[aria-busy]')) {
      detail.shouldSwap = false;
      isOutdated = true;
    } else if (content !== undefined && content === receivedSections.get(elt.id)) detail.shouldSwap = false;
    else {
      receivedSections.set(elt.id, content);
      restoreView = rememberView(elt);
    }
  });

  document.addEventListener('htmx:afterSwap', () => {
    restoreView();
    restoreView = restoreNothing;
  });

  // An action may take seconds, for example while a receiver responds. Until then its form is marked as busy, stays on
  // the page and is not sent again.
  const isAction = ({ elt, requestConfig }) => elt.tagName === 'FORM' && requestConfig.verb === 'post';

  document.addEventListener('htmx:beforeSend', ({ detail }) => {
    if (isAction(detail)) detail.elt.setAttribute('aria-busy', 'true');
  });
  document.addEventListener(
    'submit',
    (event) => {
      if (!event.target.hasAttribute('aria-busy')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  document.addEventListener('htmx:afterRequest', ({ detail }) => {
    if (!isAction(detail)) return;
    detail.elt.removeAttribute('aria-busy');
    reloadOutdatedSections();
  });

  function createLink(href, text) {
    const link = document.createElement('a');
    link.href = href;
    link.textContent = text;
    return link;
  }

  /** A link to the sign-in in a new tab, so that this page keeps its input. */
  function signInLink() {
    const link = createLink('/dashboard', 'Sign in');
    link.target = '_blank';
    return link;
  }

  /** Messages about a stream that the simulator refuses, by the status of its response. */
  const refusedTexts = {
    401: () => ['You are signed out. ', signInLink()],
    404: () => ['This account no longer exists. ', createLink('/dashboard?section=accounts', 'Show all accounts')],
  };

  /** Shows in the header whether live updates are disconnected, and why. */
  function showConnection() {
    const status = document.getElementById('connection');
    const message = document.createElement('p');
    if (isDisconnected) message.append(...(refusedTexts[refusedStatus]?.() ?? [disconnectedText]));
    if (status && status.textContent !== message.textContent) status.replaceChildren(...message.childNodes);
  }

  /**
   * Shows a problem on top of the page or of its open dialog, until the problem is dismissed or a new page is loaded.
   */
  function showProblem(text, ...links) {
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
    problem.append(message, ...links, dismiss);
    (document.querySelector('dialog[open]') ?? document.body).append(problem);
  }

  /** Interval at which relative times, such as `3 min ago`, are updated while the account's clock runs. */
  const relativeTimesIntervalMs = 30_000;

  setInterval(() => {
    const isRunning = document.querySelector('[data-runs]') !== null;
    // A section that is replaced loses the text that the user has selected, for example to copy it.
    if (isRunning && !isDisconnected && document.getSelection().isCollapsed) reloadLiveSections();
  }, relativeTimesIntervalMs);

  /** Requests a stream again to get the status of the response, which an `EventSource` does not report. */
  async function fetchRefusedStatus({ readyState, url }) {
    // Without a response, the browser reconnects by itself.
    if (readyState !== EventSource.CLOSED) return undefined;
    try {
      const response = await fetch(url, { method: 'HEAD' });
      return response.status;
    } catch {
      return undefined;
    }
  }

  document.addEventListener('htmx:sseOpen', () => {
    clearTimeout(disconnectedTimer);
    disconnectedTimer = undefined;
    isDisconnected = false;
    showConnection();
  });

  document.addEventListener('htmx:sseError', async ({ detail }) => {
    disconnectedTimer ??= setTimeout(() => {
      isDisconnected = true;
      showConnection();
    }, disconnectedDelayMs);
    refusedStatus = await fetchRefusedStatus(detail.source);
    showConnection();
  });

  document.addEventListener('htmx:beforeSend', ({ detail }) => changeCountWhenSent.set(detail.xhr, changeCount));

  /**
   * Scrolls a new page to its start or to the fragment of its URL, as browsers do without htmx. They also open the
   * `details` element that contains the fragment.
   */
  function showNewPage() {
    const focused = document.querySelector('main [autofocus]');
    const isRefused = focused?.classList.contains('refused');
    const target = isRefused ? null : document.getElementById(window.location.hash.slice(1));
    target?.closest('details')?.setAttribute('open', '');
    if (target) target.scrollIntoView();
    else window.scrollTo(0, 0);
    // htmx returns the focus to the pressed button, so elements with `autofocus` must be focused here. A message is
    // visible wherever the page is scrolled to; a field may not be.
    focused?.focus({ preventScroll: focused.classList.contains('notice') });
  }

  document.addEventListener('htmx:afterSettle', ({ detail }) => {
    showConnection();
    if (detail.boosted && detail.target === document.body) showNewPage();
    const countBefore = changeCountWhenSent.get(detail.xhr);
    changeCountWhenSent.delete(detail.xhr);
    if (countBefore !== undefined && countBefore < changeCount) reloadLiveSections();
  });

  document.addEventListener('htmx:sendError', ({ detail }) => {
    // The page already shows that the stream is disconnected.
    if (isSelfReloading(detail.elt)) return;
    showProblem(
      detail.elt.tagName === 'FORM'
        ? 'The simulator does not respond, and nothing was sent. Check that it is running, then send the form again. Your input is kept.'
        : 'The simulator does not respond. Check that it is running, then try again.',
    );
  });

  document.addEventListener('htmx:responseError', ({ detail }) => {
    const { elt, xhr, requestConfig, pathInfo } = detail;
    if (requestConfig.verb === 'get' && !isLiveSection(elt)) {
      window.location.assign(pathInfo.finalRequestPath);
      return;
    }
    if (xhr.status === 401) {
      showProblem('You are signed out. Sign in, then try again. Your input is kept.', signInLink());
      return;
    }
    const heading = new DOMParser().parseFromString(xhr.responseText, 'text/html').querySelector('h1')?.textContent;
    const reason = heading ?? `The simulator responded with ${xhr.status}`;
    showProblem(
      isLiveSection(elt) ? `${reason}. This page is out of date. Reload it.` : `${reason}. Your input is kept.`,
    );
  });
})();
