package io.alrai.dn.mysqld;

/** The statements that a server runs at each start, before it accepts connections. Pure. */
final class AccountStatements {
  /** What changes schemas and what is in them, or keeps others from it. */
  private static final String CHANGES =
      "INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, REFERENCES, LOCK TABLES, EXECUTE,"
          + " CREATE VIEW, TRIGGER";

  private static final String DATA = "'alrai_data'@'localhost'";

  private static final String KILL = "'alrai_kill'@'localhost'";

  private AccountStatements() {}

  /**
   * Sets the accounts to what they shall be, whatever they are; nothing of it is in the binary log.
   *
   * @param password needs no quoting
   * @param tcp whether the agent's account may also come in over TCP
   */
  static String render(String password, boolean tcp) {
    StringBuilder sql = new StringBuilder("SET sql_log_bin = 0;\n");
    unlock(sql, "'alrai'@'localhost'", password);
    sql.append("GRANT ALL ON *.* TO 'alrai'@'localhost' WITH GRANT OPTION;\n");
    // definitions, too, end by KILL, and who has this privilege is killed by those who have it only
    sql.append("REVOKE SYSTEM_USER ON *.* FROM 'alrai'@'localhost';\n");
    data(sql, password);
    kill(sql, password);
    unlock(sql, "'alrai_meta'@'localhost'", password);
    // so that SHOW DATABASES has the schema mysql, as on every server
    sql.append("GRANT SELECT ON mysql.time_zone_name TO 'alrai_meta'@'localhost';\n");
    // for what the CN lets a client see of a mysqld: it asks for the client's own privileges
    sql.append("GRANT PROCESS, REPLICATION CLIENT, REPLICATION SLAVE ON *.* TO ")
        .append("'alrai_meta'@'localhost';\n");
    // so that SHOW works whatever variables the client's session has: who may set them, the CN says
    sql.append("GRANT SESSION_VARIABLES_ADMIN ON *.* TO 'alrai_meta'@'localhost';\n");
    sql.append("GRANT SELECT ON performance_schema.* TO 'alrai_meta'@'localhost';\n");
    sql.append("GRANT SELECT ON sys.* TO 'alrai_meta'@'localhost';\n");
    sql.append("GRANT EXECUTE ON sys.* TO 'alrai_meta'@'localhost';\n");
    // so that SHOW CREATE PROCEDURE has texts: those of shadow schemas, as others have none
    sql.append("GRANT SHOW_ROUTINE ON *.* TO 'alrai_meta'@'localhost';\n");
    if (tcp) {
      unlock(sql, "'alrai'@'%'", password);
      sql.append("GRANT ALL ON *.* TO 'alrai'@'%' WITH GRANT OPTION;\n");
    } else {
      sql.append("ALTER USER 'alrai'@'%' ACCOUNT LOCK;\n");
    }
    return sql.toString();
  }

  /**
   * Runs clients' statements: what has gone wrong with a text of theirs must not own the server,
   * its accounts, its files or its log. Of Alrai's own tables it has the one that branches write
   * in; temporary ones may be anywhere. Data directories of earlier versions have no such account
   * yet.
   */
  private static void data(StringBuilder sql, String password) {
    sql.append("CREATE USER IF NOT EXISTS ").append(DATA).append(" ACCOUNT LOCK;\n");
    unlock(sql, DATA, password);
    sql.append("REVOKE IF EXISTS ALL, GRANT OPTION FROM ").append(DATA).append(";\n");
    sql.append("GRANT SELECT, SHOW VIEW, CREATE TEMPORARY TABLES, ")
        .append(CHANGES)
        .append(", PROCESS, REPLICATION CLIENT, SHOW DATABASES ON *.* TO ")
        .append(DATA)
        .append(";\n");
    // sessions' variables; to see what is prepared
    sql.append("GRANT SESSION_VARIABLES_ADMIN, XA_RECOVER_ADMIN, FLUSH_TABLES, SHOW_ROUTINE ON *.*")
        .append(" TO ")
        .append(DATA)
        .append(";\n");
    revoke(sql, CHANGES, "mysql"); // which clients may look at, as far as the CN lets them
    revoke(sql, "SELECT, SHOW VIEW, " + CHANGES, "alrai");
    sql.append("GRANT SELECT, INSERT, UPDATE, DELETE ON alrai.tx_log TO ").append(DATA);
    sql.append(";\n");
  }

  /** SUPER it is and not CONNECTION_ADMIN: see the account's javadoc in BackendAccount. */
  private static void kill(StringBuilder sql, String password) {
    sql.append("CREATE USER IF NOT EXISTS ").append(KILL).append(" ACCOUNT LOCK;\n");
    unlock(sql, KILL, password);
    sql.append("REVOKE IF EXISTS ALL, GRANT OPTION FROM ").append(KILL).append(";\n");
    sql.append("GRANT SUPER ON *.* TO ").append(KILL).append(";\n");
  }

  private static void revoke(StringBuilder sql, String privileges, String schema) {
    sql.append("REVOKE ").append(privileges).append(" ON ").append(schema).append(".* FROM ");
    sql.append(DATA).append(";\n");
  }

  private static void unlock(StringBuilder sql, String account, String password) {
    sql.append("ALTER USER ")
        .append(account)
        .append(" IDENTIFIED BY '")
        .append(password)
        .append("' PASSWORD EXPIRE NEVER ACCOUNT UNLOCK;\n");
  }
}
