package io.alrai.dn.backend;

import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Something that reads replies, for tests with a mysqld that sends wrong ones. */
public interface HostileReader {
  /** What a reply that is right looks like. */
  enum Shape {
    /** Rows of one text, or OK, or an error. */
    ROWS,
    /** Rows after OKs of the statements that begin a branch. */
    BEGUN_ROWS,
    /** Rows of SHOW WARNINGS. */
    WARNINGS,
    /** The answer to a PREPARE. */
    PREPARED;

    /** What asks for it. */
    public ReplyKind kind() {
      return this == PREPARED ? ReplyKind.PREPARE : ReplyKind.RESULTS;
    }
  }

  /** How many statements begin a branch in {@link Shape#BEGUN_ROWS}. */
  int BEGINNINGS = 2;

  /** What it reads. */
  Shape shape();

  /** Whether it gives the branch back: nothing may be sent after it. */
  boolean givesBack();

  /** Sends the command, or one of its own, and takes the reply. */
  void send(Branch branch, ByteBuf command, HostileOutcome outcome);

  /** One that sends nothing of its own and keeps the branch. */
  static HostileReader of(Shape shape, Sender sender) {
    return new Made(shape, false, sender);
  }

  /** One that sends its own command and gives the branch back. */
  static HostileReader givingBack(Shape shape, Sender sender) {
    return new Made(shape, true, sender);
  }

  /** One that is said by its parts. */
  record Made(Shape shape, boolean givesBack, Sender sender) implements HostileReader {
    @Override
    public void send(Branch branch, ByteBuf command, HostileOutcome outcome) {
      if (givesBack) {
        command.release();
      }
      sender.send(branch, command, outcome);
    }
  }

  /** How one sends. */
  interface Sender {
    /** Sends the command. */
    void send(Branch branch, ByteBuf command, HostileOutcome outcome);
  }

  /** Those of several packages. */
  static List<HostileReader> all(List<List<HostileReader>> packages) {
    return packages.stream().flatMap(List::stream).toList();
  }
}
