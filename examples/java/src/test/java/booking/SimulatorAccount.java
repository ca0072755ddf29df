package booking;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** An account of the simulator that only one test uses. Its methods call the control API. */
final class SimulatorAccount {
    private static final HttpClient client = HttpClient.newHttpClient();
    private static final String accountsUrl =
            System.getenv().getOrDefault("BILLING_SIM_URL", "http://127.0.0.1:4010") + "/_sim/accounts";

    final String id;
    final String baseUrl;
    final String token;
    final String webhookSecret;

    SimulatorAccount(String webhookUrl) throws IOException, InterruptedException {
        var created = call("POST", "", """
                {"now": "2026-03-01T09:00:00Z", "webhook_url": "%s"}""".formatted(webhookUrl));
        id = Json.text(created, "id");
        baseUrl = Json.text(created, "base_url");
        token = Json.text(created, "full");
        webhookSecret = Json.text(created, "webhook_secret");
    }

    /** Authorizes a deposit, as the guest would on the authorization page. */
    void authorizeDeposit(long depositId) throws IOException, InterruptedException {
        call("POST", "/%s/deposits/%d/authorize".formatted(id, depositId), "{}");
    }

    /**
     * Advances the clock. Waits until everything that falls due has happened, and the receiver has responded to all
     * webhooks about it.
     */
    void advanceClock(String by) throws IOException, InterruptedException {
        call("POST", "/%s/clock/advance".formatted(id), "{\"by\": \"%s\"}".formatted(by));
    }

    /** Waits until the receiver has responded to all webhooks so far; the clock does not move. */
    void waitForWebhooks() throws IOException, InterruptedException {
        advanceClock("0s");
    }

    void remove() throws IOException, InterruptedException {
        call("DELETE", "/" + id, "{}");
    }

    private static String call(String method, String path, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(accountsUrl + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        var response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IOException(method + " " + path + ": " + response.statusCode() + " " + response.body());
        }
        return response.body();
    }
}
