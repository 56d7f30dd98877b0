package io.alrai.cn.session;

import io.alrai.cn.settings.AnalyticSettings;
import io.alrai.cn.settings.ClientIdentity;
import io.alrai.cn.settings.CnVariables;
import io.alrai.cn.settings.GlobalVariables;
import io.alrai.cn.settings.Idleness;
import io.alrai.cn.settings.SecureTransport;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsCharset;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.settings.VariableLiteral;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.ServerStatus;
import io.alrai.common.wire.StateChange;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * One client's state. Owned by the connection's event loop; while a slow statement runs, lent to
 * its virtual thread.
 */
public final class Session {
  private final SessionClient client;
  private final SessionUser user;
  private final SessionTransaction transaction;
  private final SettingsRegistry registry;
  private final TemporaryTables temporary = new TemporaryTables();
  private final Map<String, String> userVariables = new HashMap<>();
  private Set<String> announced = Set.of();
  private SessionSettings backendSettings;
  private SessionSettings shardSettings;
  private SessionSettings copySettings;
  private final Idleness idleness;
  private String schema = "";
  private byte[] schemaBytes = new byte[0];
  private SessionSettings settings;
  private LexicalMode lexicalMode = LexicalMode.DEFAULT;
  private boolean multiStatements;
  private boolean autocommit = true;
  private final NextTransaction next = new NextTransaction();
  private boolean readOnly;
  private final CnVariables own = new CnVariables();
  private final LastResult last = new LastResult(this::counted);
  private boolean tellsStamp;
  private long toldStamp;
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
    this.settings = registry.initial();
    this.backendSettings = settings;
    this.shardSettings = settings;
    this.copySettings = settings;
    this.multiStatements = client.capabilities().has(Capability.MULTI_STATEMENTS);
    this.idleness = new Idleness(Idleness.steadyMillis());
    this.activity = Activity.none(client.connectedMillis());
    begin();
  }

  /** With the global values. */
  private void begin() {
    settings(registry.initial());
    lexicalMode = SettingsCharset.lexicalMode(settings);
    autocommit = globals().isOn("autocommit", true);
    readOnly = globals().isOn("transaction_read_only", false);
    reads().conflicts(registry.conflicts());
    own.begin(globals());
    idleness.begin(globals(), client.capabilities().has(Capability.INTERACTIVE));
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

  /** Where the client is: its host, with its port if that is known. */
  public String clientAddress() {
    String host = user.login().host();
    return client.clientPort() == 0 ? host : host + ":" + client.clientPort();
  }

  private void counted() {
    if (own.seedsUsed()) {
      settingsChanged();
    }
  }

  /** How long its client may be silent. */
  public Idleness idleness() {
    return idleness;
  }

  /** The global values of variables that sessions have. */
  public GlobalVariables globals() {
    return registry.globals();
  }

  /** Whether one text may hold several statements. */
  public boolean multiStatements() {
    return multiStatements;
  }

  public void multiStatements(boolean on) {
    multiStatements = on;
  }

  /** As if freshly logged in; schema and identity stay. */
  public void reset(Catalog catalog) {
    user.reset(catalog);
    userVariables.clear();
    temporary.clear();
    next.clear();
    last.reset();
    reads().eventual(false);
    begin();
  }

  /** What the CN has and demands of TLS. */
  public SecureTransport transport() {
    return registry.transport();
  }

  /** Its transaction. */
  public SessionTransaction transaction() {
    return transaction;
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

  /** What analytical work of this CN may have: global variables. */
  public AnalyticSettings analytic() {
    return registry.analytic();
  }

  /** Changes it. */
  public void analytic(AnalyticSettings changed) {
    registry.analytic(changed);
  }

  /** Whether rows must be compared with the transaction's snapshot before they are written. */
  public boolean checksConflicts() {
    return reads().conflicts() && transaction.open() && transaction.snapshot().isPresent();
  }

  /** The logical schema; empty for none. */
  public String schema() {
    return schema;
  }

  /** The current schema in UTF-8. */
  public byte[] schemaBytes() {
    return schemaBytes;
  }

  /** Chooses a schema; the caller has checked it. */
  public void schema(String chosen) {
    schema = chosen;
    schemaBytes = chosen.getBytes(StandardCharsets.UTF_8);
  }

  /** Its system variables that differ from a fresh connection's. */
  public SessionSettings settings() {
    return settings;
  }

  /** Replaces them. */
  public void settings(SessionSettings changed) {
    transaction.settingsBecome(settings, changed);
    settings = changed;
    settingsChanged();
  }

  /**
   * What the next OK tells the client of the session's state: its stamp, if that has grown and the
   * client asked for it by session_track_system_variables.
   */
  public StateChange stateChange() {
    if (!tellsStamp) {
      return StateChange.NONE;
    }
    long stamp = reads().stamp();
    if (stamp == toldStamp) {
      return StateChange.NONE;
    }
    toldStamp = stamp;
    return new StateChange(OwnVariables.SESSION_STAMP, Long.toString(stamp));
  }

  private void settingsChanged() {
    tellsStamp =
        client.capabilities().has(Capability.SESSION_TRACK)
            && OwnVariables.tracksStamp(settings.literal("session_track_system_variables"));
    backendSettings =
        settings.withSeeds(own.seeds()).withUserVariables(userVariables).doubting(announced);
    shardSettings = backendSettings.without("sql_select_limit");
    copySettings =
        shardSettings.without("character_set_results").without("sql_require_primary_key");
  }

  /**
   * What backends must have before they run a statement of this session: the system variables and
   * all user variables.
   */
  public SessionSettings backendSettings() {
    return backendSettings;
  }

  /** The settings for statements that the CN made of the client's statement. */
  public SessionSettings shardSettings() {
    return shardSettings;
  }

  /**
   * The settings for rows that the CN writes again: whatever the client wants results in, these
   * come in utf8mb4, which loses no character, and their copies need no key. Statements are still
   * in the client's character set.
   */
  public SessionSettings copySettings() {
    return copySettings;
  }

  /** How its statements' bytes read; follows character_set_client and sql_mode. */
  public LexicalMode lexicalMode() {
    return lexicalMode;
  }

  /** Replaces it. */
  public void lexicalMode(LexicalMode mode) {
    lexicalMode = mode;
  }

  /** User variables as SQL literals, by lower-case name without {@code @}. */
  public Map<String, String> userVariables() {
    return Collections.unmodifiableMap(userVariables);
  }

  /** Until this is called again, statements may assign these, by name, on connections. */
  public void announce(Collection<String> variables) {
    variables.forEach(name -> userVariables.putIfAbsent(name, VariableLiteral.NULL));
    announced = Set.copyOf(variables);
    settingsChanged();
  }

  /** Assigns some, given in the same form. */
  public void assign(Map<String, String> variables) {
    userVariables.putAll(variables);
    settingsChanged();
  }

  /** {@code @@autocommit}. */
  public boolean autocommit() {
    return autocommit;
  }

  /** Sets it; the caller commits what is open. */
  public void autocommit(boolean on) {
    autocommit = on;
  }

  /** What is said of the next transaction alone. */
  public NextTransaction next() {
    return next;
  }

  /** The variables that it has here, and not on backends. */
  public CnVariables own() {
    return own;
  }

  /** {@code @@transaction_read_only}. */
  public boolean readOnly() {
    return readOnly;
  }

  public void readOnly(boolean on) {
    readOnly = on;
  }

  /** Status flags for the client's next packet, without MORE_RESULTS_EXISTS. */
  public int statusFlags() {
    return (autocommit ? ServerStatus.AUTOCOMMIT : 0)
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
