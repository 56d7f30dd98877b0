package io.alrai.dn.mysqld;

/** The statements that a server runs at each start, before it accepts connections. Pure. */
final class AccountStatements {
  /** What changes schemas, or keeps others from them. */
  private static final String SHAPES =
      "CREATE, DROP, ALTER, INDEX, REFERENCES, LOCK TABLES, EXECUTE, CREATE VIEW, TRIGGER";

  /** Also what changes rows. */
  private static final String CHANGES = "INSERT, UPDATE, DELETE, " + SHAPES;

  /** What definitions ask for besides. */
  private static final String ROUTINES = "CREATE ROUTINE, ALTER ROUTINE, EVENT";

  private static final String AGENT = local(MysqldInstance.AGENT_ACCOUNT);
  private static final String DDL = local(MysqldInstance.DDL_ACCOUNT);
  private static final String ADMIN = local(MysqldInstance.ADMIN_ACCOUNT);
  private static final String DATA = local(MysqldInstance.DATA_ACCOUNT);
  private static final String KILL = local(MysqldInstance.KILL_ACCOUNT);
  private static final String META = local(MysqldInstance.META_ACCOUNT);
  private static final String CLONE = local(MysqldInstance.CLONE_ACCOUNT);

  /** Definitions over TCP. */
  private static final String REMOTE = "'" + MysqldInstance.DDL_ACCOUNT + "'@'%'";

  private final StringBuilder sql = new StringBuilder("SET sql_log_bin = 0;\n");
  private final String password;

  private AccountStatements(String password) {
    this.password = password;
  }

  /**
   * Sets the accounts to what they shall be, whatever they are, and makes those that a data
   * directory of an earlier version lacks; nothing of it is in the binary log.
   *
   * @param password needs no quoting
   * @param clonePassword of the account that others clone from, nor does that
   * @param tcp whether one may come in over TCP
   * @param member whether the server is one of a DN, or the only one
   */
  static String render(String password, String clonePassword, boolean tcp, boolean member) {
    AccountStatements all = new AccountStatements(password);
    all.agent(member);
    all.data();
    all.meta();
    all.ddl(DDL);
    all.admin();
    all.kill();
    if (member) {
      all.clone(clonePassword);
    }
    if (tcp) {
      all.ddl(REMOTE);
    } else {
      all.add("ALTER USER " + REMOTE + " ACCOUNT LOCK");
    }
    return all.sql.toString();
  }

  /**
   * Reads the log, ends what is prepared, keeps alrai.tx_log, ends the mysqld. What it needs it has
   * globally: a mysqld looks up all else under a lock that statements about accounts hold while
   * they wait for this account's acknowledgement; without SELECT even for REGISTER_REPLICA, without
   * SUPER for KILL, PURGE BINARY LOGS and SET GLOBAL. An account without SYSTEM_USER can neither
   * change this one nor end what it runs. Of a DN it flushes the engines' logs, makes a replica a
   * source, and clones from another member: one of a single replica may get a group while it runs.
   */
  private void agent(boolean member) {
    without(AGENT);
    grant("SELECT, INSERT, DELETE, PROCESS, SUPER, REPLICATION SLAVE ON *.*", AGENT);
    grant("SYSTEM_USER, XA_RECOVER_ADMIN ON *.*", AGENT);
    if (member) {
      grant("RELOAD, BACKUP_ADMIN ON *.*", AGENT);
    }
    revoke("INSERT, DELETE", "mysql", AGENT);
  }

  /**
   * Runs clients' statements: what has gone wrong with a text of theirs must not own the server,
   * its accounts, its files or its log. Branches write in alrai.tx_log, for which see {@link
   * #agent}; temporary tables may be anywhere.
   */
  private void data() {
    without(DATA);
    grant(
        "SELECT, SHOW VIEW, CREATE TEMPORARY TABLES, "
            + CHANGES
            + ", PROCESS, REPLICATION CLIENT, SHOW DATABASES ON *.*",
        DATA);
    // sessions' variables; to see what is prepared
    grant("SESSION_VARIABLES_ADMIN, XA_RECOVER_ADMIN, FLUSH_TABLES, SHOW_ROUTINE ON *.*", DATA);
    revoke(CHANGES, "mysql", DATA); // which clients may look at, as far as the CN lets them
    revoke(SHAPES, "alrai", DATA);
  }

