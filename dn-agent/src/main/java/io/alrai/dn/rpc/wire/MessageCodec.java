package io.alrai.dn.rpc.wire;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.PushAnswer;
import io.alrai.dn.ship.Mark;
import io.alrai.dn.ship.ResolvedPlace;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Messages to frames and back; see {@link Envelope} for the bytes. */
public final class MessageCodec {
  private static final int SQL_STATE = 5;
  private static final int MOST_MESSAGE_BYTES = 8_192;

  private static final List<CommitFate> FATES = List.of(CommitFate.values());

  private MessageCodec() {}

  /** Writes a whole frame. */
  public static void write(ByteBuf out, Message message, int call, long clock, long stamp) {
    int start = out.writerIndex();
    Envelope.header(out, kind(message), call, clock, stamp, 0);
    payload(out, message);
    out.setInt(start, out.writerIndex() - start - Envelope.HEADER);
  }

  /** Whether a connection of this version of the envelope has such messages. */
  public static boolean isOf(int version, Message message) {
    return kind(message).isOf(version);
  }

  private static FrameKind kind(Message message) {
    return switch (message) {
      case Message.Challenge m -> FrameKind.CHALLENGE;
      case Message.Hello m -> FrameKind.HELLO;
      case Message.Welcome m -> FrameKind.WELCOME;
      case Message.NotLeader m -> FrameKind.NOT_LEADER;
      case Message.Prepare m -> FrameKind.PREPARE;
      case Message.PreCommit m -> FrameKind.PRE_COMMIT;
      case Message.Decide m -> FrameKind.DECIDE;
      case Message.SubmitCommit m -> FrameKind.SUBMIT_COMMIT;
      case Message.CommitPrepared m -> FrameKind.COMMIT_PREPARED;
      case Message.RollbackPrepared m -> FrameKind.ROLLBACK_PREPARED;
      case Message.AskOutcome m -> FrameKind.OUTCOME;
      case Message.Holds m -> FrameKind.HOLDS;
      case Message.Forget m -> FrameKind.FORGET;
      case Message.Push m -> FrameKind.PUSH;
      case Message.OpenView m -> FrameKind.OPEN_VIEW;
      case Message.Suspend m -> FrameKind.SUSPEND;
      case Message.Resolve m -> FrameKind.RESOLVE;
      case Message.AskPlace m -> FrameKind.PLACE;
      case Message.PlaceIs m -> FrameKind.PLACE_IS;
      case Message.AskMark m -> FrameKind.MARK;
      case Message.MarkIs m -> FrameKind.MARK_IS;
      case Message.FollowLog m -> FrameKind.FOLLOW_LOG;
      case Message.AskBranches m -> FrameKind.BRANCHES;
      case Message.Ping m -> FrameKind.PING;
      case Message.AskMember m -> FrameKind.ASK_MEMBER;
      case Message.ChangeLeader m -> FrameKind.CHANGE_LEADER;
      case Message.AskFate m -> FrameKind.ASK_FATE;
      case Message.FateIs m -> FrameKind.FATE_IS;
      case Message.AddMember m -> FrameKind.ADD_MEMBER;
      case Message.DropMember m -> FrameKind.DROP_MEMBER;
      case Message.OfferRows m -> FrameKind.OFFER_ROWS;
      case Message.Rebuild m -> FrameKind.REBUILD;
      case Message.EndRebuild m -> FrameKind.END_REBUILD;
      case Message.LookAround m -> FrameKind.LOOK_AROUND;
      case Message.OutlookIs m -> FrameKind.OUTLOOK_IS;
      case Message.MemberIs m -> FrameKind.MEMBER_IS;
      case Message.RowsOffered m -> FrameKind.ROWS_OFFERED;
      case Message.Stamp m -> FrameKind.STAMP;
      case Message.PulseIs m -> FrameKind.PULSE_IS;
      case Message.Done m -> FrameKind.DONE;
      case Message.OutcomeIs m -> FrameKind.OUTCOME_IS;
      case Message.Held m -> FrameKind.HELD;
      case Message.Pushed m -> FrameKind.PUSHED;
      case Message.Opened m -> FrameKind.OPENED;
      case Message.SnapshotRefused m -> FrameKind.SNAPSHOT_REFUSED;
      case Message.ResolvedTo m -> FrameKind.RESOLVED;
      case Message.BranchesAre m -> FrameKind.BRANCHES_ARE;
      case Message.Failure m -> FrameKind.ERROR;
    };
  }

