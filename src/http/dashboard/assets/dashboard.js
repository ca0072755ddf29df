// Says what htmx leaves unsaid: that a form or a link has not reached the simulator, and that live updates are
// disconnected. Without it the pages work all the same.
(() => {
  /** How long the stream may be away before that is shown, in milliseconds: a reset of the account closes it for a moment. */
  const patienceMs = 1_000;

  const disconnectedText = 'Live updates disconnected, reconnecting…';

  /** How many changes the stream has announced. */
  let announced = 0;
  /** By request: how many had been announced when it was sent. A page that was rendered before the last one is out of date. */
  const announcedBefore = new WeakMap();
  let isDisconnected = false;
  let timer;

  const { htmx } = window;

  htmx.createEventSource = (url) => {
    const source = new EventSource(url);
    source.addEventListener('change', () => {
      announced += 1;
    });
    return source;
  };

  const isLive = (element) => element.getAttribute?.('hx-trigger') === 'sse:change';

  function refetch() {
    for (const part of document.querySelectorAll('[hx-trigger="sse:change"]')) htmx.trigger(part, 'sse:change');
  }

  function showConnection() {
    const mark = document.getElementById('connection');
    const text = isDisconnected ? disconnectedText : '';
    if (mark && mark.textContent !== text) mark.textContent = text;
  }

  /** Shows a problem over the page, or over the dialog that covers it, until it is dismissed or a new page is loaded. */
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
    // A page that the browser goes back to has no target.
    if (target?.id !== 'dialog' || target.open) return;
    opener = requestConfig.triggeringEvent?.submitter?.id;
    target.showModal();
  });

  // The browser gives the focus back to the button, unless that has been fetched anew meanwhile.
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

  document.addEventListener('htmx:sseOpen', () => {
    clearTimeout(timer);
    timer = undefined;
    isDisconnected = false;
    showConnection();
    // Nobody has told of what happened between the rendering of the page and now.
    refetch();
  });

  document.addEventListener('htmx:sseError', () => {
    timer ??= setTimeout(() => {
      isDisconnected = true;
      showConnection();
    }, patienceMs);
  });

  document.addEventListener('htmx:beforeSend', ({ detail }) => announcedBefore.set(detail.xhr, announced));

  document.addEventListener('htmx:afterSettle', ({ detail }) => {
    showConnection();
    // htmx gives the focus back to the button that was pressed, if it is there again.
    if (detail.boosted) document.querySelector('main [autofocus]')?.focus();
    const before = announcedBefore.get(detail.xhr);
    announcedBefore.delete(detail.xhr);
    if (before !== undefined && before < announced) refetch();
  });

  document.addEventListener('htmx:sendError', ({ detail }) => {
    // The stream breaks, too, and its mark says so.
    if (isLive(detail.elt)) return;
    showProblem(
      detail.elt.tagName === 'FORM'
        ? 'The simulator does not answer, and nothing was sent. Check that it is running, then send the form again: what you typed is still here.'
        : 'The simulator does not answer. Check that it is running, then try again.',
    );
  });

  document.addEventListener('htmx:responseError', ({ detail }) => {
    const { elt, xhr, requestConfig, pathInfo } = detail;
    if (requestConfig.verb === 'get' && !isLive(elt)) {
      window.location.assign(pathInfo.finalRequestPath);
      return;
    }
    const answered = new DOMParser().parseFromString(xhr.responseText, 'text/html').querySelector('h1')?.textContent;
    const reason = answered ?? `The simulator has answered ${xhr.status}`;
    showProblem(
      isLive(elt) ? `${reason}. This page is out of date: reload it.` : `${reason}. What you typed is still here.`,
    );
  });
})();