  /** What it has of schemas stays: it is of those that are there. */
  private void meta() {
    unlock(META, password);
    // so that SHOW DATABASES has the schema mysql, as on every server
    grant("SELECT ON mysql.time_zone_name", META);
    // for what the CN lets a client see of a mysqld: it asks for the client's own privileges
    grant("PROCESS, REPLICATION CLIENT, REPLICATION SLAVE ON *.*", META);
    // so that SHOW works whatever variables the client's session has: the CN decides who may set
    // them
    grant("SESSION_VARIABLES_ADMIN ON *.*", META);
    grant("SELECT ON performance_schema.*", META);
    grant("SELECT ON sys.*", META);
    grant("EXECUTE ON sys.*", META);
    // so that SHOW CREATE PROCEDURE has texts: those of shadow schemas, as others have none
    grant("SHOW_ROUTINE ON *.*", META);
  }

  /**
   * Runs definitions and what they copy, with what they grant: shadow schemas to {@link #META}, and
   * that one to the accounts of definers. Without SYSTEM_USER, as a definition, too, ends by KILL,
   * and who has that is killed by those who have it only. Tables of earlier versions have triggers
   * in its name.
   */
  private void ddl(String account) {
    without(account);
    add(
        "GRANT SELECT, SHOW VIEW, CREATE TEMPORARY TABLES, "
            + CHANGES
            + ", "
            + ROUTINES
            + ", CREATE USER, PROCESS, SHOW DATABASES ON *.* TO "
            + account
            + " WITH GRANT OPTION");
    grant(
        "SESSION_VARIABLES_ADMIN, SET_ANY_DEFINER, ALLOW_NONEXISTENT_DEFINER, SHOW_ROUTINE ON *.*",
        account);
    revoke(CHANGES + ", " + ROUTINES, "mysql", account);
    revoke("SELECT, SHOW VIEW, " + CHANGES + ", " + ROUTINES, "alrai", account);
    add("GRANT " + META + " TO " + account + " WITH ADMIN OPTION");
  }

  /**
   * Sets global variables, makes triggers, functions and procedures, and changes no rows. A mysqld
   * with a binary log would ask SUPER for triggers and functions if it were not started with
   * log_bin_trust_function_creators.
   */
  private void admin() {
    without(ADMIN);
    grant("SELECT, EXECUTE, TRIGGER, CREATE ROUTINE, ALTER ROUTINE, PROCESS, SUPER ON *.*", ADMIN);
    grant(
        "SYSTEM_VARIABLES_ADMIN, SESSION_VARIABLES_ADMIN, SET_ANY_DEFINER,"
            + " ALLOW_NONEXISTENT_DEFINER, SHOW_ROUTINE ON *.*",
        ADMIN);
    revoke("EXECUTE, TRIGGER, CREATE ROUTINE, ALTER ROUTINE", "mysql", ADMIN);
    revoke("SELECT, EXECUTE, TRIGGER, CREATE ROUTINE, ALTER ROUTINE", "alrai", ADMIN);
  }

  /** SUPER it is and not CONNECTION_ADMIN: see the account's javadoc in BackendAccount. */
  private void kill() {
    without(KILL);
    grant("SUPER ON *.*", KILL);
  }

  /** Reads all files of the server, and no table: what another member's mysqld logs in with. */
  private void clone(String clonePassword) {
    without(CLONE, clonePassword);
    grant("BACKUP_ADMIN ON *.*", CLONE);
  }

  /** An account that may do nothing yet. */
  private void without(String account) {
    without(account, password);
  }

  private void without(String account, String by) {
    add("CREATE USER IF NOT EXISTS " + account + " ACCOUNT LOCK");
    unlock(account, by);
    add("REVOKE IF EXISTS ALL, GRANT OPTION FROM " + account);
  }

  private void unlock(String account, String by) {
    add(
        "ALTER USER "
            + account
            + " IDENTIFIED BY '"
            + by
            + "' PASSWORD EXPIRE NEVER ACCOUNT UNLOCK");
  }

  private void grant(String privileges, String account) {
    add("GRANT " + privileges + " TO " + account);
  }

  private void revoke(String privileges, String schema, String account) {
    add("REVOKE " + privileges + " ON " + schema + ".* FROM " + account);
  }

  private void add(String statement) {
    sql.append(statement).append(";\n");
  }

  private static String local(String user) {
    return "'" + user + "'@'localhost'";
  }
}