  private static void payload(ByteBuf out, Message message) {
    switch (message) {
      case Message.Challenge m -> out.writeShort(m.oldest()).writeBytes(m.nonce().bytes());
      case Message.Hello m -> hello(out, m);
      case Message.Welcome m -> {
        out.writeBytes(m.proof().bytes()).writeLong(m.connectionId()).writeLong(m.term());
        text(out, m.dn().name());
      }
      case Message.NotLeader m -> notLeader(out, m);
      case Message.Prepare m -> text(out, m.id().gtrid());
      case Message.PreCommit m -> text(out, m.id().gtrid());
      case Message.Decide m -> {
        text(out, m.id().gtrid());
        out.writeLong(m.proposed().value()).writeShort(m.participants().size());
        m.participants().forEach(dn -> text(out, dn.name()));
      }
      case Message.SubmitCommit m -> commit(out, m.id(), m.commitTs());
      case Message.CommitPrepared m -> commit(out, m.id(), m.commitTs());
      case Message.RollbackPrepared m -> text(out, m.id().gtrid());
      case Message.AskOutcome m -> text(out, m.id().gtrid());
      case Message.Holds m -> text(out, m.id().gtrid());
      case Message.Forget m -> text(out, m.id().gtrid());
      case Message.Push m -> push(out, m);
      case Message.OpenView m -> {
        out.writeLong(m.at().value());
        longText(out, m.opening());
        longText(out, m.undo());
        out.writeByte(m.again() ? 1 : 0);
      }
      case Message.Suspend m -> out.writeByte(m.on() ? 1 : 0);
      case Message.Resolve m -> out.writeLong(m.wanted().value());
      case Message.AskPlace m -> out.writeLong(m.at().value());
      case Message.PlaceIs m -> m.transactions().encode(out);
      case Message.FollowLog m -> known(out, m.known());
      case Message.AskBranches _, Message.AskMark _, Message.Ping _ -> {}
      case Message.MarkIs m -> mark(out, m.mark());
      case Message.MemberCall m -> MemberCodec.write(out, m);
      case Message.AskFate m ->
          out.writeLong(m.term()).writeLong(m.connection()).writeLong(m.sent().value());
      case Message.FateIs m -> out.writeByte(m.fate().ordinal());
      case Message.MemberIs m -> MemberCodec.write(out, m.status());
      case Message.RowsOffered m -> MemberCodec.write(out, m.login());
      case Message.OutlookIs m -> MemberCodec.write(out, m.outlook());
      case Message.Stamp m -> out.writeLong(m.timestamp().value());
      case Message.OutcomeIs m -> outcome(out, m.outcome());
      case Message.Held m -> out.writeByte(m.held() ? 1 : 0);
      case Message.Pushed m -> pushed(out, m.answer());
      case Message.SnapshotRefused m -> out.writeLong(m.hint().value());
      case Message.ResolvedTo m -> resolved(out, m.resolved());
      case Message.BranchesAre m -> {
        out.writeShort(m.branches().size());
        m.branches().forEach(id -> text(out, id.gtrid()));
      }
      case Message.Failure m -> failure(out, m.reason());
      case Message.Opened m -> out.writeLong(m.shown());
      case Message.PulseIs m -> out.writeBoolean(m.mysqldAnswers());
      case Message.Done _ -> {}
    }
  }

  private static void hello(ByteBuf out, Message.Hello message) {
    out.writeShort(message.version()).writeByte(message.purpose().code());
    out.writeBytes(message.nonce().bytes()).writeBytes(message.proof().bytes());
    text(out, message.node().name());
    KnownGenerations known = message.generations();
    out.writeLong(known.gms()).writeLong(known.group());
    text(out, known.survivor());
  }

  private static Message.Hello hello(ByteBuf in) {
    return new Message.Hello(
        in.readUnsignedShort(),
        Purpose.of(in.readUnsignedByte()),
        nonce(in),
        nonce(in),
        new NodeId(text(in)),
        new KnownGenerations(in.readLong(), in.readLong(), text(in)));
  }

  private static void resolved(ByteBuf out, ResolvedPlace resolved) {
    out.writeLong(resolved.at().value());
    LogRecords.place(out, resolved.through());
  }

  private static void mark(ByteBuf out, Mark mark) {
    mark.visible().encode(out);
    out.writeLong(mark.index());
    LogRecords.place(out, mark.place());
  }

  private static ResolvedPlace resolved(ByteBuf in) {
    return new ResolvedPlace(timestamp(in), LogRecords.place(in));
  }

