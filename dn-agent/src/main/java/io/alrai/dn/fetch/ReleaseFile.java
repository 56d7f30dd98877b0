package io.alrai.dn.fetch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The list of an archive's lists, which the archive signs.
 *
 * @param date when it was made
 * @param validUntil until when the archive means it to be used
 * @param byHash whether lists are also there under names made of their digests, which do not change
 *     while somebody fetches them
 * @param lists SHA-256 and size of each list, as lines
 */
record ReleaseFile(Instant date, Optional<Instant> validUntil, boolean byHash, String lists) {
  private static final Set<String> FIELDS =
      Set.of("Codename", "Date", "Valid-Until", "Acquire-By-Hash", "SHA256");
  private static final DateTimeFormatter DATES =
      DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss z", Locale.ROOT);

  /** Lists of a mirror that nobody renews have old packages, with their known faults. */
  private static final Duration OLDEST = Duration.ofDays(365);

  /**
   * One of the lists.
   *
   * @param path below the suite's directory
   * @param size in bytes
   * @param sha256 in lower case
   */
  record Listed(String path, long size, String sha256) {}

  /**
   * Reads a text that was checked.
   *
   * @param codename the suite that was asked for; the same keys sign others
   * @throws FetchException when it is another suite's, too old, or not as it should be
   */
  static ReleaseFile of(String text, String codename, Instant now) throws FetchException {
    Map<String, String> fields;
    try {
      fields = new Stanzas(new BufferedReader(new StringReader(text)), FIELDS).next();
    } catch (IOException e) {
      throw new IllegalStateException("a string does not fail", e);
    }
    if (fields == null || !codename.equals(fields.get("Codename"))) {
      throw new FetchException("its signed list is not that of " + codename);
    }
    Instant date = date(fields.getOrDefault("Date", ""));
    if (date.plus(OLDEST).isBefore(now)) {
      throw new FetchException("its lists are of " + date + ", which is too long ago");
    }
    String until = fields.get("Valid-Until");
    return new ReleaseFile(
        date,
        until == null ? Optional.empty() : Optional.of(date(until)),
        "yes".equals(fields.get("Acquire-By-Hash")),
        fields.getOrDefault("SHA256", ""));
  }

  private static Instant date(String text) throws FetchException {
    try {
      return ZonedDateTime.parse(text, DATES).toInstant();
    } catch (DateTimeParseException e) {
      throw new FetchException("its signed list has no date that can be read: " + text, e);
    }
  }

  /**
   * A list by its path.
   *
   * @throws FetchException when the archive has none
   */
  Listed list(String path) throws FetchException {
    Matcher matcher =
        Pattern.compile("(?m)^([0-9a-f]{64}) +(\\d{1,12}) +" + Pattern.quote(path) + "$")
            .matcher(lists);
    if (!matcher.find()) {
      throw new FetchException("it has no " + path);
    }
    return new Listed(path, Long.parseLong(matcher.group(2)), matcher.group(1));
  }
}
