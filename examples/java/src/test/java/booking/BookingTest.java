package booking;

import com.sun.net.httpserver.HttpServer;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

class BookingTest {
    private HttpServer receiver;
    private SimulatorAccount account;
    private Booking booking;

    @BeforeEach
    void start() throws Exception {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        account = new SimulatorAccount("http://127.0.0.1:" + receiver.getAddress().getPort() + "/webhooks");
        booking = new Booking(account.baseUrl, account.token, account.webhookSecret);
        receiver.createContext("/webhooks", booking);
        receiver.start();
    }

    @AfterEach
    void stop() throws Exception {
        if (account != null) {
            account.remove();
        }
        receiver.stop(0);
    }

    @Test
    void aDepositThatNobodyCapturesExpiresAfterAWeek() throws Exception {
        var depositId = booking.askForDeposit("BK-1", new BigDecimal("300.00"));
        assertEquals("pending", booking.statusOf("BK-1"));

        account.authorizeDeposit(depositId);
        account.waitForWebhooks();
        assertEquals("authorized", booking.statusOf("BK-1"));

        account.advanceClock("8d");
        assertEquals("expired", booking.statusOf("BK-1"));
    }

    @Test
    void aWebhookWithAWrongSignatureIsRejected() throws Exception {
        booking.askForDeposit("BK-2", new BigDecimal("300.00"));
        var body = """
                {"event":"deposit.captured","data":{"booking_reference":"BK-2","status":"captured"}}""";
        var signature = booking.signatureOf(body.replace("BK-2", "BK-3").getBytes(UTF_8));
        assertEquals(401, booking.receive(body.getBytes(UTF_8), signature));
        assertEquals("pending", booking.statusOf("BK-2"));
    }
}
