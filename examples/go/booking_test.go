package booking

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// newBooking starts a booking system that receives the webhooks of a new account.
func newBooking(t *testing.T) (*Booking, *account) {
	t.Helper()
	// The account needs the URL of the receiver, and the booking system needs the account, so b is set last.
	var b *Booking
	receiver := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		b.ServeHTTP(writer, request)
	}))
	t.Cleanup(receiver.Close)
	a := newAccount(t, receiver.URL+"/webhooks")
	b = New(a.BaseURL, a.Tokens.Full, a.WebhookSecret)
	return b, a
}

func expectStatus(t *testing.T, b *Booking, reference, want string) {
	t.Helper()
	if got := b.Status(reference); got != want {
		t.Errorf("deposit of %s: got %q, want %q", reference, got, want)
	}
}

func TestDepositThatNobodyCapturesExpiresAfterAWeek(t *testing.T) {
	t.Parallel()
	b, a := newBooking(t)
	id, err := b.AskForDeposit("BK-1", 300)
	if err != nil {
		t.Fatal(err)
	}
	expectStatus(t, b, "BK-1", "pending")

	a.authorizeDeposit(id)
	a.waitForWebhooks()
	expectStatus(t, b, "BK-1", "authorized")

	a.advanceClock("8d")
	expectStatus(t, b, "BK-1", "expired")
}

func TestWebhookWithAWrongSignatureIsRejected(t *testing.T) {
	t.Parallel()
	b, _ := newBooking(t)
	if _, err := b.AskForDeposit("BK-2", 300); err != nil {
		t.Fatal(err)
	}
	body := `{"event":"deposit.captured","data":{"booking_reference":"BK-2","status":"captured"}}`
	request := httptest.NewRequest(http.MethodPost, "/webhooks", strings.NewReader(body))
	request.Header.Set("X-Service-Signature", b.SignatureOf([]byte(strings.Replace(body, "BK-2", "BK-3", 1))))
	response := httptest.NewRecorder()
	b.ServeHTTP(response, request)
	if response.Code != http.StatusUnauthorized {
		t.Errorf("got %d, want 401", response.Code)
	}
	expectStatus(t, b, "BK-2", "pending")
}
