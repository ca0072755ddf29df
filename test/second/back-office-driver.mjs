// What `billing-sim contract --driver` is given for the second implementation: it does by requests to the back office what
// the API has no call for. Yours may write to a test database, or click through pages, in its place.

const office = process.env.BACK_OFFICE;

async function act(action, record = {}) {
  const answer = await fetch(`${office}/${action}`, { method: 'POST', body: JSON.stringify(record) });
  const done = await answer.json();
  if (!answer.ok) throw new Error(done.error);
  return done;
}

export default function makeDriver() {
  if (!office) throw new Error('BACK_OFFICE is to say where the back office is');
  return {
    createCustomer: () => act('create-customer'),
    markInvoicePaid: (invoice) => act('pay-invoice', invoice),
    payLink: (link) => act('pay-link', link),
    authorizeDeposit: (deposit) => act('authorize-deposit', deposit),
    declineDeposit: (deposit) => act('decline-deposit', deposit),
    expireDeposit: (deposit) => act('expire-deposit', deposit),
    rotateWebhookSecret: () => act('rotate-webhook-secret'),
    configureWebhook: ({ url, secret }) => act('send-webhooks', { url, secret }),
  };
}
