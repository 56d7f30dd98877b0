package io.alrai.dn.link;

import io.netty.buffer.ByteBuf;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the mysqld's end of a branch remembers between statements. Owned by the event loop. */
public final class BranchState {
  private static final int PAYS_AFTER = 3;

  /** Current schema; empty for none. */
  private String schema = "";

  /**
   * Whether the mysqld's current schema is from an earlier era, so that it may have been dropped.
   */
  private boolean schemaOfBefore;

  private int schemaEra;

  /** The other schema under which the last executions of prepared statements ran. */
  private String wanted = "";

  private int wantedTimes;

  /** Read by the gate's thread when a commit of this branch arrives. */
  private volatile long dependency;

  private long sent;
  private long term;
  private long shown = KeptReplies.NOWHERE;

  private boolean changed;
  private boolean throughAgent;

  /** The settings last sent, compared by identity; null for a fresh connection's. */
  private @Nullable Object settings;

  private @Nullable BranchTrace trace;

  /** Schemas that were chosen with success since the era began. */
  private final Set<String> chosen = new HashSet<>();

  private final LinkedHashMap<StatementKey, PreparedOnServer> statements =
      new LinkedHashMap<>(16, 0.75f, true);

  /**
   * A statement is bound to the schema that was current when it was prepared, and keeps the types
   * that its parameters had when it was executed: for values of others it would convert them.
   *
   * @param types {@link io.alrai.common.type.ParameterTypes} of its executions
   */
  public record StatementKey(String schema, String sql, Object settings, String types) {}

  /** A prepared statement at the mysqld. */
  public static final class PreparedOnServer {
    private final int id;
    private byte[] boundTypes = new byte[0];

    /** A statement that has just been prepared under that number. */
    public PreparedOnServer(int id) {
      this.id = id;
    }

    /** Its number at the mysqld. */
    public int id() {
      return id;
    }

    /** The parameter types that the mysqld remembers from the last execution. */
    public byte[] boundTypes() {
      return boundTypes;
    }

    /** Records the types of an execution. */
    public void boundTypes(byte[] types) {
      boundTypes = types;
    }
  }

  /**
   * The largest stamp that the session at work on this branch wrote or read, as 64 bits of HLC; 0
   * for none. What it commits is stamped above. Any thread.
   */
  public long dependency() {
    return dependency;
  }

  /** Records it, before a statement is sent that may commit. */
  public void dependency(long stamp) {
    dependency = stamp;
  }

  /**
   * The sender's clock when it sent something last, as 64 bits of HLC; 0 where that is not kept.
   */
  public long sent() {
    return sent;
  }

  /** Notes it. */
  public void sent(long clock) {
    sent = clock;
  }

  /** In which term its leader led when it was opened; 0 for the only replica of a DN. */
  public long term() {
    return term;
  }

  /** Notes it. */
  public void term(long of) {
    term = of;
  }

  /**
   * The place of the log up to which the view that was opened last shows it, by {@link
   * KeptReplies#find}; {@link KeptReplies#NOWHERE} where there is none, or that is not known.
   */
  public long shown() {
    return shown;
  }

  /** Notes it. */
  public void shown(long place) {
    shown = place;
  }

  /** Whether an agent passes on what is sent, by the envelope. */
  public boolean throughAgent() {
    return throughAgent;
  }

  /** Records that one does. */
  public void goesThroughAgent() {
    throughAgent = true;
  }

  /** Whether a statement has reported changed rows since {@link #unchanged}. */
  public boolean changed() {
    return changed;
  }

  /** A statement has reported changed rows. */
  public void change() {
    changed = true;
  }

  /** A transaction begins. */
  public void unchanged() {
    changed = false;
  }

  /** Forgets the current schema when schemas have been created or dropped since the last call. */
  public void schemasOf(int era) {
    if (schemaEra != era) {
      schemaEra = era;
      schemaOfBefore |= !schema.isEmpty();
      schema = "";
      chosen.clear();
    }
  }

  /**
   * What a statement that needs no schema is prepared under. Executed under another one it makes
   * the mysqld change the schema twice, with a note each time when that schema is gone: where the
   * current schema is not known, no statement of an earlier era fits.
   */
  public String preparesUnder() {
    return schema.isEmpty() ? " " + schemaEra : schema;
  }

  /**
   * Whether the mysqld's current schema may be gone. A function of another schema makes it change
   * to that one and back, and it warns with 1049 where there is nothing to come back to.
   */
  public boolean schemaMayBeGone() {
    return schemaOfBefore;
  }

  /** Current schema; empty for none. */
  public String schema() {
    return schema;
  }

  /** Records the schema that was chosen. */
  public void schema(String name) {
    schema = name;
    schemaOfBefore = false;
    wantedTimes = 0;
  }

  /**
   * Records that a schema is chosen. Returns whether it was chosen before on this branch and no
   * schema has been created or dropped meanwhile, so that choosing it cannot fail.
   */
  public boolean choseBefore(String name) {
    return !chosen.add(name);
  }

  /**
   * Whether to choose a schema for a statement that was prepared under it. It need not be the
   * current one, but then the mysqld changes to it and back in every execution, which takes a
   * twelfth of a read by key. Choosing pays when executions stay with that schema, not when they
   * alternate between partition groups.
   */
  public boolean choosesFor(String preparedUnder) {
    if (schema.isEmpty()) {
      return true;
    }
    if (schema.equals(preparedUnder)) {
      wantedTimes = 0;
      return false;
    }
    wantedTimes = wanted.equals(preparedUnder) ? wantedTimes + 1 : 1;
    wanted = preparedUnder;
    return wantedTimes >= PAYS_AFTER;
  }

  /** The settings last sent; null for a fresh connection's. */
  public @Nullable Object settings() {
    return settings;
  }

  /** Records the settings that were sent. */
  public void settings(@Nullable Object sent) {
    settings = sent;
  }

  /** Prepared statements, the least recently used first. */
  public Map<StatementKey, PreparedOnServer> statements() {
    return statements;
  }

  /** Forgets everything, after RESET_CONNECTION. */
  public void reset() {
    settings = null;
    statements.clear();
  }

  /** Who hears of what is sent from now on, until the branch is given back; null for nobody. */
  public void trace(@Nullable BranchTrace to) {
    trace = to;
  }

  /** The sink for the reply to a command that is being sent. */
  public ReplySink traced(ByteBuf command, ReplySink sink) {
    BranchTrace to = trace;
    return to == null ? sink : to.sent(command, sink);
  }
}
