package io.alrai.dn.rpc.wire;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.secret.ClusterSecret;

/** What callers and agents prove to each other, see {@link Envelope}. Thread-safe. */
public record Proofs(ClusterSecret secret) {
  /** Random bytes that the other side proves itself with. */
  public static Message.Nonce nonce() {
    return new Message.Nonce(ClusterSecret.nonce());
  }

  /** The caller's proof. */
  public Message.Nonce hello(
      Message.Nonce agents,
      Message.Nonce callers,
      Purpose purpose,
      NodeId node,
      KnownGenerations known) {
    String generations = "\0" + known.gms() + "\0" + known.group() + "\0" + known.survivor();
    return proof("hello", agents, callers, (char) purpose.code() + node.name() + generations);
  }

  /** The agent's proof. */
  public Message.Nonce welcome(Message.Nonce callers, Message.Nonce agents, DnId dn) {
    return proof("welcome", callers, agents, dn.name());
  }

  private Message.Nonce proof(
      String label, Message.Nonce first, Message.Nonce second, String rest) {
    return new Message.Nonce(secret.proof(label, first.bytes(), second.bytes(), rest));
  }

  /** Compares in a time that tells nothing. */
  public static boolean same(Message.Nonce expected, Message.Nonce given) {
    return ClusterSecret.same(expected.bytes(), given.bytes());
  }
}
