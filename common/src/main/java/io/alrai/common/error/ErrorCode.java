package io.alrai.common.error;

/**
 * Every error that Alrai itself raises, with MySQL's number and SQLSTATE for it. Names and numbers
 * are those of the MySQL 9 server error message reference.
 */
public enum ErrorCode {
  ER_DB_CREATE_EXISTS(1007, "HY000", ErrorKind.USER),
  ER_DB_DROP_EXISTS(1008, "HY000", ErrorKind.USER),
  ER_HANDSHAKE_ERROR(1043, "08S01", ErrorKind.USER),
  ER_ERROR_ON_READ(1024, "HY000", ErrorKind.RESOURCE),
  ER_ERROR_ON_WRITE(1026, "HY000", ErrorKind.RESOURCE),
  ER_CON_COUNT_ERROR(1040, "08004", ErrorKind.RESOURCE),
  ER_OUT_OF_RESOURCES(1041, "HY000", ErrorKind.RESOURCE),
  ER_DBACCESS_DENIED_ERROR(1044, "42000", ErrorKind.USER),
  ER_ACCESS_DENIED_ERROR(1045, "28000", ErrorKind.USER),
  ER_NO_DB_ERROR(1046, "3D000", ErrorKind.USER),
  ER_UNKNOWN_COM_ERROR(1047, "08S01", ErrorKind.USER),
  ER_BAD_NULL_ERROR(1048, "23000", ErrorKind.USER),
  ER_BAD_DB_ERROR(1049, "42000", ErrorKind.USER),
  ER_TABLE_EXISTS_ERROR(1050, "42S01", ErrorKind.USER),
  ER_BAD_TABLE_ERROR(1051, "42S02", ErrorKind.USER),
  ER_NON_UNIQ_ERROR(1052, "23000", ErrorKind.USER),
  ER_SERVER_SHUTDOWN(1053, "08S01", ErrorKind.RESOURCE),
  ER_BAD_FIELD_ERROR(1054, "42S22", ErrorKind.USER),
  ER_DUP_KEYNAME(1061, "42000", ErrorKind.USER),
  ER_DUP_ENTRY(1062, "23000", ErrorKind.USER),
  ER_PARSE_ERROR(1064, "42000", ErrorKind.USER),
  ER_EMPTY_QUERY(1065, "42000", ErrorKind.USER),
  ER_KEY_COLUMN_DOES_NOT_EXITS(1072, "42000", ErrorKind.USER),
  ER_WRONG_FIELD_TERMINATORS(1083, "42000", ErrorKind.USER),
  ER_UPDATE_TABLE_USED(1093, "HY000", ErrorKind.USER),
  ER_NO_SUCH_THREAD(1094, "HY000", ErrorKind.USER),
  ER_WRONG_DB_NAME(1102, "42000", ErrorKind.USER),
  ER_WRONG_TABLE_NAME(1103, "42000", ErrorKind.USER),
  ER_TOO_LONG_IDENT(1059, "42000", ErrorKind.USER),
  ER_NONUNIQ_TABLE(1066, "42000", ErrorKind.USER),
  ER_UNKNOWN_TABLE(1109, "42S02", ErrorKind.USER),
  ER_UNKNOWN_ERROR(1105, "HY000", ErrorKind.INTERNAL),
  ER_FIELD_SPECIFIED_TWICE(1110, "42000", ErrorKind.USER),
  ER_UNKNOWN_CHARACTER_SET(1115, "42000", ErrorKind.USER),
  ER_NOT_ALLOWED_COMMAND(1148, "42000", ErrorKind.USER),
  ER_WRONG_VALUE_COUNT_ON_ROW(1136, "21S01", ErrorKind.USER),
  ER_TOO_MANY_ROWS(1172, "42000", ErrorKind.USER),
  ER_SUBQUERY_NO_1_ROW(1242, "21000", ErrorKind.USER),
  ER_DERIVED_MUST_HAVE_ALIAS(1248, "42000", ErrorKind.USER),
  ER_OPERAND_COLUMNS(1241, "21000", ErrorKind.USER),
  ER_WRONG_ARGUMENTS(1210, "HY000", ErrorKind.USER),
  ER_WRONG_USAGE(1221, "HY000", ErrorKind.USER),
  ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT(1222, "21000", ErrorKind.USER),
  ER_UNSUPPORTED_PS(1295, "HY000", ErrorKind.USER),
  ER_SP_UNDECLARED_VAR(1327, "42000", ErrorKind.USER),
  ER_SP_FETCH_NO_DATA(1329, "02000", ErrorKind.USER),
  ER_NO_SUCH_TABLE(1146, "42S02", ErrorKind.USER),
  ER_NET_PACKET_TOO_LARGE(1153, "08S01", ErrorKind.USER),
  ER_NET_UNCOMPRESS_ERROR(1157, "08S01", ErrorKind.USER),
  ER_LOCK_OR_ACTIVE_TRANSACTION(1192, "HY000", ErrorKind.USER),
  ER_UNKNOWN_SYSTEM_VARIABLE(1193, "HY000", ErrorKind.USER),
  ER_LOCK_WAIT_TIMEOUT(1205, "HY000", ErrorKind.RETRY),
  ER_LOCK_DEADLOCK(1213, "40001", ErrorKind.RETRY),
  ER_GLOBAL_VARIABLE(1229, "HY000", ErrorKind.USER),
  ER_WRONG_VALUE_FOR_VAR(1231, "42000", ErrorKind.USER),
  ER_WRONG_TYPE_FOR_VAR(1232, "42000", ErrorKind.USER),
  ER_WRONG_COLUMN_NAME(1166, "42000", ErrorKind.USER),
  ER_NOT_SUPPORTED_YET(1235, "42000", ErrorKind.USER),
  ER_INCORRECT_GLOBAL_LOCAL_VAR(1238, "HY000", ErrorKind.USER),
  ER_UNKNOWN_STMT_HANDLER(1243, "HY000", ErrorKind.USER),
  ER_SP_DOES_NOT_EXIST(1305, "42000", ErrorKind.USER),
  ER_QUERY_INTERRUPTED(1317, "70100", ErrorKind.USER),
  ER_NON_UPDATABLE_TABLE(1288, "HY000", ErrorKind.USER),
  ER_WRONG_OBJECT(1347, "HY000", ErrorKind.USER),
  ER_VIEW_INVALID(1356, "HY000", ErrorKind.USER),
  ER_NO_SUCH_USER(1449, "HY000", ErrorKind.USER),
  ER_VIEW_RECURSIVE(1462, "HY000", ErrorKind.USER),
  ER_NON_INSERTABLE_TABLE(1471, "HY000", ErrorKind.USER),
  ER_CANNOT_USER(1396, "HY000", ErrorKind.USER),
  ER_XAER_RMFAIL(1399, "XAE07", ErrorKind.USER),
  ER_AUTOINC_READ_FAILED(1467, "HY000", ErrorKind.USER),
  ER_PARTITION_FUNC_NOT_ALLOWED_ERROR(1491, "HY000", ErrorKind.USER),
  ER_MAX_PREPARED_STMT_COUNT_REACHED(1461, "42000", ErrorKind.RESOURCE),
  ER_UNKNOWN_COLLATION(1273, "HY000", ErrorKind.USER),
  ER_COLLATION_CHARSET_MISMATCH(1253, "42000", ErrorKind.USER),
  ER_CANT_CHANGE_TX_CHARACTERISTICS(1568, "25001", ErrorKind.USER),
  ER_FIELD_NOT_FOUND_PART_ERROR(1488, "HY000", ErrorKind.USER),
  ER_TOO_MANY_PARTITIONS_ERROR(1499, "HY000", ErrorKind.USER),
  ER_UNIQUE_KEY_NEED_ALL_FIELDS_IN_PF(1503, "HY000", ErrorKind.USER),
  ER_NO_PARTS_ERROR(1504, "HY000", ErrorKind.USER),
  ER_SAME_NAME_PARTITION_FIELD(1652, "HY000", ErrorKind.USER),
  ER_FIELD_TYPE_NOT_ALLOWED_AS_PARTITION_FIELD(1659, "HY000", ErrorKind.USER),
  ER_DATA_OUT_OF_RANGE(1690, "22003", ErrorKind.USER),
  ER_KEY_DOES_NOT_EXITS(1176, "42000", ErrorKind.USER),
  ER_MALFORMED_PACKET(1835, "HY000", ErrorKind.USER),
  ER_QUERY_TIMEOUT(3024, "HY000", ErrorKind.USER),
  CR_SERVER_LOST(2013, "HY000", ErrorKind.RETRY),
  ER_SECURE_TRANSPORT_REQUIRED(3159, "HY000", ErrorKind.USER),
  ER_NO_SECURE_TRANSPORTS_CONFIGURED(3160, "HY000", ErrorKind.USER),
  ER_NO_SYSTEM_SCHEMA_ACCESS(3552, "HY000", ErrorKind.USER),
  /** A DN, an agent or the GMS cannot be reached now. */
  ALRAI_NODE_UNAVAILABLE(8501, "08S01", ErrorKind.RESOURCE),
  /** A commit whose outcome is not known yet: recovery decides it. */
  ALRAI_COMMIT_IN_DOUBT(8502, "08007", ErrorKind.RESOURCE),
  /** A remote clock is further ahead than the bound allows. */
  ALRAI_CLOCK_SKEW(8503, "HY000", ErrorKind.RESOURCE),
  /** A catalog command that lost against another: read again and retry. */
  ALRAI_CATALOG_CONFLICT(8504, "HY000", ErrorKind.RETRY),
  /** A DN shows more than a snapshot already: read again at a later one. */
  ALRAI_SNAPSHOT_TOO_OLD(8505, "HY000", ErrorKind.RETRY),
  /** A defect of Alrai. */
  ALRAI_INTERNAL(8599, "HY000", ErrorKind.INTERNAL);

  private final int errno;
  private final String sqlState;
  private final ErrorKind kind;

  ErrorCode(int errno, String sqlState, ErrorKind kind) {
    this.errno = errno;
    this.sqlState = sqlState;
    this.kind = kind;
  }

  /** MySQL's error number, or 85xx for an error that only Alrai knows. */
  public int errno() {
    return errno;
  }

  /** Five characters. */
  public String sqlState() {
    return sqlState;
  }

  /** Who can do something about it. */
  public ErrorKind kind() {
    return kind;
  }
}
