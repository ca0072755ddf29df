# frozen_string_literal: true

require 'minitest/autorun'
require_relative '../booking'
require_relative 'simulator_account'
require_relative 'webhook_server'

class BookingTest < Minitest::Test
  def setup
    @server = WebhookServer.new { |body, signature| @booking.receive(body, signature) }
    @account = SimulatorAccount.new(@server.url)
    @booking = Booking.new(
      base_url: @account.base_url, token: @account.token, webhook_secret: @account.webhook_secret
    )
  end

  def teardown
    @account&.remove
    @server&.close
  end

  def test_a_deposit_that_nobody_captures_expires_after_a_week
    deposit_id = @booking.ask_for_deposit('BK-1', 300)
    assert_equal 'pending', @booking.deposits['BK-1']

    @account.authorize_deposit(deposit_id)
    @account.wait_for_webhooks
    assert_equal 'authorized', @booking.deposits['BK-1']

    @account.advance_clock('8d')
    assert_equal 'expired', @booking.deposits['BK-1']
  end

  def test_a_webhook_with_a_wrong_signature_is_rejected
    @booking.ask_for_deposit('BK-2', 300)
    body = JSON.generate(event: 'deposit.captured', data: { booking_reference: 'BK-2', status: 'captured' })
    forged = body.sub('BK-2', 'BK-3')
    assert_equal 401, @booking.receive(forged, @booking.signature_of(body))
    assert_equal({ 'BK-2' => 'pending' }, @booking.deposits)
  end
end
