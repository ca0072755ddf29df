package booking;

import java.util.regex.Pattern;

/** Reads fields that occur only once in a JSON text. The JDK has no JSON parser; use one in a real project. */
final class Json {
    private Json() {}

    static String text(String json, String name) {
        return value(json, name, "\"([^\"\\\\]*)\"");
    }

    static long number(String json, String name) {
        return Long.parseLong(value(json, name, "(\\d+)"));
    }

    private static String value(String json, String name, String pattern) {
        var matcher = Pattern.compile("\"" + name + "\":" + pattern).matcher(json);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no field " + name + " in " + json);
        }
        return matcher.group(1);
    }
}
