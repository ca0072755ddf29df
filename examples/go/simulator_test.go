package booking

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
)

// account is an account of the simulator that only one test uses. Its methods call the control API.
type account struct {
	t       *testing.T
	ID      string `json:"id"`
	BaseURL string `json:"base_url"`
	Tokens  struct {
		Full string `json:"full"`
	} `json:"tokens"`
	WebhookSecret string `json:"webhook_secret"`
}

// newAccount creates an account, and removes it after the test.
func newAccount(t *testing.T, webhookURL string) *account {
	t.Helper()
	a := &account{t: t}
	a.call(http.MethodPost, "/accounts", map[string]any{"now": "2026-03-01T09:00:00Z", "webhook_url": webhookURL}, a)
	t.Cleanup(func() { a.call(http.MethodDelete, "/accounts/"+a.ID, nil, nil) })
	return a
}

// authorizeDeposit authorizes a deposit, as the guest would on the authorization page.
func (a *account) authorizeDeposit(id int) {
	a.t.Helper()
	a.call(http.MethodPost, fmt.Sprintf("/accounts/%s/deposits/%d/authorize", a.ID, id), nil, nil)
}

// advanceClock advances the clock. It waits until everything that falls due has happened, and the receiver has
// responded to all webhooks about it.
func (a *account) advanceClock(by string) {
	a.t.Helper()
	a.call(http.MethodPost, "/accounts/"+a.ID+"/clock/advance", map[string]any{"by": by}, nil)
}

// waitForWebhooks waits until the receiver has responded to all webhooks so far; the clock does not move.
func (a *account) waitForWebhooks() {
	a.t.Helper()
	a.advanceClock("0s")
}

func (a *account) call(method, path string, body map[string]any, result any) {
	a.t.Helper()
	url := os.Getenv("BILLING_SIM_URL")
	if url == "" {
		url = "http://127.0.0.1:4010"
	}
	if body == nil {
		body = map[string]any{}
	}
	text, err := json.Marshal(body)
	if err != nil {
		a.t.Fatal(err)
	}
	request, err := http.NewRequest(method, url+"/_sim"+path, bytes.NewReader(text))
	if err != nil {
		a.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		a.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		a.t.Fatalf("%s %s: %s", method, path, response.Status)
	}
	if result != nil {
		if err := json.NewDecoder(response.Body).Decode(result); err != nil {
			a.t.Fatal(err)
		}
	}
}
