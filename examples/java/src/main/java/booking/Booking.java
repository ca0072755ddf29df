package booking;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A booking system that asks guests for deposits, and learns their status from signed webhooks. */
public final class Booking implements HttpHandler {
    private final HttpClient client = HttpClient.newHttpClient();
    private final String baseUrl;
    private final String token;
    private final String webhookSecret;

    /** Status of the deposit by booking reference. */
    private final Map<String, String> deposits = new ConcurrentHashMap<>();

    public Booking(String baseUrl, String token, String webhookSecret) {
        this.baseUrl = baseUrl;
        this.token = token;
        this.webhookSecret = webhookSecret;
    }

    /** Creates a deposit, and returns its id. */
    public long askForDeposit(String reference, BigDecimal amount) throws IOException, InterruptedException {
        var body = "{\"booking_reference\":\"%s\",\"amount\":%s}".formatted(reference, amount.toPlainString());
        var request = HttpRequest.newBuilder(URI.create(baseUrl + "/deposits"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("Idempotency-Key", reference)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        var response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IOException("create deposit: " + response.statusCode() + " " + response.body());
        }
        deposits.put(reference, Json.text(response.body(), "status"));
        return Json.number(response.body(), "id");
    }

    /** Returns the status of the deposit of a booking; null if there is no deposit. */
    public String statusOf(String reference) {
        return deposits.get(reference);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var signature = exchange.getRequestHeaders().getFirst("X-Service-Signature");
        exchange.sendResponseHeaders(receive(body, signature == null ? "" : signature), -1);
        exchange.close();
    }

    /** Processes a webhook, unless its signature is wrong. Returns the status of the response. */
    public int receive(byte[] body, String signature) {
        if (!MessageDigest.isEqual(signatureOf(body).getBytes(UTF_8), signature.getBytes(UTF_8))) {
            return 401;
        }
        var text = new String(body, UTF_8);
        if (Json.text(text, "event").startsWith("deposit.")) {
            deposits.put(Json.text(text, "booking_reference"), Json.text(text, "status"));
        }
        return 200;
    }

    public String signatureOf(byte[] body) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(webhookSecret.getBytes(UTF_8), "HmacSHA256"));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
