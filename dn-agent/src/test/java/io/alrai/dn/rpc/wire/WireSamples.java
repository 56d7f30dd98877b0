package io.alrai.dn.rpc.wire;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.DonorLogin;
import io.alrai.dn.link.GroupOutlook;
import io.alrai.dn.link.MemberStatus;
import io.alrai.dn.link.PushAnswer;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.Mark;
import io.alrai.dn.ship.ResolvedPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is said over the envelope. */
final class WireSamples {
  private static final Message.Nonce NONCE = nonce(1);
  private static final Message.Nonce PROOF = nonce(100);

  private static final MemberStatus STATUS =
      new MemberStatus(
          "dn-1-a",
          "LEADING",
          true,
          7,
          1_000,
          0,
          40,
          "größer",
          "host:2",
          List.of(new MemberStatus.Voter("logger-1", false, 12)),
          new MemberStatus.Cloning(true, 3, "dn-1-b", 1L << 40, 1L << 41));

  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 77, new DnId("dn-1"));
  private static final HlcTimestamp TS = HlcTimestamp.ofMillis(1_700_000_000_123L);
  private static final GtidSet SET = GtidSet.parse("00000000-0000-0000-0000-00000000000a:1-5:7");
  private static final Mark MARK =
      new Mark(
          SET,
          1L << 40,
          new LogPlace(new LeadNumber(3, 17), new BinlogPosition("binlog.000001", 77)));

  private static final Message HELLO =
      new Message.Hello(
          1,
          Purpose.DATA_FOUND_ROWS,
          NONCE,
          PROOF,
          new NodeId("cn-17"),
          new KnownGenerations(1_337, 2, "dn-1-b"));
  private static final GroupOutlook OUTLOOK =
      new GroupOutlook(
          1,
          7,
          81_234,
          1_700_000_000_000L,
          List.of(
              new GroupOutlook.Other("dn-1-a", false, 0, -1),
              new GroupOutlook.Other("logger-1", true, 7, 81_235)));

  /** At least one of each kind, that says the same always. */
  static List<Message> messages() {
    List<Message> all = new ArrayList<>(ofCommits());
    all.addAll(ofLogsAndMembers());
    return List.copyOf(all);
  }

  private static List<Message> ofCommits() {
    return List.of(
        new Message.Challenge(1, NONCE),
        HELLO,
        new Message.LookAround(),
        new Message.OutlookIs(OUTLOOK),
        new Message.Welcome(NONCE, 4_000_000_000L, 5_000_000_000L, new DnId("dn-1")),
        new Message.NotLeader(NONCE, new DnId("dn-1"), LeaderHint.NOBODY),
        new Message.NotLeader(NONCE, new DnId("dn-1"), new LeaderHint(7, "dn-1-b")),
        new Message.Prepare(ID),
        new Message.PreCommit(ID),
        new Message.Decide(ID, TS, List.of(new DnId("dn-2"), new DnId("dn-3"))),
        new Message.Decide(ID, TS, List.of()),
        new Message.CommitPrepared(ID, TS),
        new Message.RollbackPrepared(ID),
        new Message.AskOutcome(ID),
        new Message.Holds(ID),
        new Message.Forget(ID),
        new Message.Push(ID, TS, HlcTimestamp.ofMillis(1_700_000_000_200L)),
        new Message.OpenView(TS, "START TRANSACTION; SELECT 'ö'", "ROLLBACK", true),
        new Message.OpenView(TS, "x".repeat(1_000), "", false),
        new Message.PulseIs(true),
        new Message.PulseIs(false),
        new Message.Stamp(TS),
        new Message.Done(),
        new Message.OutcomeIs(new Outcome.InDoubt()),
        new Message.OutcomeIs(new Outcome.Committed(TS)),
        new Message.OutcomeIs(new Outcome.RolledBack()),
        new Message.Held(true),
        new Message.Held(false),
        new Message.Pushed(new PushAnswer.Above()),
        new Message.Pushed(new PushAnswer.Committed(TS)),
        new Message.Opened(77),
        new Message.Suspend(true),
        new Message.SnapshotRefused(TS));
  }

  private static List<Message> ofLogsAndMembers() {
    return List.of(
        new Message.Resolve(TS),
        new Message.AskPlace(TS),
        new Message.PlaceIs(SET),
        new Message.AskMark(),
        new Message.MarkIs(MARK),
        new Message.ResolvedTo(
            new ResolvedPlace(
                TS,
                new LogPlace(
                    new LeadNumber(9, 1L << 34), new BinlogPosition("binlog.000042", 1L << 33)))),
        new Message.FollowLog(Optional.empty()),
        new Message.FollowLog(Optional.of(SET)),
        new Message.AskBranches(),
        new Message.Ping(),
        new Message.AskMember(),
        new Message.ChangeLeader("dn-1-b"),
        new Message.AskFate(7, 1L << 40, new HlcTimestamp(1L << 60)),
        new Message.FateIs(CommitFate.LOST),
        new Message.AddMember("logger-2", "host:1", false),
        new Message.DropMember("logger-1"),
        new Message.EndRebuild(),
        new Message.MemberIs(STATUS),
        new Message.BranchesAre(List.of()),
        new Message.BranchesAre(List.of(ID, ID)),
        new Message.SubmitCommit(ID, TS),
        new Message.OfferRows(),
        new Message.RowsOffered(new DonorLogin("alrai_donor", "a password")),
        new Message.Rebuild());
  }

  /** An error, which is no value. */
  static Message.Failure error() {
    return new Message.Failure(
        new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "dn-1 is größer"));
  }

  private static Message.Nonce nonce(int first) {
    byte[] bytes = new byte[Message.SECRET_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (first + i);
    }
    return new Message.Nonce(bytes);
  }

  private WireSamples() {}
}
