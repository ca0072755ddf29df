# frozen_string_literal: true

require 'socket'

# A server for webhooks. It passes the body and the signature of each to a block, which returns the status of the
# response.
class WebhookServer
  def initialize(&receive)
    @server = TCPServer.new('127.0.0.1', 0)
    @thread = Thread.new do
      loop { respond(@server.accept, receive) }
    rescue IOError
      # The server has been closed.
    end
  end

  def url
    "http://127.0.0.1:#{@server.addr[1]}/webhooks"
  end

  def close
    @server.close
    @thread.join
  end

  private

  def respond(socket, receive)
    socket.gets # The request line.
    headers = {}
    while (line = socket.gets&.chomp) != ''
      # The connection ends early if the account is removed while it sends a webhook.
      return if line.nil?

      name, value = line.split(': ', 2)
      headers[name.downcase] = value
    end
    body = socket.read(Integer(headers.fetch('content-length')))
    status = receive.call(body, headers.fetch('x-service-signature', ''))
    socket.write("HTTP/1.1 #{status} \r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  ensure
    socket.close
  end
end
