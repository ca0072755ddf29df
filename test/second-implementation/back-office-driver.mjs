// Driver of the second implementation for `billing-sim contract --driver`. The API has no operations for these actions,
// so the driver sends requests to the back office, another HTTP server of that implementation. Your driver might write
// to a test database or click through pages instead. Set BACK_OFFICE to the URL of the back office, which serve.mjs
// prints.

const backOfficeUrl = process.env.BACK_OFFICE;

async function callBackOffice(action, record = {}) {
  const response = await fetch(`${backOfficeUrl}/${action}`, { method: 'POST', body: JSON.stringify(record) });
  const result = await response.json();
  if (!response.ok) throw new Error(result.error);
  return result;
}

export default function makeDriver() {
  if (!backOfficeUrl) throw new Error('BACK_OFFICE must be the URL of the back office');
  return {
    createCustomer: () => callBackOffice('create-customer'),
    markInvoicePaid: (invoice) => callBackOffice('pay-invoice', invoice),
    payLink: (link) => callBackOffice('pay-link', link),
    authorizeDeposit: (deposit) => callBackOffice('authorize-deposit', deposit),
    declineDeposit: (deposit) => callBackOffice('decline-deposit', deposit),
    expireDeposit: (deposit) => callBackOffice('expire-deposit', deposit),
    rotateWebhookSecret: () => callBackOffice('rotate-webhook-secret'),
    configureWebhook: ({ url, secret }) => callBackOffice('send-webhooks', { url, secret }),
  };
}
