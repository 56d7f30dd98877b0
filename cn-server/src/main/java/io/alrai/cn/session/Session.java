package io.alrai.cn.session;

import io.alrai.cn.settings.ClientIdentity;
import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.settings.Idleness;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.settings.UsedAccount;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.trace.SessionTrace;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.ServerStatus;
import io.alrai.common.wire.StateChange;
import io.alrai.gms.api.Catalog;

/**
 * One client's state, in parts. Owned by the connection's event loop; while a slow statement runs,
 * lent to its virtual thread.
 */
public final class Session {
  private final SessionClient client;
  private final SessionUser user;
  private final SessionTransaction transaction;
  private final SettingsRegistry registry;
  private final TemporaryTables temporary = new TemporaryTables();
  private final Idleness idleness;
  private final TransactionDefaults defaults = new TransactionDefaults();
  private final CnVariables own = new CnVariables();
  private final SessionVariables variables;
  private final StampTracker stamps;
  private final LastResult last = new LastResult(this::counted);
  private final SessionTrace trace = new SessionTrace();
  private String schema = "";
  private volatile Activity activity;

  /** A session that has just logged in. */
  public Session(
      SessionClient client,
      ClientIdentity identity,
      SessionTransaction transaction,
      SettingsRegistry registry) {
    this.client = client;
    this.user = new SessionUser(identity);
    this.transaction = transaction;
    this.registry = registry;
    this.stamps =
        new StampTracker(client.capabilities().has(Capability.SESSION_TRACK), transaction.reads());
    this.variables = new SessionVariables(own, registry.initial(), this::become);
    this.idleness = new Idleness(Idleness.steadyMillis());
    this.activity = Activity.none(client.connectedMillis());
    begin();
  }

  /** With the global values. */
  private void begin() {
    own.begin(registry.globals());
    own.statementMillis(registry.statementMillis());
    variables.begin(registry.initial());
    defaults.begin(registry.globals());
    reads().conflicts(registry.conflicts());
    reads().replicas().settings(registry.replicas());
    idleness.begin(registry.globals(), client.capabilities().has(Capability.INTERACTIVE));
  }

  private void become(SessionSettings before, SessionSettings after) {
    transaction.settingsBecome(before, after);
    stamps.follow(after);
  }

  /** The connection of its client. */
  public SessionClient client() {
    return client;
  }

  /** For whom its statements run. */
  public SessionUser user() {
    return user;
  }

  /** What its last statements left. */
  public LastResult last() {
    return last;
  }

  /** Its traces. */
  public SessionTrace trace() {
    return trace;
  }

  /** Where the client is: its host, with its port if that is known. */
  public String clientAddress() {
    String host = user.login().host();
    return client.clientPort() == 0 ? host : host + ":" + client.clientPort();
  }

  private void counted() {
    if (own.seedsUsed()) {
      variables.renew();
    }
  }

  /** How long its client may be silent. */
  public Idleness idleness() {
    return idleness;
  }

  /** As if freshly logged in; schema and identity stay. */
  public void reset(Catalog catalog) {
    user.reset(catalog);
    variables.clearOfUser();
    temporary.clear();
    defaults.next().clear();
    last.reset();
    trace.clear();
    reads().eventual(false);
    begin();
  }

  /** Its transaction. */
  public SessionTransaction transaction() {
    return transaction;
  }

  /** When and how its transactions begin. */
  public TransactionDefaults defaults() {
    return defaults;
  }

  /** Its temporary tables. */
  public TemporaryTables temporary() {
    return temporary;
  }

  /** What it demands of its reads. Event loop only. */
  public SessionReads reads() {
    return transaction.reads();
  }

  /** What holds for all sessions of this CN: global variables. */
  public SettingsRegistry cnSettings() {
    return registry;
  }

  /** Whether rows must be compared with the transaction's snapshot before they are written. */
  public boolean checksConflicts() {
    return reads().conflicts() && transaction.open() && transaction.snapshot().isPresent();
  }

  /** How many sessions its account may have; 0 for any number. */
  public long maxUserConnections() {
    UsedAccount used = user.login().used();
    return used != null && used.mostSessions() > 0
        ? used.mostSessions()
        : registry.globals().maxUserConnections();
  }

  /** The logical schema; empty for none. */
  public String schema() {
    return schema;
  }

  /** Chooses a schema; the caller has checked it. */
  public void schema(String chosen) {
    schema = chosen;
  }

  /** The variables that mysqlds have to have. */
  public SessionVariables variables() {
    return variables;
  }

  /** The variables that it has here, and not on backends. */
  public CnVariables own() {
    return own;
  }

  /**
   * What the next OK tells the client of the session's state: its stamp, if that has grown and the
   * client asked for it by session_track_system_variables.
   */
  public StateChange stateChange() {
    return stamps.next();
  }

  /** Status flags for the client's next packet, without MORE_RESULTS_EXISTS. */
  public int statusFlags() {
    return (defaults.autocommit() ? ServerStatus.AUTOCOMMIT : 0)
        | (transaction.open() ? ServerStatus.IN_TRANS : 0)
        | (transaction.open() && transaction.options().readOnly()
            ? ServerStatus.IN_TRANS_READONLY
            : 0);
  }

  /** What it does; any thread. */
  public Activity activity() {
    return activity;
  }

  /** Notes what it does. */
  public void activity(Activity now) {
    activity = now;
  }
}
