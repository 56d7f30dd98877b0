package io.alrai.dn.group;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.gate.live.CommitLog.Restamp;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** What an entry of a group's log says. */
public sealed interface GroupEntry {
  /** H: at or above every stamp in it. Its leader may speak up to there. */
  HlcTimestamp reserved();

  /** Transactions in the order of their leader's log. */
  record Transactions(HlcTimestamp reserved, List<Written> transactions) implements GroupEntry {
    public Transactions {
      transactions = List.copyOf(transactions);
    }
  }

  /**
   * A part of a transaction that is too long for one entry. It counts only when its last piece is
   * committed, in the same term, and no leader began between.
   *
   * @param offset of its bytes in the events; one with 0 begins anew
   * @param total bytes of all events
   * @param last with the last piece: what the transaction is
   */
  record Piece(
      HlcTimestamp reserved,
      Gtid gtid,
      long offset,
      long total,
      Optional<Stamped> last,
      ByteBuffer bytes)
      implements GroupEntry {}

  /**
   * Tables of the transaction in pieces that is under way, where they are too many for its last
   * piece.
   */
  record Names(HlcTimestamp reserved, Gtid gtid, List<TableName> tables) implements GroupEntry {
    public Names {
      tables = List.copyOf(tables);
    }
  }

  /** Stamps of transactions that were written before, with another one or none. */
  record Stamps(HlcTimestamp reserved, List<Restamp> stamps) implements GroupEntry {
    public Stamps {
      stamps = List.copyOf(stamps);
      if (stamps.isEmpty()) {
        throw new IllegalArgumentException("no stamps");
      }
    }
  }

  /**
   * A leader that wants to lead no more speaks up to H only, but for later entries: what it had
   * reserved above that it gives back, and a later leader need not begin above that. Members of
   * earlier versions read {@link Stamps} without any, which changes nothing.
   */
  record GivenBack(HlcTimestamp reserved) implements GroupEntry {}

  /**
   * Time goes on.
   *
   * @param settled transactions whose decisions need not be known any more: all participants have
   *     finished, or rows say so
   */
  record Clock(HlcTimestamp reserved, GtidSet settled) implements GroupEntry {}

  /**
   * A leader begins: what of earlier ones is not before this is lost, and pieces before it are void
   * where their last one is missing.
   */
  record Begin(HlcTimestamp reserved, GtidSet settled) implements GroupEntry {}

  /**
   * A transaction without its events.
   *
   * @param stamp ZERO for none, or one that was not known
   */
  record Stamped(BinlogTransaction transaction, HlcTimestamp stamp) {}

  /**
   * A transaction with its events.
   *
   * @param events {@link BinlogTransaction#length} bytes, read-only
   */
  record Written(Stamped stamped, ByteBuffer events) {}
}
