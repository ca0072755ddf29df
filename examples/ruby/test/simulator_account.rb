# frozen_string_literal: true

require 'json'
require 'net/http'

# An account of the simulator that only one test uses. Its methods call the control API.
class SimulatorAccount
  attr_reader :base_url, :token, :webhook_secret

  def initialize(webhook_url)
    @url = ENV.fetch('BILLING_SIM_URL', 'http://127.0.0.1:4010')
    account = call('POST', '/accounts', now: '2026-03-01T09:00:00Z', webhook_url: webhook_url)
    @id = account.fetch('id')
    @base_url = account.fetch('base_url')
    @token = account.fetch('tokens').fetch('full')
    @webhook_secret = account.fetch('webhook_secret')
  end

  # Authorizes a deposit, as the guest would on the authorization page.
  def authorize_deposit(deposit_id)
    call('POST', "/accounts/#{@id}/deposits/#{deposit_id}/authorize")
  end

  # Advances the clock. Waits until everything that falls due has happened, and the receiver has responded to all
  # webhooks about it.
  def advance_clock(by)
    call('POST', "/accounts/#{@id}/clock/advance", by: by)
  end

  # Waits until the receiver has responded to all webhooks so far; the clock does not move.
  def wait_for_webhooks
    advance_clock('0s')
  end

  def remove
    call('DELETE', "/accounts/#{@id}")
  end

  private

  def call(method, path, body = {})
    uri = URI("#{@url}/_sim#{path}")
    response = Net::HTTP.start(uri.host, uri.port, read_timeout: 60) do |http|
      http.send_request(method, uri.path, JSON.generate(body), 'Content-Type' => 'application/json')
    end
    response.value # Raises an error unless the status is 2xx.
    JSON.parse(response.body)
  end
end
