// Package booking asks guests for deposits, and learns their status from signed webhooks.
package booking

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Booking is a client of the Billing Service, and an http.Handler that receives its webhooks.
type Booking struct {
	baseURL, token, secret string

	mutex sync.Mutex
	// Status of the deposit by booking reference.
	deposits map[string]string
}

type deposit struct {
	ID        int    `json:"id"`
	Reference string `json:"booking_reference"`
	Status    string `json:"status"`
}

// New returns a booking system for an account of the service.
func New(baseURL, token, webhookSecret string) *Booking {
	return &Booking{baseURL: baseURL, token: token, secret: webhookSecret, deposits: map[string]string{}}
}

// AskForDeposit creates a deposit and returns its id.
func (b *Booking) AskForDeposit(reference string, amount float64) (int, error) {
	body, err := json.Marshal(map[string]any{"booking_reference": reference, "amount": amount})
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequest(http.MethodPost, b.baseURL+"/deposits", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+b.token)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Idempotency-Key", reference)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return 0, fmt.Errorf("create deposit: %s", response.Status)
	}
	var created struct {
		Data deposit `json:"data"`
	}
	if err := json.NewDecoder(response.Body).Decode(&created); err != nil {
		return 0, err
	}
	b.record(created.Data)
	return created.Data.ID, nil
}

// Status returns the status of the deposit of a booking; empty if there is no deposit.
func (b *Booking) Status(reference string) string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.deposits[reference]
}

// ServeHTTP processes a webhook. It rejects a wrong signature with 401.
func (b *Booking) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	if !hmac.Equal([]byte(b.SignatureOf(body)), []byte(request.Header.Get("X-Service-Signature"))) {
		http.Error(writer, "wrong signature", http.StatusUnauthorized)
		return
	}
	var event struct {
		Event string  `json:"event"`
		Data  deposit `json:"data"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	if strings.HasPrefix(event.Event, "deposit.") {
		b.record(event.Data)
	}
}

// SignatureOf returns the signature of a webhook's raw body.
func (b *Booking) SignatureOf(body []byte) string {
	mac := hmac.New(sha256.New, []byte(b.secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

func (b *Booking) record(d deposit) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.deposits[d.Reference] = d.Status
}