  private static void known(ByteBuf out, Optional<GtidSet> known) {
    out.writeBoolean(known.isPresent());
    known.ifPresent(set -> set.encode(out));
  }

  private static void notLeader(ByteBuf out, Message.NotLeader message) {
    out.writeBytes(message.proof().bytes());
    text(out, message.dn().name());
    out.writeLong(message.hint().term());
    text(out, message.hint().name());
  }

  private static void push(ByteBuf out, Message.Push message) {
    text(out, message.id().gtrid());
    out.writeLong(message.prepareTs().value()).writeLong(message.above().value());
  }

  private static void commit(ByteBuf out, TransactionId id, HlcTimestamp commitTs) {
    text(out, id.gtrid());
    out.writeLong(commitTs.value());
  }

  private static void outcome(ByteBuf out, Outcome outcome) {
    switch (outcome) {
      case Outcome.InDoubt _, Outcome.Clients _ -> out.writeByte(0).writeLong(0);
      case Outcome.Committed o -> out.writeByte(1).writeLong(o.commitTs().value());
      case Outcome.RolledBack o -> out.writeByte(2).writeLong(0);
    }
  }

  private static void pushed(ByteBuf out, PushAnswer answer) {
    switch (answer) {
      case PushAnswer.Above a -> out.writeByte(0).writeLong(0);
      case PushAnswer.Committed c -> out.writeByte(1).writeLong(c.commitTs().value());
    }
  }

  private static void failure(ByteBuf out, AlraiException reason) {
    byte[] state = reason.sqlState().getBytes(StandardCharsets.US_ASCII);
    out.writeShort(reason.errno()).writeBytes(Arrays.copyOf(state, SQL_STATE));
    byte[] text = reason.sentence().getBytes(StandardCharsets.UTF_8);
    out.writeBytes(text, 0, Math.min(text.length, MOST_MESSAGE_BYTES));
  }

  static void text(ByteBuf out, String ascii) {
    byte[] bytes = ascii.getBytes(StandardCharsets.US_ASCII);
    out.writeByte(bytes.length).writeBytes(bytes);
  }

