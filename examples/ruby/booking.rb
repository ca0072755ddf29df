# frozen_string_literal: true

require 'json'
require 'net/http'
require 'openssl'

# A booking system that asks guests for deposits, and learns their status from signed webhooks.
class Booking
  # Status of the deposit by booking reference.
  attr_reader :deposits

  def initialize(base_url:, token:, webhook_secret:)
    @base_url = base_url
    @token = token
    @webhook_secret = webhook_secret
    @deposits = {}
  end

  # Creates a deposit, and returns its id.
  def ask_for_deposit(reference, amount)
    response = Net::HTTP.post(
      URI("#{@base_url}/deposits"),
      JSON.generate(booking_reference: reference, amount: amount),
      'Authorization' => "Bearer #{@token}",
      'Content-Type' => 'application/json',
      'Accept' => 'application/json',
      'Idempotency-Key' => reference
    )
    response.value # Raises an error unless the status is 2xx.
    deposit = JSON.parse(response.body).fetch('data')
    deposits[reference] = deposit.fetch('status')
    deposit.fetch('id')
  end

  # Processes a webhook, unless its signature is wrong. Returns the status of the response.
  def receive(body, signature)
    return 401 unless OpenSSL.secure_compare(signature_of(body), signature)

    event = JSON.parse(body)
    if event.fetch('event').start_with?('deposit.')
      deposit = event.fetch('data')
      deposits[deposit.fetch('booking_reference')] = deposit.fetch('status')
    end
    200
  end

  def signature_of(body)
    "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', @webhook_secret, body)}"
  end
end
