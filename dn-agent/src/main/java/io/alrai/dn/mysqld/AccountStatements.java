package io.alrai.dn.mysqld;

/** The statements that a server runs at each start, before it accepts connections. Pure. */
final class AccountStatements {
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

  private static void unlock(StringBuilder sql, String account, String password) {
    sql.append("ALTER USER ")
        .append(account)
        .append(" IDENTIFIED BY '")
        .append(password)
        .append("' ACCOUNT UNLOCK;\n");
  }
}
