package io.alrai.cn.statement;

import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.session.Session;
import io.alrai.cn.shard.SessionShards;
import io.alrai.common.wire.ServerStatus;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.ParameterSource;
import java.io.InputStream;

/**
 * One statement as a virtual thread runs it.
 *
 * @param session whose
 * @param shards the session's ways to the DNs
 * @param statement its text, cut into shape and slots
 * @param sql its bytes in the session's character set; folded rows are slices of it
 * @param values of its slots
 * @param writer to the client; the run must end with its ok, end or error, unless it throws
 * @param more whether another statement of the same command follows
 * @param functions what evaluates stored functions
 * @param infile where the bytes of LOAD DATA LOCAL come from
 */
@SuppressWarnings("ArrayRecordComponent")
public record StatementRun(
    Session session,
    SessionShards shards,
    ShapedStatement statement,
    byte[] sql,
    SlotValues values,
    ResultWriter writer,
    boolean more,
    FunctionValues functions,
    LocalInfile infile) {
  /** Status flags for the packet that ends this statement's result. */
  public int statusFlags() {
    return session.statusFlags() | (more ? ServerStatus.MORE_RESULTS_EXISTS : 0);
  }

  /** A copy for a statement of Alrai's own, which has no parameters. */
  public StatementRun with(ShapedText text, byte[] bytes) {
    return with(text, bytes, new TextSlotValues(text, ParameterSource.NONE));
  }

  /** A copy for another statement of the client's. */
  public StatementRun with(ShapedStatement other, byte[] bytes, SlotValues slots) {
    return new StatementRun(session, shards, other, bytes, slots, writer, more, functions, infile);
  }

  /** A copy with another place for its result. */
  public StatementRun with(ResultWriter other) {
    return new StatementRun(
        session, shards, statement, sql, values, other, more, functions, infile);
  }

  /** Asks the client for a file of its own. */
  public interface LocalInfile {
    /**
     * Sends the request for a file and gives its bytes as they come; a client may send none.
     *
     * @throws io.alrai.common.error.AlraiException when the client does not allow LOCAL files
     */
    InputStream open(String name);
  }
}
