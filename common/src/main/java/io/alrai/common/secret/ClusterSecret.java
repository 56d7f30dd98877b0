package io.alrai.common.secret;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What all nodes of a cluster know and nobody else does, from their configuration. It proves who
 * may connect and never travels itself. Thread-safe.
 *
 * <p>Whoever hears one proof may try texts against it for as long as he likes, so the text has to
 * be random and long: no delay and no count of tries stands in his way.
 */
public final class ClusterSecret {
  /** Bytes of a nonce and of a proof. */
  public static final int NONCE_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int FRESH_BYTES = 24;
  private static final int LEAST_BITS = 128;

  /** A random text of 22 characters has fewer different ones only once in millions. */
  private static final int LEAST_DIFFERENT = 8;

  private final SecretKeySpec key;
  private final MemberTls tls;
  private final Optional<MemberFiles> files;

  /**
   * A secret.
   *
   * @throws AlraiException when the text cannot have the 128 bits of a random secret
   */
  public ClusterSecret(String text) {
    if (bits(text) < LEAST_BITS || text.chars().distinct().count() < LEAST_DIFFERENT) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "the cluster's secret is too easy to guess: it needs 128 random bits, such as what"
              + " openssl rand -hex 24 prints; write that into the configuration of every node"
              + " and start all of them again, what is stored does not depend on it");
    }
    key = new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    tls = MemberTls.OFF;
    files = Optional.empty();
  }

  private ClusterSecret(SecretKeySpec key, MemberTls tls, Optional<MemberFiles> files) {
    this.key = key;
    this.tls = tls;
    this.files = files;
  }

  /**
   * A copy of a process that speaks TLS in this way. Blocking, where there are files.
   *
   * @throws AlraiException with a sentence that says what is wrong with a file
   */
  public ClusterSecret with(MemberTls choice) {
    return new ClusterSecret(key, choice, choice.files().map(MemberFiles::open));
  }

  /** How this process speaks TLS with other members. */
  public MemberTls tls() {
    return tls;
  }

  /** Its certificate of the cluster's CA, if it has one. */
  public Optional<MemberFiles> files() {
    return files;
  }

  /**
   * What links by TLS are made with; those of a process without files have a key of their own. With
   * files both kinds of certificate are believed until TLS is required.
   */
  public MemberKeys keys() {
    MemberCertificate own = new MemberCertificate(this);
    return switch (tls.mode()) {
      case NO -> new MemberKeys(own.keyManager(), List.of(own));
      case ACCEPT ->
          new MemberKeys(own.keyManager(), Stream.concat(Stream.of(own), files.stream()).toList());
      case PREFER ->
          new MemberKeys(
              files.map(MemberFiles::keyManager).orElseGet(own::keyManager),
              Stream.concat(Stream.of(own), files.stream()).toList());
      case REQUIRE ->
          files
              .map(by -> new MemberKeys(by.keyManager(), List.of(by)))
              .orElseGet(() -> new MemberKeys(own.keyManager(), List.of(own)));
    };
  }

  /** The most that a text of these characters can have. */
  private static double bits(String text) {
    double perCharacter =
        text.matches("[0-9]*") ? 3.33 : text.matches("[0-9a-f]*|[0-9A-F]*") ? 4 : 6;
    return perCharacter * text.length();
  }

  /** The text of a new secret. */
  public static String fresh() {
    byte[] bytes = new byte[FRESH_BYTES];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Random bytes that a proof is asked for. */
  public static byte[] nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  /**
   * Proves that this secret is known.
   *
   * @param label what it is for, so that it proves nothing else
   * @param asked the nonce of the side that asks for the proof
   * @param own the other side's
   * @param name of the side that proves
   */
  public byte[] proof(String label, byte[] asked, byte[] own, String name) {
    Mac mac = labelled(label);
    mac.update(asked);
    mac.update(own);
    return mac.doFinal(name.getBytes(StandardCharsets.UTF_8));
  }

  /** Vouches for content that anybody may hear. */
  byte[] seal(String label, byte[] content) {
    return labelled(label).doFinal(content);
  }

  private Mac labelled(String label) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(label.getBytes(StandardCharsets.US_ASCII));
      mac.update((byte) 0);
      return mac;
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** Compares in a time that tells nothing. */
  public static boolean same(byte[] expected, byte[] given) {
    return MessageDigest.isEqual(expected, given);
  }

  @Override
  public String toString() {
    return "ClusterSecret";
  }
}
