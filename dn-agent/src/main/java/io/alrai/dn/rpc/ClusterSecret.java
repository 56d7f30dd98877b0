package io.alrai.dn.rpc;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What all nodes of a cluster know and nobody else does, from their configuration. It proves who
 * may connect and never travels itself. Thread-safe.
 */
public final class ClusterSecret {
  /** Bytes of a nonce and of a proof. */
  public static final int NONCE_BYTES = Message.SECRET_BYTES;

  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  /**
   * A secret.
   *
   * @throws IllegalArgumentException when the text has less than 8 characters
   */
  public ClusterSecret(String text) {
    if (text.length() < 8) {
      throw new IllegalArgumentException("the cluster's secret needs 8 characters or more");
    }
    key = new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  static Message.Nonce newNonce() {
    byte[] bytes = new byte[Message.SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    return new Message.Nonce(bytes);
  }

  /** Random bytes that a proof is asked for. */
  public static byte[] nonce() {
    return newNonce().bytes();
  }

  /**
   * A proof of other roles than agents.
   *
   * @param label what it is for, so that it proves nothing else
   * @param asked the nonce of who wants it
   * @param own the other side's
   * @param name of who proves
   */
  public byte[] proof(String label, byte[] asked, byte[] own, String name) {
    return proof(label, new Message.Nonce(asked), new Message.Nonce(own), name).bytes();
  }

  /** Compares in a time that tells nothing. */
  public static boolean same(byte[] expected, byte[] given) {
    return MessageDigest.isEqual(expected, given);
  }

  /** The caller's proof. */
  Message.Nonce helloProof(
      Message.Nonce agents, Message.Nonce callers, Purpose purpose, NodeId node) {
    return proof("hello", agents, callers, (char) purpose.code() + node.name());
  }

  /** The agent's proof. */
  Message.Nonce welcomeProof(Message.Nonce callers, Message.Nonce agents, DnId dn) {
    return proof("welcome", callers, agents, dn.name());
  }

  private Message.Nonce proof(
      String label, Message.Nonce first, Message.Nonce second, String rest) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(label.getBytes(StandardCharsets.US_ASCII));
      mac.update((byte) 0);
      mac.update(first.bytes());
      mac.update(second.bytes());
      return new Message.Nonce(mac.doFinal(rest.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** Compares in a time that tells nothing. */
  static boolean same(Message.Nonce expected, Message.Nonce given) {
    return MessageDigest.isEqual(expected.bytes(), given.bytes());
  }

  @Override
  public String toString() {
    return "ClusterSecret";
  }
}