  static void longText(ByteBuf out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length).writeBytes(bytes);
  }

  /**
   * Reads a payload to its end.
   *
   * @throws AlraiException ER_MALFORMED_PACKET when it is not what its kind has
   */
  static Message read(FrameKind kind, ByteBuf in) {
    Message message;
    try {
      message = payload(kind, in);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw Envelope.malformed(kind + ": " + e.getMessage());
    }
    if (in.isReadable()) {
      throw Envelope.malformed(kind + " with " + in.readableBytes() + " bytes too many");
    }
    return message;
  }

  private static Message payload(FrameKind kind, ByteBuf in) {
    return switch (kind) {
      case CHALLENGE -> new Message.Challenge(in.readUnsignedShort(), nonce(in));
      case HELLO -> hello(in);
      case WELCOME ->
          new Message.Welcome(nonce(in), in.readLong(), in.readLong(), new DnId(text(in)));
      case NOT_LEADER ->
          new Message.NotLeader(
              nonce(in), new DnId(text(in)), new LeaderHint(in.readLong(), text(in)));
      case PREPARE -> new Message.Prepare(id(in));
      case PRE_COMMIT -> new Message.PreCommit(id(in));
      case DECIDE -> new Message.Decide(id(in), timestamp(in), dns(in));
      case SUBMIT_COMMIT -> new Message.SubmitCommit(id(in), timestamp(in));
      case COMMIT_PREPARED -> new Message.CommitPrepared(id(in), timestamp(in));
      case ROLLBACK_PREPARED -> new Message.RollbackPrepared(id(in));
      case OUTCOME -> new Message.AskOutcome(id(in));
      case HOLDS -> new Message.Holds(id(in));
      case FORGET -> new Message.Forget(id(in));
      case PUSH -> new Message.Push(id(in), timestamp(in), timestamp(in));
      case OPEN_VIEW ->
          new Message.OpenView(timestamp(in), longText(in), longText(in), in.readBoolean());
      case SUSPEND -> new Message.Suspend(in.readBoolean());
      case RESOLVE -> new Message.Resolve(timestamp(in));
      case PLACE -> new Message.AskPlace(timestamp(in));
      case PLACE_IS -> new Message.PlaceIs(LogRecords.set(in));
      case MARK -> new Message.AskMark();
      case MARK_IS ->
          new Message.MarkIs(new Mark(LogRecords.set(in), in.readLong(), LogRecords.place(in)));
      case FOLLOW_LOG ->
          new Message.FollowLog(
              in.readBoolean() ? Optional.of(LogRecords.set(in)) : Optional.empty());
      case BRANCHES -> new Message.AskBranches();
      case PING -> new Message.Ping();
      case ASK_MEMBER -> new Message.AskMember();
      case CHANGE_LEADER -> new Message.ChangeLeader(text(in));
      case ASK_FATE -> new Message.AskFate(in.readLong(), in.readLong(), timestamp(in));
      case FATE_IS -> new Message.FateIs(fate(in));
      case ADD_MEMBER -> new Message.AddMember(text(in), text(in), in.readBoolean());
      case DROP_MEMBER -> new Message.DropMember(text(in));
      case OFFER_ROWS -> new Message.OfferRows();
      case REBUILD -> new Message.Rebuild();
      case END_REBUILD -> new Message.EndRebuild();
      case LOOK_AROUND -> new Message.LookAround();
      case OUTLOOK_IS -> new Message.OutlookIs(MemberCodec.outlook(in));
      case MEMBER_IS -> new Message.MemberIs(MemberCodec.read(in));
      case ROWS_OFFERED -> new Message.RowsOffered(MemberCodec.login(in));
      case STAMP -> new Message.Stamp(timestamp(in));
      case PULSE_IS -> new Message.PulseIs(in.readBoolean());
      case DONE -> new Message.Done();
      case OUTCOME_IS -> new Message.OutcomeIs(outcome(in));
      case HELD -> new Message.Held(in.readBoolean());
      case PUSHED -> new Message.Pushed(pushed(in));
      case OPENED -> new Message.Opened(in.readLong());
      case SNAPSHOT_REFUSED -> new Message.SnapshotRefused(timestamp(in));
      case RESOLVED -> new Message.ResolvedTo(resolved(in));
      case BRANCHES_ARE -> new Message.BranchesAre(branches(in));
      case ERROR -> new Message.Failure(failure(in));
      case DATA -> throw Envelope.malformed("DATA is no message");
    };
  }

  private static TransactionId id(ByteBuf in) {
    return TransactionId.parse(text(in));
  }

  private static HlcTimestamp timestamp(ByteBuf in) {
    return new HlcTimestamp(in.readLong());
  }

  private static List<TransactionId> branches(ByteBuf in) {
    int count = in.readUnsignedShort();
    List<TransactionId> branches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      branches.add(id(in));
    }
    return branches;
  }

  private static List<DnId> dns(ByteBuf in) {
    int count = in.readUnsignedShort();
    List<DnId> dns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      dns.add(new DnId(text(in)));
    }
    return dns;
  }

  private static Outcome outcome(ByteBuf in) {
    int what = in.readUnsignedByte();
    HlcTimestamp commitTs = timestamp(in);
    return switch (what) {
      case 0 -> new Outcome.InDoubt();
      case 1 -> new Outcome.Committed(commitTs);
      case 2 -> new Outcome.RolledBack();
      default -> throw Envelope.malformed("outcome " + what);
    };
  }

  private static CommitFate fate(ByteBuf in) {
    int what = in.readUnsignedByte();
    if (what >= FATES.size()) {
      throw Envelope.malformed("fate " + what);
    }
    return FATES.get(what);
  }

  private static PushAnswer pushed(ByteBuf in) {
    int what = in.readUnsignedByte();
    HlcTimestamp commitTs = timestamp(in);
    return switch (what) {
      case 0 -> new PushAnswer.Above();
      case 1 -> new PushAnswer.Committed(commitTs);
      default -> throw Envelope.malformed("answer " + what + " to a push");
    };
  }

  private static AlraiException failure(ByteBuf in) {
    int errno = in.readUnsignedShort();
    String state = in.readCharSequence(SQL_STATE, StandardCharsets.US_ASCII).toString();
    String text = in.readCharSequence(in.readableBytes(), StandardCharsets.UTF_8).toString();
    for (ErrorCode code : ErrorCode.values()) {
      if (code.errno() == errno) {
        return new AlraiException(code, text);
      }
    }
    return AlraiException.fromServer(errno, state, text);
  }

  private static Message.Nonce nonce(ByteBuf in) {
    byte[] bytes = new byte[Message.SECRET_BYTES];
    in.readBytes(bytes);
    return new Message.Nonce(bytes);
  }

  static String text(ByteBuf in) {
    return in.readCharSequence(in.readUnsignedByte(), StandardCharsets.US_ASCII).toString();
  }

  static String longText(ByteBuf in) {
    return in.readCharSequence(in.readInt(), StandardCharsets.UTF_8).toString();
  }
}
